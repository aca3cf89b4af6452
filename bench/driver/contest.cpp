// SPDX-License-Identifier: BSL-1.0
#include "contest.hpp"

#include "counting.hpp"
#include "turn.hpp"

#include <algorithm>
#include <filesystem>

namespace sluice::bench {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct series {
  std::vector<double> wall;
  std::vector<double> cpu;
};

// What a row reads that takes long to make.
void prepare(const row& work) {
  if (work.needs.empty() || std::filesystem::exists(work.folder + '/' + work.needs)) return;
  take_turn({.name = work.name, .folder = work.folder, .how = timing::process, .contenders = {}},
            {"preparation", work.makes_it}, {.environment = {"SLUICE_BENCH_TURNS=1"}});
}

}  // namespace

outcome run(const row& work, unsigned rounds) {
  prepare(work);
  std::vector<series> all(work.contenders.size());
  // Each start of a loop has luck or none with where its pages lie: many short turns tell more than a few long ones.
  constexpr std::uintmax_t short_turn = std::uintmax_t{1} << 20;
  if (work.how == timing::loop && work.bytes <= short_turn) rounds *= 3;
  for (unsigned round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i != all.size(); ++i) {
      // Each round another one begins.
      const std::size_t turn = (i + round) % all.size();
      const measured m = take_turn(work, work.contenders[turn], {.check = round == 0});
      if (round == 0) continue;
      all[turn].wall.push_back(m.wall);
      all[turn].cpu.push_back(m.cpu);
    }
  }
  outcome result{.row = work.name, .standings = {}};
  for (std::size_t i = 0; i != all.size(); ++i) {
    const contender& who = work.contenders[i];
    result.standings.push_back({.name = who.name,
                                .whose = who.whose,
                                .limit = who.limit,
                                .lowest = *std::min_element(all[i].wall.begin(), all[i].wall.end()),
                                .median = median(all[i].wall),
                                .cpu = work.how == timing::loop ? 0 : median(all[i].cpu),
                                .used = count(work, who)});
  }
  return result;
}

const standing& limit_of(const outcome& all) {
  const standing* best = nullptr;
  for (const standing& one : all.standings)
    if (one.limit && (!best || one.median < best->median)) best = &one;
  return best ? *best : all.standings.front();
}

}  // namespace sluice::bench
