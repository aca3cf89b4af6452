// SPDX-License-Identifier: BSL-1.0
//
// A writer under test, as the compiled checks see it: its calls as they are, without the checks of the customisation
// points, which would hide what is looked for.
//
#ifndef SLUICE_TESTING_DETAIL_WRITER_SUBJECT_HPP
#define SLUICE_TESTING_DETAIL_WRITER_SUBJECT_HPP

#include <sluice/erased/any_writer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::detail {

class writer_subject {
 public:
  struct abilities {
    bool vectored = false;
    bool buffered = false;
    bool flushes = false;
    bool seeks = false;
    bool kernel = false;
    std::string_view incomplete = {};  // the members of a capability of which only some are there
  };

  virtual ~writer_subject() = default;

  virtual abilities can() const = 0;
  virtual result<std::size_t> write_some(std::span<const std::byte> b) = 0;

  // To be called only where the writer can.
  virtual result<std::size_t> write_pieces(std::span<const const_buffer> pieces) = 0;
  virtual result<std::span<std::byte>> prepare(std::size_t n) = 0;
  virtual void commit(std::size_t n) = 0;
  virtual result<void> flush() = 0;
  virtual result<std::uintmax_t> seek(std::intmax_t offset, whence from) = 0;
  virtual result<std::uintmax_t> position() = 0;
  virtual std::optional<fd_endpoint> kernel_endpoint() = 0;
  virtual void kernel_advanced(std::uintmax_t n) = 0;

  /// What has arrived.
  virtual std::vector<std::byte> observed() = 0;

  /// Another subject, which this one's writer was moved into; null where it cannot be moved.
  virtual std::unique_ptr<writer_subject> moved() = 0;

  /// A handle that refers to the writer, or the writer itself where it is one.
  virtual any_writer erased() = 0;
};

/// The members of a capability that a writer has in part only, or with other types; empty where there are none.
template <class W>
constexpr std::string_view incomplete_writer_capability() {
  if constexpr (!buffered_writer<W> &&
                (requires(W& w) { w.prepare(std::size_t{1}); } ||
                 (!cpo::member_free_space<W> && requires(W& w) { w.commit(std::size_t{1}); })))
    return "prepare(n) -> result<span<byte>>, commit(n) noexcept, flush() -> result<void>";
  else if constexpr (requires(W& w) { w.free_space(); } && !(cpo::member_free_space<W> && cpo::member_commit<W>))
    return "free_space() noexcept -> span<byte>, commit(n) noexcept";
  else if constexpr (!vectored_writer<W> && requires(W& w, std::span<const const_buffer> b) { w.write_some(b); })
    return "write_some(span<const const_buffer>) -> result<size_t>";
  else if constexpr (!(cpo::member_flush<W> || cpo::adl_flush<W>) && requires(W& w) { w.flush(); })
    return "flush() -> result<void>";
  else if constexpr (!seekable<W> && requires(W& w) { w.seek(std::intmax_t{1}, whence::begin); })
    return "seek(offset, whence) -> result<uintmax_t>, position() -> result<uintmax_t>";
  else if constexpr (
      !kernel_writer<W> &&
      (requires(W& w) { w.kernel_endpoint(); } || requires(W& w) { w.kernel_advanced(std::uintmax_t{1}); }))
    return "kernel_endpoint() -> optional<fd_endpoint>, kernel_advanced(n)";
  else
    return {};
}

/// `Observe` is called with the writer and returns a range of bytes.
template <writer W, class Observe>
class writer_subject_of : public writer_subject {
 public:
  /// Holds what `make` returns, which need not be movable.
  template <class Make>
  writer_subject_of(Make&& make, Observe observe) : stream_(make()), observe_(std::move(observe)) {}

  abilities can() const override {
    return {.vectored = vectored_writer<W>,
            .buffered = buffered_writer<W>,
            .flushes = cpo::member_flush<W> || cpo::adl_flush<W>,
            .seeks = seekable<W>,
            .kernel = kernel_writer<W>,
            .incomplete = incomplete_writer_capability<W>()};
  }

  result<std::size_t> write_some(std::span<const std::byte> b) override {
    if constexpr (cpo::member_write_some<W, std::span<const std::byte>>)
      return stream_.write_some(b);
    else
      return sluice::write_some(stream_, b);
  }

  result<std::size_t> write_pieces(std::span<const const_buffer> pieces) override {
    if constexpr (cpo::member_write_some<W, std::span<const const_buffer>>)
      return stream_.write_some(pieces);
    else if constexpr (vectored_writer<W>)
      return sluice::write_some(stream_, pieces);
    else
      return sluice::fail(io_errc::unsupported);
  }

  result<std::span<std::byte>> prepare(std::size_t n) override {
    if constexpr (buffered_writer<W>)
      return sluice::prepare(stream_, n);
    else
      return sluice::fail(io_errc::unsupported);
  }

  void commit(std::size_t n) override {
    if constexpr (buffered_writer<W>) sluice::commit(stream_, n);
  }

  result<void> flush() override {
    if constexpr (cpo::member_flush<W> || cpo::adl_flush<W>)
      return sluice::flush(stream_);
    else
      return {};
  }

  result<std::uintmax_t> seek(std::intmax_t offset, whence from) override {
    if constexpr (seekable<W>)
      return sluice::seek(stream_, offset, from);
    else
      return sluice::fail(io_errc::unsupported);
  }

  result<std::uintmax_t> position() override {
    if constexpr (seekable<W>)
      return sluice::position(stream_);
    else
      return sluice::fail(io_errc::unsupported);
  }

  std::optional<fd_endpoint> kernel_endpoint() override { return sluice::kernel_endpoint(stream_); }
  void kernel_advanced(std::uintmax_t n) override { sluice::kernel_advanced(stream_, n); }

  std::vector<std::byte> observed() override {
    const auto& bytes = observe_(stream_);
    return {std::ranges::begin(bytes), std::ranges::end(bytes)};
  }

  std::unique_ptr<writer_subject> moved() override {
    if constexpr (std::is_move_constructible_v<W>) {
      auto move = [this]() -> W { return std::move(stream_); };
      return std::make_unique<writer_subject_of>(move, observe_);
    } else {
      return nullptr;
    }
  }

  any_writer erased() override {
    if constexpr (std::same_as<W, any_writer>)
      return std::move(stream_);
    else
      return any_writer(stream_);
  }

 private:
  W stream_;
  Observe observe_;
};

}  // namespace sluice::detail

#endif
