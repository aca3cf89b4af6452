// SPDX-License-Identifier: BSL-1.0
//
// A reader under test, as the compiled checks see it: its calls as they are, without the checks of the customisation
// points, which would hide what is looked for.
//
#ifndef SLUICE_TESTING_DETAIL_READER_SUBJECT_HPP
#define SLUICE_TESTING_DETAIL_READER_SUBJECT_HPP

#include <sluice/erased/any_reader.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sluice::detail {

class reader_subject {
 public:
  struct abilities {
    bool vectored = false;
    bool buffered = false;
    bool in_memory = false;
    bool skips = false;
    bool seeks = false;
    bool hints = false;
    bool kernel = false;
    std::string_view incomplete = {};  // the members of a capability of which only some are there
  };

  virtual ~reader_subject() = default;

  virtual abilities can() const = 0;
  virtual result<std::size_t> read_some(std::span<std::byte> b) = 0;

  // To be called only where the reader can.
  virtual result<std::size_t> read_pieces(std::span<const mutable_buffer> pieces) = 0;
  virtual std::span<const std::byte> window() = 0;
  virtual result<std::span<const std::byte>> fill(std::size_t n) = 0;
  virtual void consume(std::size_t n) = 0;
  virtual result<std::uintmax_t> skip(std::uintmax_t n) = 0;
  virtual result<std::uintmax_t> seek(std::intmax_t offset, whence from) = 0;
  virtual result<std::uintmax_t> position() = 0;
  virtual std::optional<std::uintmax_t> size_hint() = 0;
  virtual std::optional<fd_endpoint> kernel_endpoint() = 0;
  virtual void kernel_advanced(std::uintmax_t n) = 0;

  /// Another subject, which this one's reader was moved into; null where it cannot be moved.
  virtual std::unique_ptr<reader_subject> moved() = 0;

  /// A handle that refers to the reader, or the reader itself where it is one.
  virtual any_reader erased() = 0;
};

/// The members of a capability that a reader has in part only, or with other types; empty where there are none.
template <class R>
constexpr std::string_view incomplete_capability() {
  if constexpr (!buffered_reader<R> &&
                (requires(R& r) { r.buffered(); } || requires(R& r) { r.fill(std::size_t{1}); } ||
                 requires(R& r) { r.consume(std::size_t{1}); }))
    return "buffered() noexcept -> span<const byte>, fill(n) -> result<span<const byte>>, consume(n) noexcept";
  else if constexpr (!buffered_reader<R> && requires { requires bool(R::in_memory); })
    return "in_memory, and what a buffered reader has";
  else if constexpr (!vectored_reader<R> && requires(R& r, std::span<const mutable_buffer> b) { r.read_some(b); })
    return "read_some(span<const mutable_buffer>) -> result<size_t>";
  else if constexpr (!skippable<R> && requires(R& r) { r.skip(std::uintmax_t{1}); })
    return "skip(n) -> result<uintmax_t>";
  else if constexpr (!seekable<R> && requires(R& r) { r.seek(std::intmax_t{1}, whence::begin); })
    return "seek(offset, whence) -> result<uintmax_t>, position() -> result<uintmax_t>";
  else if constexpr (
      !kernel_reader<R> &&
      (requires(R& r) { r.kernel_endpoint(); } || requires(R& r) { r.kernel_advanced(std::uintmax_t{1}); }))
    return "kernel_endpoint() -> optional<fd_endpoint>, kernel_advanced(n)";
  else
    return {};
}

template <reader R>
class reader_subject_of : public reader_subject {
 public:
  /// Holds what `make` returns, which need not be movable.
  template <class Make>
    requires std::is_invocable_r_v<R, Make&>
  explicit reader_subject_of(Make&& make) : stream_(make()) {}

  abilities can() const override {
    return {.vectored = vectored_reader<R>,
            .buffered = buffered_reader<R>,
            .in_memory = in_memory_reader<R>,
            .skips = skippable<R>,
            .seeks = seekable<R>,
            .hints = size_hinted<R>,
            .kernel = kernel_reader<R>,
            .incomplete = incomplete_capability<R>()};
  }

  result<std::size_t> read_some(std::span<std::byte> b) override {
    if constexpr (cpo::member_read_some<R, std::span<std::byte>>)
      return stream_.read_some(b);
    else
      return sluice::read_some(stream_, b);
  }

  result<std::size_t> read_pieces(std::span<const mutable_buffer> pieces) override {
    if constexpr (cpo::member_read_some<R, std::span<const mutable_buffer>>)
      return stream_.read_some(pieces);
    else if constexpr (vectored_reader<R>)
      return sluice::read_some(stream_, pieces);
    else
      return sluice::fail(io_errc::unsupported);
  }

  std::span<const std::byte> window() override {
    if constexpr (buffered_reader<R>)
      return sluice::window(stream_);
    else
      return {};
  }

  result<std::span<const std::byte>> fill(std::size_t n) override {
    if constexpr (buffered_reader<R>)
      return sluice::fill(stream_, n);
    else
      return sluice::fail(io_errc::unsupported);
  }

  void consume(std::size_t n) override {
    if constexpr (buffered_reader<R>) sluice::consume(stream_, n);
  }

  result<std::uintmax_t> skip(std::uintmax_t n) override {
    if constexpr (cpo::member_skip<R>)
      return stream_.skip(n);
    else if constexpr (skippable<R>)
      return cpo::skip_fn{}(stream_, n);
    else
      return sluice::fail(io_errc::unsupported);
  }

  result<std::uintmax_t> seek(std::intmax_t offset, whence from) override {
    if constexpr (seekable<R>)
      return sluice::seek(stream_, offset, from);
    else
      return sluice::fail(io_errc::unsupported);
  }

  result<std::uintmax_t> position() override {
    if constexpr (seekable<R>)
      return sluice::position(stream_);
    else
      return sluice::fail(io_errc::unsupported);
  }

  std::optional<std::uintmax_t> size_hint() override { return sluice::size_hint(stream_); }
  std::optional<fd_endpoint> kernel_endpoint() override { return sluice::kernel_endpoint(stream_); }
  void kernel_advanced(std::uintmax_t n) override { sluice::kernel_advanced(stream_, n); }

  std::unique_ptr<reader_subject> moved() override {
    if constexpr (std::is_move_constructible_v<R>) {
      auto move = [this]() -> R { return std::move(stream_); };
      return std::make_unique<reader_subject_of>(move);
    } else {
      return nullptr;
    }
  }

  any_reader erased() override {
    if constexpr (std::same_as<R, any_reader>)
      return std::move(stream_);
    else
      return any_reader(stream_);
  }

 private:
  R stream_;
};

}  // namespace sluice::detail

#endif
