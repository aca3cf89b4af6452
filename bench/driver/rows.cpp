// SPDX-License-Identifier: BSL-1.0
#include "rows.hpp"

namespace sluice::bench {

contender contestants::sluice(const char* wrapper) const {
  if (!wrapper) return {"sluice", {move, "sluice"}};
  return {std::string("sluice, ") + wrapper, {move, "sluice", wrapper}};
}

contender contestants::loop(const std::string& program, const loop_row& which, bool limit) const {
  return {which.shown,
          {here.programs + "/bench_" + program, "--benchmark_filter=^" + which.name + "$", "--benchmark_format=csv",
           "--benchmark_min_time=0.1"},
          limit};
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
  add_rust(work, arguments);
  add_go(work, arguments);
}

void contestants::add_peer(row& work, const char* name, const std::string& program, const command& arguments) {
  if (program.empty()) return;
  command all{program};
  all.insert(all.end(), arguments.begin(), arguments.end());
  work.contenders.push_back({name, std::move(all)});
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
