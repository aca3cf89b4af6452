// SPDX-License-Identifier: BSL-1.0
//
// A reader and a writer as the algorithms use them: each call waits where the options say so.
//
//   waiting_source source(from, options);     // options: null for those of an algorithm that was given none
//   source.read_some(b)                       // never operation_would_block where it may wait
//
#ifndef SLUICE_SRC_WAIT_WAITING_HPP
#define SLUICE_SRC_WAIT_WAITING_HPP

#include <sluice/detail/sink_ops.hpp>
#include <sluice/detail/source_ops.hpp>

#include "../copy/step.hpp"
#include "waiter.hpp"

namespace sluice::detail {

/// What both have in common.
class waiting {
 public:
  explicit waiting(const wait_options* options) noexcept;

  bool may_wait() const noexcept { return may_wait_; }
  bool watchful() const noexcept { return wait_.watchful(); }

 protected:
  std::optional<std::error_code> ended() const { return wait_.ended(); }

  /// Waits for a stream that would block, for the reason `code`. Errors: those of the wait; `code` itself where the
  /// stream shows no descriptor that can be waited for.
  std::optional<std::error_code> wait(std::optional<fd_endpoint> endpoint, readiness what, std::error_code code);

  /// So many bytes are moved before the stop token and the deadline are looked at again.
  std::size_t piece(std::size_t size) const noexcept;

 private:
  waiter wait_;
  bool may_wait_;
};

class waiting_source : public waiting {
 public:
  waiting_source(source_ref from, const wait_options* options) noexcept : waiting(options), from_(from) {}

  const source_ref* operator->() const noexcept { return &from_; }

  result<std::size_t> read_some(std::span<std::byte> b) {
    return patiently([&] { return from_.read_some(b.first(piece(b.size()))); });
  }
  result<std::span<const std::byte>> fill(std::size_t n) {
    return patiently([&] { return from_.fill(n); });
  }

  /// Calls until the answer is another than "not now", with a wait before each call that would have to.
  template <class Call>
  std::invoke_result_t<Call> patiently(Call call) {
    for (;;) {
      if (const auto why = before_reading()) return fail(*why);
      auto answer = call();
      if (answer || !may_wait() || !would_block_error(answer.error())) return answer;
      if (const auto why = wait(from_.kernel_endpoint(), readiness::readable, answer.error())) return fail(*why);
    }
  }

 private:
  // A descriptor that is silent is waited for first, and not in a blocking read, which nobody could end.
  std::optional<std::error_code> before_reading() { return watchful() ? wait_before_reading() : std::nullopt; }
  std::optional<std::error_code> wait_before_reading();

  source_ref from_;
};

class waiting_sink : public waiting {
 public:
  waiting_sink(sink_ref to, const wait_options* options) noexcept : waiting(options), to_(to) {}

  result<std::size_t> write_some(std::span<const std::byte> bytes) {
    const const_buffer piece(bytes);
    return write_some({&piece, 1});
  }

  /// No piece is empty. A writer that is not vectored gets the first.
  result<std::size_t> write_some(std::span<const const_buffer> pieces);

 private:
  result<std::size_t> write(std::span<const const_buffer> pieces) const;
  result<std::size_t> write_without_waiting(std::span<const const_buffer> pieces);

  sink_ref to_;
  bool direct_refused_ = false;  // the kernel cannot write to this destination without waiting
};

}  // namespace sluice::detail

#endif
