// SPDX-License-Identifier: BSL-1.0
//
// Counts lines and words of a file, without a copy of either.
//
#include <sluice/sluice.hpp>
#include <sluice/view/lines.hpp>

#include <iostream>
#include <ranges>

using namespace sluice;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  file source = or_throw(file::open(argv[1]));
  std::uintmax_t number = 0;
  std::uintmax_t words = 0;
  std::error_code error;
  for (const std::string_view line : source | lines(error)) {
    ++number;
    for (const auto word : line | std::views::split(' '))
      if (!word.empty()) ++words;
  }
  if (error) {
    std::cerr << argv[1] << ": " << error.message() << '\n';
    return 1;
  }
  std::cout << number << " lines, " << words << " words\n";
}
