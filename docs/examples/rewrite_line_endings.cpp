// SPDX-License-Identifier: BSL-1.0
//
// Writes a file with LF at the end of each line, whatever it had; a last line without an end stays without one.
//
#include <sluice/sluice.hpp>
#include <sluice/view/from_range.hpp>
#include <sluice/view/lines.hpp>

#include <iostream>
#include <ranges>

using namespace sluice;

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto with_newline = [](std::string_view line) {
    std::string rewritten(line);
    if (rewritten.ends_with("\r\n")) rewritten.replace(rewritten.size() - 2, 2, "\n");
    return rewritten;
  };
  file source = or_throw(file::open(argv[1]));
  file target = or_throw(file::create(argv[2]));
  const auto copied =
      copy(from_range(source | lines({.keep_terminator = true}) | std::views::transform(with_newline)), target);
  if (!copied) {
    std::cerr << copied.error().code.message() << '\n';
    return 1;
  }
  std::cout << *copied << " bytes\n";
}
