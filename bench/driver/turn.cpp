// SPDX-License-Identifier: BSL-1.0
#include "turn.hpp"

#include "ends.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace sluice::bench {
namespace {

double nanoseconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_usec) * 1e3;
}

std::string everything(int fd) {
  std::string text;
  char piece[4096];
  for (ssize_t n; (n = ::read(fd, piece, sizeof piece)) > 0;) text.append(piece, static_cast<std::size_t>(n));
  return text;
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

pid_t start(const row& work, const std::vector<std::string>& command, const std::vector<std::string>& environment,
            int in, int out, int report) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv("SLUICE_BENCH_FILES", work.folder.c_str(), 1);
  for (const std::string& one : environment) ::putenv(const_cast<char*>(one.c_str()));
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

}  // namespace

[[noreturn]] void give_up(const row& work, const contender& who, const std::string& why) {
  std::fprintf(stderr, "%s: %s: %s\n", work.name.c_str(), who.name.c_str(), why.c_str());
  std::exit(1);
}

measured take_turn(const row& work, const contender& who, const turn_options& options) {
  std::vector<std::string> command = options.before;
  command.insert(command.end(), who.command.begin(), who.command.end());
  for (std::string& word : command) {
    if (word == "FROM") word = ends::from_path(work);
    if (word == "TO") word = ends::to_path(work);
    if (const auto at = word.find("FOLDER"); at != std::string::npos) word.replace(at, 6, work.folder);
  }
  ends both(work, options.check);
  int report[2];
  int output[2] = {-1, -1};
  if (::pipe2(report, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0) give_up(work, who, "no pipe");

  const auto before = std::chrono::steady_clock::now();
  const pid_t child =
      start(work, command, options.environment, both.from(), both.to() >= 0 ? both.to() : output[1], report[1]);
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
  if (!both.intact()) give_up(work, who, "other bytes arrived than were sent");

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

}  // namespace sluice::bench
