// SPDX-License-Identifier: BSL-1.0
//
// Runs a fuzz target without libFuzzer: each file of the corpus, each of its first kilobytes cut at every length, and a
// fixed number of seeded mutations.
//
//   fuzz_<name> <file or folder>...
//
#include "fuzz/fuzz.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t longest_cut = 1024;
constexpr std::size_t longest_mutated = 64 * 1024;
constexpr int mutations_of_a_file = 300;

using bytes = std::vector<std::byte>;

bytes content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto all = std::as_bytes(std::span(text));
  return bytes(all.begin(), all.end());
}

// On the heap to the byte, so that a sanitizer sees a read behind the end.
void run_exactly(std::span<const std::byte> input) { fuzz_one(bytes(input.begin(), input.end())); }

void mutate(bytes& input, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  static constexpr std::byte edges[] = {std::byte{0}, std::byte{1}, std::byte{0x7f}, std::byte{0x80}, std::byte{0xff}};
  for (std::size_t changes = 1 + below(4); changes != 0 && !input.empty(); --changes) {
    const auto at = input.begin() + static_cast<std::ptrdiff_t>(below(input.size()));
    switch (below(5)) {
      case 0: *at ^= std::byte{1} << below(8); break;
      case 1: *at = edges[below(std::size(edges))]; break;
      case 2: input.erase(at); break;
      case 3: input.insert(at, edges[below(std::size(edges))]); break;
      default: input.erase(at, input.begin() + std::min<std::ptrdiff_t>(at - input.begin() + 8, std::ssize(input)));
    }
  }
}

void run_file(const std::filesystem::path& path) {
  const bytes whole = content_of(path);
  run_exactly(whole);
  for (std::size_t n = 0; n < std::min(whole.size(), longest_cut); ++n) run_exactly(std::span(whole).first(n));
  if (whole.size() > longest_mutated) return;
  std::mt19937 random(static_cast<unsigned>(whole.size()));
  for (int i = 0; i < mutations_of_a_file; ++i) {
    bytes mutated = whole;
    mutate(mutated, random);
    run_exactly(mutated);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t files = 0;
  for (const char* const argument : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    if (!std::filesystem::is_directory(argument)) {
      run_file(argument);
      ++files;
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argument)) {
      if (!entry.is_regular_file()) continue;
      run_file(entry.path());
      ++files;
    }
  }
  std::printf("%zu files of the corpus\n", files);
  return files == 0 ? 1 : 0;
}
