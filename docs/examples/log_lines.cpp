// SPDX-License-Identifier: BSL-1.0
//
// A log of whole lines: however the pieces of a line are put together, each write to the file ends with a newline, so
// that several programs may append to one file, and who follows it never sees half a line.
//
#include <sluice/sluice.hpp>

#include <iostream>

using namespace sluice;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  or_throw(or_throw(file::create(argv[1])).close());
  line_writer log{or_throw(file::append(argv[1]))};
  file follower = or_throw(file::open(argv[1]));

  or_throw(write_all(log, "GET "));
  or_throw(write_all(log, "/index.html"));
  const std::string early = or_throw(read_to_string(follower));
  or_throw(write_all(log, " 200\nGET "));
  const std::string line = or_throw(read_to_string(follower));
  std::cout << "before the newline: " << early.size() << " bytes; after it: " << line;

  or_throw(write_all(log, "/favicon.ico 404\n"));
  // To the disk: the buffer first, then fdatasync(2).
  or_throw(log.sync(sync_level::data));
  or_throw(log.close());
  return early.empty() && line == "GET /index.html 200\n" ? 0 : 1;
}
