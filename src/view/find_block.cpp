// SPDX-License-Identifier: BSL-1.0
#include <sluice/view/detail/find_block.hpp>

#include <array>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace sluice::detail {
namespace {

// Eight bytes at a time. A byte that equals the wanted one is zero after the exclusive or, and only a zero byte keeps a
// clear high bit when 0x7f is added to its low seven bits and the byte itself is put back. The product gathers the
// eight flags in its highest byte.
std::uint64_t marks_of_word(const std::byte* at, std::uint64_t wanted) noexcept {
  constexpr std::uint64_t low_bits = 0x7f7f7f7f7f7f7f7f;
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  word ^= wanted;
  const std::uint64_t zeros = ~(((word & low_bits) + low_bits) | word | low_bits);
  return ((zeros >> 7) * 0x0102040810204080) >> 56;
}

struct words {
  std::uint64_t pattern;
  explicit words(std::byte wanted) noexcept : pattern(0x0101010101010101 * static_cast<std::uint64_t>(wanted)) {}

  std::uint64_t operator()(const std::byte* block) const noexcept {
    std::uint64_t marks = 0;
    for (unsigned i = 0; i != 8; ++i) marks |= marks_of_word(block + 8 * i, pattern) << (8 * i);
    return marks;
  }
};

// The blocks one by one; the tail by way of a full block, so that nothing behind the end is read.
template <class Marks>
[[gnu::always_inline]] inline marked_block find_with(const std::byte* from, const std::byte* end,
                                                     const Marks& marks_of) noexcept {
  for (; static_cast<std::size_t>(end - from) >= block_size; from += block_size)
    if (const std::uint64_t marks = marks_of(from)) return {from, marks};
  if (const auto rest = static_cast<std::size_t>(end - from)) {
    std::array<std::byte, block_size> tail{};
    std::memcpy(tail.data(), from, rest);
    if (const std::uint64_t marks = marks_of(tail.data()) & ((std::uint64_t{1} << rest) - 1)) return {from, marks};
  }
  return {end, 0};
}

marked_block find_by_words(const std::byte* from, const std::byte* end, std::byte wanted) noexcept {
  return find_with(from, end, words(wanted));
}

#ifdef __SSE2__

struct sse2 {
  __m128i pattern;
  explicit sse2(std::byte wanted) noexcept : pattern(_mm_set1_epi8(static_cast<char>(wanted))) {}

  std::uint64_t operator()(const std::byte* block) const noexcept {
    std::uint64_t marks = 0;
    for (unsigned i = 0; i != 4; ++i) {
      const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
      const auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(part, pattern)));
      marks |= std::uint64_t{found} << (16 * i);
    }
    return marks;
  }
};

marked_block find_by_sse2(const std::byte* from, const std::byte* end, std::byte wanted) noexcept {
  return find_with(from, end, sse2(wanted));
}

// Written out, as a function may only be inlined into one of its own target.
[[gnu::target("avx2")]] marked_block find_by_avx2(const std::byte* from, const std::byte* end,
                                                  std::byte wanted) noexcept {
  const __m256i pattern = _mm256_set1_epi8(static_cast<char>(wanted));
  for (; static_cast<std::size_t>(end - from) >= block_size; from += block_size) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 32));
    const __m256i low_found = _mm256_cmpeq_epi8(low, pattern);
    const __m256i high_found = _mm256_cmpeq_epi8(high, pattern);
    const auto low_marks = static_cast<std::uint32_t>(_mm256_movemask_epi8(low_found));
    const auto high_marks = static_cast<std::uint32_t>(_mm256_movemask_epi8(high_found));
    if (const std::uint64_t marks = std::uint64_t{high_marks} << 32 | low_marks) return {from, marks};
  }
  return find_by_sse2(from, end, wanted);
}

#endif

std::span<const block_finder> finders_here() noexcept {
  static constexpr block_finder all[] = {
      {"words", &find_by_words},
#ifdef __SSE2__
      {"sse2", &find_by_sse2},
      {"avx2", &find_by_avx2},
#endif
  };
  std::span<const block_finder> here(all);
#ifdef __SSE2__
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) here = here.first(here.size() - 1);
#endif
  return here;
}

}  // namespace

std::span<const block_finder> block_finders() noexcept {
  static const std::span<const block_finder> here = finders_here();
  return here;
}

marked_block find_block(const std::byte* from, const std::byte* end, std::byte wanted) noexcept {
  static const auto fastest = block_finders().back().find;
  return fastest(from, end, wanted);
}

}  // namespace sluice::detail
