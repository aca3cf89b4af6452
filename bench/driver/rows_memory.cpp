// SPDX-License-Identifier: BSL-1.0
//
// Memory to memory, and small requests on a buffer.
//
#include "rows.hpp"

namespace sluice::bench {
namespace {

void memory_to_memory(const contestants& who, row_list& rows) {
  struct {
    const char* name;
    std::uintmax_t bytes;
  } const sizes[]{{"64B", 64}, {"4KiB", 4096}, {"1MiB", MiB}, {"64MiB", 64 * MiB}};
  for (const auto& size : sizes) {
    const std::string room = std::string("memory_to_memory/") + size.name + "/room";
    row into_room = who.loops(room, size.bytes, "memory_to_memory", {room + "/by_hand", "memcpy"},
                              {{room + "/span_writer", "span_writer"}});
    who.add_peers(into_room, {"memory_to_room", std::to_string(size.bytes)});
    rows.push_back(std::move(into_room));

    const std::string fresh = std::string("memory_to_memory/") + size.name + "/fresh";
    row into_fresh = who.loops(fresh, size.bytes, "memory_to_memory", {fresh + "/by_hand", "malloc and memcpy"},
                               {{fresh + "/bytes_writer", "bytes_writer"},
                                {fresh + "/string_writer", "string_writer"},
                                {fresh + "/stringstream", "ostringstream", side::peer}});
    who.add_peers(into_fresh, {"memory_to_fresh", std::to_string(size.bytes)});
    rows.push_back(std::move(into_fresh));
  }
}

void small_requests(const contestants& who, row_list& rows, const std::string& topic,
                    std::initializer_list<const char*> ours, std::initializer_list<const char*> peers) {
  for (const std::string bytes : {"1", "8", "64"}) {
    for (const std::string size : {"known", "unknown"}) {
      const std::string name = topic + "/" + bytes + "/" + size;
      std::vector<loop_row> ways;
      for (const char* one : ours) ways.push_back({name + "/" + one, one});
      for (const char* one : peers) ways.push_back({name + "/" + one, one, side::peer});
      row work = who.loops(name, std::stoull(bytes), topic, {name + "/by_hand", "compare and memcpy"}, ways);
      who.add_peers(work, {topic, bytes, size});
      rows.push_back(std::move(work));
    }
  }
}

}  // namespace

void add_memory_rows(const contestants& who, row_list& rows) {
  memory_to_memory(who, rows);
  small_requests(who, rows, "small_writes", {"buf_writer", "write_all", "any_writer"}, {"fwrite", "ofstream"});
  small_requests(who, rows, "small_reads", {"buf_reader", "read_exactly", "any_reader", "buffered_reader_ref"},
                 {"fread", "ifstream"});
}

}  // namespace sluice::bench
