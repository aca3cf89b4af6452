// SPDX-License-Identifier: BSL-1.0
#include <sluice/view/detail/byte_marks.hpp>

#include <algorithm>
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

struct word_marks {
  std::uint64_t pattern;
  explicit word_marks(std::byte wanted) noexcept : pattern(0x0101010101010101 * static_cast<std::uint64_t>(wanted)) {}

  std::uint64_t operator()(const std::byte* block) const noexcept {
    std::uint64_t marks = 0;
    for (unsigned i = 0; i != 8; ++i) marks |= marks_of_word(block + 8 * i, pattern) << (8 * i);
    return marks;
  }
};

// The blocks one by one; the tail by way of a full block, so that nothing behind the end is read.
template <class Marks>
void mark_with(const std::byte* from, const std::byte* end, const Marks& marks_of, mark_words& words) noexcept {
  std::size_t left = std::min(static_cast<std::size_t>(end - from), marked_size);
  std::size_t word = 0;
  for (; left >= 64; left -= 64, from += 64) words[word++] = marks_of(from);
  if (left != 0) {
    std::array<std::byte, 64> tail{};
    std::memcpy(tail.data(), from, left);
    words[word++] = marks_of(tail.data()) & ((std::uint64_t{1} << left) - 1);
  }
  std::fill(words.begin() + word, words.end(), 0);
}

void mark_by_words(const std::byte* from, const std::byte* end, std::byte wanted, mark_words& words) noexcept {
  mark_with(from, end, word_marks(wanted), words);
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

void mark_by_sse2(const std::byte* from, const std::byte* end, std::byte wanted, mark_words& words) noexcept {
  mark_with(from, end, sse2(wanted), words);
}

// Written out, as a function may only be inlined into one of its own target.
[[gnu::target("avx2")]] void mark_by_avx2(const std::byte* from, const std::byte* end, std::byte wanted,
                                          mark_words& words) noexcept {
  if (static_cast<std::size_t>(end - from) < marked_size) return mark_by_sse2(from, end, wanted, words);
  const __m256i pattern = _mm256_set1_epi8(static_cast<char>(wanted));
  for (std::uint64_t& word : words) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 32));
    const auto low_marks = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, pattern)));
    const auto high_marks = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, pattern)));
    word = std::uint64_t{high_marks} << 32 | low_marks;
    from += 64;
  }
}

#endif

std::span<const byte_marker> markers_here() noexcept {
  static constexpr byte_marker all[] = {
      {"words", &mark_by_words},
#ifdef __SSE2__
      {"sse2", &mark_by_sse2},
      {"avx2", &mark_by_avx2},
#endif
  };
  std::span<const byte_marker> here(all);
#ifdef __SSE2__
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) here = here.first(here.size() - 1);
#endif
  return here;
}

}  // namespace

std::span<const byte_marker> byte_markers() noexcept {
  static const std::span<const byte_marker> here = markers_here();
  return here;
}

const std::byte* byte_marks::look(const std::byte* from, const std::byte* end, std::byte wanted) noexcept {
  if (from == end) return end;
  static const auto mark_fastest = byte_markers().back().mark;
  mark_fastest(from, end, wanted, words_);

  const std::size_t looked = std::min(static_cast<std::size_t>(end - from), marked_size);
  block_ = from;
  last_ = from + (looked - 1) / 64 * 64;
  word_ = words_.front();
  next_ = 1;
  return from + looked;
}

}  // namespace sluice::detail
