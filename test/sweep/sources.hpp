// SPDX-License-Identifier: BSL-1.0
//
// The sources of the sweep: each holds all of its bytes, and then its end.
//
//   source_set sources;                                  // the files, made once
//   source s(sources, kind, wrap);
//   s.stream(), s.fd(), s.expected(), s.rest(), s.taken()
//
#ifndef SLUICE_TEST_SWEEP_SOURCES_HPP
#define SLUICE_TEST_SWEEP_SOURCES_HPP

#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "dimensions.hpp"
#include "support/temporary_folder.hpp"
#include "support/trace.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sluice::test {

/// A wrapper of a user's own that keeps the kernel path.
template <class S>
struct own_wrapper {
  S& inner;
  std::uintmax_t count = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    auto n = inner.read_some(b);
    count += n.value_or(0);
    return n;
  }
  result<std::size_t> write_some(std::span<const std::byte> b) {
    auto n = inner.write_some(b);
    count += n.value_or(0);
    return n;
  }
  auto kernel_endpoint() { return inner.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) {
    count += n;
    inner.kernel_advanced(n);
  }
};

/// A user's own streams, which take part in the trace.
struct plain_reader {
  std::string_view data;

  result<std::size_t> read_some(std::span<std::byte> b);
};

struct plain_writer {
  std::string data = {};

  result<std::size_t> write_some(std::span<const std::byte> b);
};

/// Whether the descriptor can be waited for, by way of whatever wrapper.
constexpr bool can_wait(source_kind k) {
  return k == source_kind::pipe || k == source_kind::tcp || k == source_kind::unix_stream ||
         k == source_kind::seqpacket;
}

class source_set {
 public:
  source_set();

  bool has_other_file_system() const { return other_file_system_; }
  bool has(source_kind k) const { return k != source_kind::other_file || other_file_system_; }

  /// A folder where a file costs least, and one on another file system if there is one.
  std::string fast(std::string_view name) const { return memory_ ? memory_ / name : disk_ / name; }
  std::string other(std::string_view name) const { return disk_ / name; }

 private:
  friend class source;

  temporary_folder disk_;
  memory_folder memory_;
  bool other_file_system_ = false;
  handle file_, small_, other_, memfd_, sparse_, zero_;
};

/// One stream, and each wrapper that there is for its type.
template <class S>
struct wrapped_source {
  S stream;
  std::optional<buf_reader<S&>> buffered = {};
  std::optional<limit_reader<S&>> limited = {};
  std::optional<limit_reader<buf_reader<S&>&>> limited_buffered = {};
  std::optional<counted_reader<S&>> counted = {};
  std::optional<own_wrapper<S>> own = {};
  std::optional<any_reader> erased = {};
};

class source {
 public:
  source(source_set& set, source_kind kind, source_wrap wrap);

  reader_ref stream() const { return *stream_; }
  int fd() const { return fd_; }

  /// All that a copy should find.
  std::string_view expected() const { return expected_; }

  /// Reads what is left, through the wrapper. Empty where it has all been taken.
  std::string rest();

  /// The erased handle, where there is one: copy sees through it, if it is given that itself.
  any_reader* erased();

  /// The source in memory itself, where it is one without a wrapper: copy has a short way for that type.
  span_reader* memory() {
    return span_ && !span_->erased && !span_->limited && !span_->counted ? &span_->stream : nullptr;
  }

  /// How much has gone past, where the wrapper keeps count.
  std::optional<std::uintmax_t> taken() const;

 private:
  template <class S>
  void wrap(std::optional<wrapped_source<S>>& streams, source_wrap w);

  source_kind kind_;
  int fd_ = -1;
  handle own_;
  std::string_view expected_;
  std::uintmax_t limit_ = 0;

  std::optional<wrapped_source<fd_ref>> descriptor_;
  std::optional<wrapped_source<file>> file_;
  std::optional<wrapped_source<span_reader>> span_;
  std::optional<wrapped_source<plain_reader>> user_;
  std::optional<reader_ref> stream_;
};

}  // namespace sluice::test

#endif
