// SPDX-License-Identifier: BSL-1.0
//
// Copies of which the fixed cost is most: 1 MiB that needs no work in the kernel, small files, a few bytes of memory.
//
#include "rows.hpp"

namespace sluice::bench {
namespace {

void zero_to_null(const contestants& who, row_list& rows) {
  const std::string prefix = "copy/zero_to_null/1MiB/";
  const auto make = [&](const char* name, std::initializer_list<const char*> ours, const char* peer) {
    std::vector<loop_row> others;
    for (const char* one : ours) others.push_back({prefix + one, one});
    row work = who.loops(prefix + name, MiB, "zero_to_null", {prefix + "plain_loop", "read and write 256 KiB"}, others);
    who.add_peers(work, {"zero_to_null", peer});
    rows.push_back(std::move(work));
  };
  make("buf_reader", {"buf_reader_of_limit", "fresh_buffer"}, "buf_reader");
  make("wrapped", {"limit_of_buf_reader", "counted_limit", "user_wrapper", "any_reader"}, "limit_of_buf_reader");
  make("into_buf_writer", {"into_buf_writer"}, "into_buf_writer");
}

void small_files(const contestants& who, row_list& rows) {
  for (const std::string size : {"16", "1024", "16384"}) {
    const std::string name = "copy/small_file/" + size;
    std::vector<loop_row> others;
    for (const std::string one : {"sluice_copy", "through_buf_reader", "through_any_reader"})
      others.push_back({name + "/" + one, one == "sluice_copy" ? "sluice" : one});
    row work = who.loops(name, std::stoull(size), "small_copies", {name + "/plain_loop", "read and write"}, others);
    who.add_peers(work, {"small_file", size, "FOLDER"});
    rows.push_back(std::move(work));
  }
}

void memory_to_writer(const contestants& who, row_list& rows) {
  const std::string name = "copy/memory_to_writer/16";
  row work = who.loops(name, 16, "small_copies", {name + "/plain_loop", "memcpy"}, {{name + "/sluice_copy", "sluice"}});
  who.add_peers(work, {"memory_to_room", "16"});
  rows.push_back(std::move(work));
}

}  // namespace

void add_small_copy_rows(const contestants& who, row_list& rows) {
  zero_to_null(who, rows);
  small_files(who, rows);
  memory_to_writer(who, rows);
}

}  // namespace sluice::bench
