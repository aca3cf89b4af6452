// SPDX-License-Identifier: BSL-1.0
//
// A stream that remembers what was asked of it.
//
//   struct recorded_call { enum what; std::size_t size; std::size_t pieces; result<std::size_t> answer; };
//   template <class S> class recording_stream;     // recording_reader<R>, recording_writer<W>
//   recording(s)     s | recording()
//
//   recording_writer<> out;               // and keeps the bytes: out.inner().view()
//   EXPECT_EQ(out.calls().size(), 1);     // all in one write
//
#ifndef SLUICE_TESTING_RECORDING_STREAM_HPP
#define SLUICE_TESTING_RECORDING_STREAM_HPP

#include <sluice/concepts.hpp>
#include <sluice/detail/adaptor.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/memory/bytes_writer.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {

/// One call that a recording_stream has seen.
struct recorded_call {
  /// What was called.
  enum class operation { read, write, flush };

  operation what = operation::read;  ///< of one piece or several
  std::size_t size = 0;              ///< how many bytes were asked for or offered, in all pieces together
  std::size_t pieces = 1;            ///< of a vectored call, the empty ones included
  result<std::size_t> answer = 0;    ///< 0 for a flush that succeeded
};

/// Passes its calls on to another stream and keeps a list of them. It has the vectored calls and `flush` where that has
/// them, and hides every other capability, so that nothing passes unrecorded.
///
/// `S` is a stream type, held by value, or a reference to one.
template <detail::stream S>
class recording_stream {
  using inner_type = std::remove_reference_t<S>;
  using operation = recorded_call::operation;

 public:
  recording_stream()
    requires std::default_initializable<S>
      : inner_(S()) {}
  explicit recording_stream(S&& inner) : inner_(std::forward<S>(inner)) {}

  result<std::size_t> read_some(std::span<std::byte> b)
    requires reader<S>
  {
    return record(operation::read, b.size(), 1, sluice::read_some(inner_.get(), b));
  }

  result<std::size_t> read_some(std::span<const mutable_buffer> pieces)
    requires vectored_reader<S>
  {
    const auto answer = sluice::read_some(inner_.get(), pieces);
    return record(operation::read, detail::cpo::total_size(pieces), pieces.size(), answer);
  }

  result<std::size_t> write_some(std::span<const std::byte> b)
    requires writer<S>
  {
    return record(operation::write, b.size(), 1, sluice::write_some(inner_.get(), b));
  }

  result<std::size_t> write_some(std::span<const const_buffer> pieces)
    requires vectored_writer<S>
  {
    const auto answer = sluice::write_some(inner_.get(), pieces);
    return record(operation::write, detail::cpo::total_size(pieces), pieces.size(), answer);
  }

  result<void> flush()
    requires detail::cpo::member_flush<inner_type> || detail::cpo::adl_flush<inner_type>
  {
    const result<void> flushed = sluice::flush(inner_.get());
    record(operation::flush, 0, 0, flushed ? result<std::size_t>(0) : fail(flushed.error()));
    return flushed;
  }

  /// Every call so far, in order.
  const std::vector<recorded_call>& calls() const noexcept { return calls_; }

  inner_type& inner() noexcept { return inner_.get(); }
  const inner_type& inner() const noexcept { return inner_.get(); }

  /// Gives back the inner stream.
  S into_inner() && { return inner_.release(); }

 private:
  result<std::size_t> record(operation what, std::size_t size, std::size_t pieces, result<std::size_t> answer) {
    calls_.push_back({what, size, pieces, answer});
    return answer;
  }

  detail::held<S> inner_;
  std::vector<recorded_call> calls_;
};

template <class S>
recording_stream(S&&) -> recording_stream<S>;

/// A reader that keeps a list of all calls.
template <reader R>
using recording_reader = recording_stream<R>;

/// A writer that keeps a list of all calls, by default one in memory.
template <writer W = bytes_writer>
using recording_writer = recording_stream<W>;

namespace detail {

struct recording_fn {
  template <stream S>
  recording_stream<S> operator()(S&& s) const {
    return recording_stream<S>(std::forward<S>(s));
  }

  auto operator()() const {
    return closure([]<stream S>(S&& s) { return recording_stream<S>(std::forward<S>(s)); });
  }
};

}  // namespace detail

/// `recording(s)` and `s | recording()`: `s` with a list of its calls, as a `recording_stream`.
inline constexpr detail::recording_fn recording{};

}  // namespace sluice

#endif
