// SPDX-License-Identifier: BSL-1.0
//
// Prints into a sluice writer with operator<<, and learns whether everything has arrived.
//
#include <sluice/interop/writer_streambuf.hpp>
#include <sluice/sluice.hpp>

#include <iostream>

int main() {
  sluice::string_writer target;
  sluice::writer_streambuf buffer(target);
  std::ostream out(&buffer);
  for (int i = 1; i <= 3; ++i) out << i << " squared is " << i * i << '\n';
  const auto done = buffer.finish();
  if (!done) {
    std::cerr << done.error().message() << '\n';
    return 1;
  }
  return 0;
}
