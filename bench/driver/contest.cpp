// SPDX-License-Identifier: BSL-1.0
#include "contest.hpp"

#include "ends.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace sluice::bench {
namespace {

struct measured {
  double wall = 0;  // nanoseconds
  double cpu = 0;
};

double nanoseconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_usec) * 1e3;
}

std::string everything(int fd) {
  std::string text;
  char piece[4096];
  for (ssize_t n; (n = ::read(fd, piece, sizeof piece)) > 0;) text.append(piece, static_cast<std::size_t>(n));
  return text;
}

[[noreturn]] void give_up(const row& work, const contender& who, const std::string& why) {
  std::fprintf(stderr, "%s: %s: %s\n", work.name.c_str(), who.name.c_str(), why.c_str());
  std::exit(1);
}

// Google Benchmark's CSV: name, iterations, real time, cpu time.
std::optional<measured> from_csv(const std::string& text) {
  const auto line = text.find("\n\"");
  if (line == std::string::npos) return std::nullopt;
  measured m;
  long long iterations = 0;
  const auto fields = text.find("\",", line);
  if (std::sscanf(text.c_str() + fields, "\",%lld,%lf,%lf", &iterations, &m.wall, &m.cpu) != 3) return std::nullopt;
  return m;
}

pid_t start(const row& work, const std::vector<std::string>& command, int in, int out, int report) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  // Out of the way of the numbers that are to be taken.
  report = ::fcntl(report, F_DUPFD, 10);
  out = out < 0 ? -1 : ::fcntl(out, F_DUPFD, 10);
  in = in < 0 ? -1 : ::fcntl(in, F_DUPFD, 10);
  if (in >= 0) ::dup2(in, 0);
  if (out >= 0) ::dup2(out, 1);
  if (work.how == timing::loop) ::dup2(::open("/dev/null", O_WRONLY), 2);  // Google Benchmark is talkative there
  ::dup2(report, 3);
  ::close_range(4, ~0U, 0);
  ::execvp(arguments[0], arguments.data());
  std::perror(arguments[0]);
  ::_exit(127);
}

measured once(const row& work, const contender& who) {
  std::vector<std::string> command = who.command;
  for (std::string& word : command) {
    if (word == "FROM") word = ends::from_path(work);
    if (word == "TO") word = ends::to_path(work);
    if (word == "FOLDER") word = work.folder;
  }
  ends both(work);
  int report[2];
  int output[2] = {-1, -1};
  if (::pipe2(report, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0) give_up(work, who, "no pipe");

  const auto before = std::chrono::steady_clock::now();
  const pid_t child = start(work, command, both.from(), both.to() >= 0 ? both.to() : output[1], report[1]);
  both.leave_to_child();
  ::close(report[1]);
  ::close(output[1]);
  const std::string printed = everything(output[0]);
  const std::string told = everything(report[0]);
  ::close(output[0]);
  ::close(report[0]);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  const auto wall = std::chrono::steady_clock::now() - before;
  if (status != 0) give_up(work, who, "ended with status " + std::to_string(status));
  const auto arrived = both.arrived();
  if (arrived && *arrived != work.bytes) give_up(work, who, std::to_string(*arrived) + " bytes arrived");

  if (work.how == timing::process)
    return {static_cast<double>(std::chrono::nanoseconds(wall).count()),
            nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)};
  if (const auto m = from_csv(printed)) return *m;
  measured m;
  unsigned long long bytes = 0;
  if (std::sscanf(told.c_str(), "%lf %lf %llu", &m.wall, &m.cpu, &bytes) != 3) give_up(work, who, "no report");
  if (bytes != work.bytes) give_up(work, who, "moved " + std::to_string(bytes) + " bytes");
  return m;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct series {
  std::vector<double> wall;
  std::vector<double> cpu;

  double lowest() const { return *std::min_element(wall.begin(), wall.end()); }
};

std::string shown(double ns) {
  char text[32];
  std::snprintf(text, sizeof text,
                ns < 1e3   ? "%.2f ns"
                : ns < 1e6 ? "%.2f us"
                           : "%.1f ms",
                ns < 1e3   ? ns
                : ns < 1e6 ? ns / 1e3
                           : ns / 1e6);
  return text;
}

}  // namespace

void run(const row& work, unsigned rounds) {
  std::vector<series> all(work.contenders.size());
  // Each start of a loop has luck or none with where its pages lie: many short turns tell more than a few long ones.
  constexpr std::uintmax_t short_turn = std::uintmax_t{1} << 20;
  if (work.how == timing::loop && work.bytes <= short_turn) rounds *= 3;
  for (unsigned round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i != all.size(); ++i) {
      // Each round another one begins.
      const std::size_t turn = (i + round) % all.size();
      const measured m = once(work, work.contenders[turn]);
      if (round == 0) continue;
      all[turn].wall.push_back(m.wall);
      all[turn].cpu.push_back(m.cpu);
    }
  }

  const series* limit = nullptr;
  for (std::size_t i = 0; i != all.size(); ++i)
    if (work.contenders[i].limit && (!limit || median(all[i].wall) < median(limit->wall))) limit = &all[i];
  if (!limit) limit = &all.front();
  for (std::size_t i = 0; i != all.size(); ++i) {
    std::printf("| %s | %s%s | %s | %s | %s | %.2f | %.2f |", work.name.c_str(), work.contenders[i].name.c_str(),
                &all[i] == limit ? " (limit)" : "", shown(all[i].lowest()).c_str(), shown(median(all[i].wall)).c_str(),
                work.how == timing::loop ? "" : shown(median(all[i].cpu)).c_str(), all[i].lowest() / limit->lowest(),
                median(all[i].wall) / median(limit->wall));
    if (work.how != timing::loop && median(limit->cpu) > 0)
      std::printf(" %.2f |\n", median(all[i].cpu) / median(limit->cpu));
    else
      std::printf(" |\n");
  }
  std::fflush(stdout);
}

}  // namespace sluice::bench
