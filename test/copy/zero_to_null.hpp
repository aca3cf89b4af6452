// SPDX-License-Identifier: BSL-1.0
//
// 1 MiB from /dev/zero to /dev/null through a buffer of 256 KiB, in every wrapping: four reads and four writes, and not
// a call more.
//
#ifndef SLUICE_TEST_COPY_ZERO_TO_NULL_HPP
#define SLUICE_TEST_COPY_ZERO_TO_NULL_HPP

#include <sluice/sluice.hpp>

namespace sluice::test {

template <class R>
struct own_wrapper {
  R& inner;
  std::uintmax_t count = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    auto n = sluice::read_some(inner, b);
    count += n.value_or(0);
    return n;
  }
  auto kernel_endpoint() { return inner.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) {
    count += n;
    inner.kernel_advanced(n);
  }
};

inline constexpr std::string_view wrappings[] = {"plain",       "limit_inside",        "limit_outside", "counted",
                                                 "own_wrapper", "own_wrapper_outside", "any_reader"};

/// Copies; the count, or 0 after a failure.
inline std::uintmax_t zero_to_null(std::string_view wrapping, file& zero, file& null) {
  constexpr std::size_t whole = 1_MiB;
  constexpr std::size_t room = 256_KiB;
  const auto count = [](const auto& copied) { return copied ? *copied : 0; };
  if (wrapping == "plain") return count(copy_n(buf_reader(zero, room), null, whole));
  if (wrapping == "limit_inside") return count(copy(zero | limit(whole) | buffered(room), null));
  if (wrapping == "limit_outside") return count(copy(zero | buffered(room) | limit(whole), null));
  if (wrapping == "counted") return count(copy(zero | buffered(room) | counted() | limit(whole), null));
  if (wrapping == "own_wrapper") {
    own_wrapper<file> wrapped{zero};
    return count(copy_n(buf_reader(wrapped, room), null, whole));
  }
  if (wrapping == "own_wrapper_outside") {
    buf_reader in(zero, room);
    own_wrapper<decltype(in)> wrapped{in};
    return count(copy_n(wrapped, null, whole));
  }
  if (wrapping == "any_reader") return count(copy_n(any_reader(zero, room), null, whole));
  return 0;
}

}  // namespace sluice::test

#endif
