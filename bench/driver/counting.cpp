// SPDX-License-Identifier: BSL-1.0
#include "counting.hpp"

#include "turn.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sluice::bench {
namespace {

std::string memory_counter;

struct two_numbers {
  double first = 0;
  double second = 0;
};

/// A file for the answer of the one who counts.
class answer_file {
 public:
  answer_file() { std::filesystem::remove(path_); }
  ~answer_file() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_ = std::filesystem::temp_directory_path() / ("sluice-bench-counts-" + std::to_string(::getpid()));
};

// The sum is the last line of strace's table: share, seconds, microseconds a call, calls, errors where there are any.
std::optional<two_numbers> calls_of(const row& work, const contender& who, std::vector<std::string> environment) {
  const answer_file answer;
  take_turn(work, who,
            {.before = {"strace", "-f", "-qq", "-c", "-o", answer.path()}, .environment = std::move(environment)});
  std::ifstream table(answer.path());
  for (std::string line; std::getline(table, line);) {
    if (!line.ends_with(" total")) continue;
    std::istringstream fields(line);
    double share = 0;
    double seconds = 0;
    double each = 0;
    double calls = 0;
    if (fields >> share >> seconds >> each >> calls) return two_numbers{calls, 0};
  }
  return std::nullopt;
}

std::optional<two_numbers> memory_of(const row& work, const contender& who, std::vector<std::string> environment) {
  const answer_file answer;
  environment.push_back("SLUICE_BENCH_MEMORY=" + answer.path());
  environment.push_back("LD_PRELOAD=" + memory_counter);
  take_turn(work, who, {.environment = std::move(environment)});
  std::ifstream told(answer.path());
  two_numbers all;
  if (told >> all.first >> all.second) return all;
  return std::nullopt;
}

// What one turn, or the move of all bytes, has more than nothing.
template <class Take>
std::optional<two_numbers> each_time(const row& work, Take take) {
  constexpr int few = 2;
  constexpr int more = 6;
  std::optional<two_numbers> base = two_numbers{};
  std::optional<two_numbers> all;
  double turns = 1;
  switch (work.how) {
    case timing::loop:
      base = take(work, "SLUICE_BENCH_TURNS=" + std::to_string(few));
      all = take(work, "SLUICE_BENCH_TURNS=" + std::to_string(more));
      turns = more - few;
      break;
    case timing::self: {
      row nothing = work;
      nothing.bytes = 0;
      base = take(nothing, "");
      all = take(work, "");
      break;
    }
    case timing::process: all = take(work, "");
  }
  if (!base || !all) return std::nullopt;
  return two_numbers{(all->first - base->first) / turns, (all->second - base->second) / turns};
}

bool has_strace() {
  static const bool found = std::system("strace -V >/dev/null 2>&1") == 0;
  return found;
}

}  // namespace

void count_memory_by(const std::string& library) { memory_counter = library; }

counts count(const row& work, const contender& who) {
  // Loops of small requests make thousands in a turn.
  constexpr std::uintmax_t small_request = 64;
  counts all;
  if (work.how == timing::loop && work.bytes <= small_request) return all;
  const auto environment = [](const std::string& one) {
    return one.empty() ? std::vector<std::string>{} : std::vector{one};
  };
  if (has_strace()) {
    const auto calls =
        each_time(work, [&](const row& w, const std::string& turns) { return calls_of(w, who, environment(turns)); });
    if (calls) all.calls = calls->first;
  }
  if (!memory_counter.empty()) {
    const auto memory =
        each_time(work, [&](const row& w, const std::string& turns) { return memory_of(w, who, environment(turns)); });
    if (memory) {
      all.allocations = memory->first;
      all.allocated = memory->second;
    }
  }
  return all;
}

}  // namespace sluice::bench
