// SPDX-License-Identifier: BSL-1.0
//
// Replaces a file as a whole: whoever opens it finds the old content or the new, also where the program is killed
// anywhere in between.
//
#include <sluice/sluice.hpp>

#include <iostream>

using namespace sluice;

result<void> save(const std::string& path, std::string_view settings) {
  auto target = atomic_file::create(path);
  if (!target) return fail(target.error());
  buf_writer out{*target};
  if (auto written = write_all(out, settings); !written) return fail(written.error());
  // What the buffer holds is not in the file yet.
  if (auto flushed = out.flush(); !flushed) return flushed;
  return target->commit();
}

std::string load(const std::string& path) { return or_throw(read_to_string(or_throw(file::open(path)))); }

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string path = argv[1];
  or_throw(save(path, "colour = red\n"));
  {
    atomic_file half_done = or_throw(atomic_file::create(path));
    or_throw(write_all(half_done, "colo"));
  }  // without a commit nothing has happened
  std::cout << load(path);
  or_throw(save(path, "colour = blue\n"));
  std::cout << load(path);
  return load(path) == "colour = blue\n" ? 0 : 1;
}
