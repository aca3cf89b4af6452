// SPDX-License-Identifier: BSL-1.0
#include "rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace sluice::bench {
namespace {

struct ability {
  std::string_view peer;
  std::string_view rows;  ///< the beginnings of what it may be asked for, with a comma before each
};

// What is not here is not what the peer's users write, or is in the program of the row itself.
constexpr ability abilities[] = {
    {"Rust",
     ",move,zero_to_null,small_file,memory_to_room,memory_to_fresh,small_writes,small_reads,read_all,skip,lines"},
    {"Go", ",move,zero_to_null,small_file,memory_to_fresh,small_writes,small_reads,read_all,skip,lines,gunzip"},
    {"iostream", ",move file file,small_file,read_all"},
    {"stdio", ",move file file,move pipe,small_file,read_all,lines"},
    {"Boost", ",move,small_file,read_all,lines,gunzip"},
    {"kj", ",move,zero_to_null buf_reader,read_all,small_writes,small_reads"},
    {"POCO", ",move file file,small_file,read_all file,gunzip"},
};

bool can(std::string_view peer, const command& arguments) {
  const auto* const known =
      std::find_if(std::begin(abilities), std::end(abilities), [&](const ability& one) { return one.peer == peer; });
  if (known == std::end(abilities)) return false;
  std::string asked = ",";
  for (const std::string& word : arguments) {
    asked += word;
    if (known->rows.find(asked + ',') != std::string_view::npos || known->rows.ends_with(asked)) return true;
    asked += ' ';
  }
  return false;
}

}  // namespace

contender contestants::sluice(const char* wrapper) const {
  if (!wrapper) return {"sluice", {move, "sluice"}};
  return {std::string("sluice, ") + wrapper, {move, "sluice", wrapper}};
}

contender contestants::loop(const std::string& program, const loop_row& which, bool limit) const {
  return {which.shown,
          {here.programs + "/bench_" + program, "--benchmark_filter=^" + which.name + "(/iterations:.*)?$",
           "--benchmark_format=csv", "--benchmark_min_time=0.1"},
          limit ? side::by_hand : which.whose,
          limit};
}

bool contestants::has_loop(const std::string& program, const std::string& name) const {
  const std::string ask =
      here.programs + "/bench_" + program + " --benchmark_list_tests 2>/dev/null | grep -qx " + name;
  return std::system(ask.c_str()) == 0;
}

row contestants::loops(std::string name, std::uintmax_t bytes, const std::string& program, const loop_row& by_hand,
                       const std::vector<loop_row>& others) const {
  row work{.name = std::move(name),
           .bytes = bytes,
           .folder = here.folders.empty() ? "" : here.folders.front().second,
           .how = timing::loop,
           .contenders = {loop(program, by_hand, true)}};
  for (const loop_row& one : others) work.contenders.push_back(loop(program, one));
  return work;
}

void contestants::add_peers(row& work, const command& arguments) const {
  for (const auto& [name, program] : here.peers) {
    if (!can(name, arguments)) continue;
    command all{program};
    all.insert(all.end(), arguments.begin(), arguments.end());
    work.contenders.push_back(peer(name, std::move(all)));
  }
}

bool has_command(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

std::vector<row> all_rows(const setting& here) {
  const contestants who(here);
  row_list rows;
  add_small_copy_rows(who, rows);
  add_transfer_rows(who, rows);
  add_memory_rows(who, rows);
  add_algorithm_rows(who, rows);
  add_codec_rows(who, rows);
  return rows;
}

}  // namespace sluice::bench
