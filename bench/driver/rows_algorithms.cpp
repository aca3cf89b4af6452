// SPDX-License-Identifier: BSL-1.0
//
// Reading all, skipping, lines. The channels of these are made by the contenders themselves, each with a thread that
// feeds them.
//
#include "rows.hpp"

namespace sluice::bench {
namespace {

void read_all(const contestants& who, row_list& rows) {
  struct {
    const char* name;
    std::uintmax_t bytes;
  } const sizes[]{{"300KB", 300'000}, {"1MB", 1'000'000}, {"10MB", 10'000'000}, {"100MB", 100'000'000}};
  for (const auto& size : sizes) {
    const std::string name = std::string("read_all/file/") + size.name;
    row work = who.loops(
        name, size.bytes, "read_all", {name + "/by_hand", "one block of the size"},
        {{name, "sluice"}, {name + "/to_string", "to_string"}, {name + "/through_buf_reader", "through_buf_reader"}});
    who.add_peers(work, {"read_all", "file", std::to_string(size.bytes), "FOLDER"});
    rows.push_back(std::move(work));
  }
  const std::string name = "read_all/pipe/10MB";
  row work = who.loops(name, 10'000'000, "read_all", {name + "/by_hand", "one large mapping"},
                       {{name, "sluice"}, {name + "/to_string", "to_string"}});
  who.add_peers(work, {"read_all", "pipe", "10000000"});
  rows.push_back(std::move(work));
}

void skip(const contestants& who, row_list& rows) {
  const std::string file = "skip/file/100KB";
  row sought = who.loops(file, 100'000, "skip", {file + "/by_hand", "lseek"}, {{file, "sluice"}});
  who.add_peers(sought, {"skip", "file", "100000", "FOLDER"});
  rows.push_back(std::move(sought));

  for (const auto& [channel, by_hand] : {std::pair("pipe", "splice to nowhere"), std::pair("tcp", "recv MSG_TRUNC")}) {
    const std::string name = std::string("skip/") + channel + "/1GiB";
    row work = who.loops(
        name, 1024 * MiB, "skip", {name + "/by_hand", by_hand},
        {{name + "/read_by_hand", "read 256 KiB"}, {name, "sluice"}, {name + "/through_wrappers", "through_wrappers"}});
    who.add_peers(work, {"skip", channel, std::to_string(1024 * MiB)});
    rows.push_back(std::move(work));
  }
}

void lines(const contestants& who, row_list& rows) {
  for (const std::string average : {"12", "80", "500"}) {
    const std::string name = "lines/" + average;
    row work = who.loops(name, 64 * MiB, "lines", {name + "/by_hand", "bit masks"}, {});
    work.contenders.push_back(who.loop("lines", {name + "/memchr", "memchr"}, true));
    for (const char* one : {"lines", "lines_of_small_buffer"})
      work.contenders.push_back(who.loop("lines", {name + "/" + one, one}));
    work.contenders.push_back(who.loop("lines", {name + "/getline", "std::getline", side::peer}));
    who.add_peers(work, {"lines", average, "FOLDER"});
    rows.push_back(std::move(work));
  }
}

}  // namespace

void add_algorithm_rows(const contestants& who, row_list& rows) {
  read_all(who, rows);
  skip(who, rows);
  lines(who, rows);
}

}  // namespace sluice::bench
