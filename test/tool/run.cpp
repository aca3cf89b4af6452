// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace sluice::test {

namespace {

constexpr std::chrono::seconds patience{30};

[[noreturn]] void run_in_child(const arguments& words, const setup& how, int in, int out, int err) {
  // The test may have been started with other dispositions than a shell gives.
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_DFL);
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(err, 2);
  // What we have been given ourselves, by ctest for one, is not for the tool.
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  for (const std::string& variable : how.environment) ::putenv(const_cast<char*>(variable.c_str()));
  if (how.before_exec) how.before_exec();
  std::vector<char*> argv;
  static char name[] = "sluice";
  argv.push_back(name);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(SLUICE_TOOL_PATH, argv.data());
  ::_exit(126);
}

/// The system calls that the threads of a process are in, for a message about a tool that hangs.
std::string calls_of(pid_t pid) {
  std::string text;
  std::error_code ignored;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", ignored))
    for (const char* name : {"comm", "wchan", "syscall"}) {
      std::string line;
      std::getline(std::ifstream(task.path() / name), line);
      text += line + (*name == 's' ? "\n" : " ");
    }
  return text;
}

/// Takes what a pipe has; false at its end.
bool take(descriptor& from, std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(from.get(), buffer.data(), buffer.size());
  if (n > 0) into.append(buffer.data(), static_cast<std::size_t>(n));
  // A terminal whose other side is closed says EIO.
  if (n <= 0) from.reset();
  return n > 0;
}

}  // namespace

void descriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

descriptor open_file(const std::string& path, int flags) {
  descriptor opened(::open(path.c_str(), flags | O_CLOEXEC, 0666));
  EXPECT_TRUE(opened) << path << ": " << std::strerror(errno);
  return opened;
}

pipe_pair make_pipe() {
  std::array<int, 2> fds{-1, -1};
  EXPECT_EQ(::pipe2(fds.data(), O_CLOEXEC), 0);
  return {descriptor(fds[0]), descriptor(fds[1])};
}

pipe_pair make_socket_pair() {
  std::array<int, 2> fds{-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()), 0);
  return {descriptor(fds[0]), descriptor(fds[1])};
}

child::child(const arguments& words, setup how) {
  // A write to a tool that has ended must not end the test.
  ::signal(SIGPIPE, SIG_IGN);
  descriptor in_end;
  descriptor out_end;
  descriptor err_end;
  if (how.input) {
    pipe_pair p = how.input_by_socket ? make_socket_pair() : make_pipe();
    in_end = std::move(p.reader);
    input_ = std::move(p.writer);
    input_left_ = *how.input;
    keep_input_open_ = how.keep_input_open;
    ::fcntl(input_.get(), F_SETFL, O_NONBLOCK);
  } else if (how.input_fd < 0) {
    in_end = open_file("/dev/null", O_RDONLY);
  }
  if (how.output_fd < 0) {
    pipe_pair p = how.output_by_socket ? make_socket_pair() : make_pipe();
    output_ = std::move(p.reader);
    out_end = std::move(p.writer);
  }
  if (how.error_fd < 0) {
    pipe_pair p = make_pipe();
    errors_ = std::move(p.reader);
    err_end = std::move(p.writer);
  }
  pid_ = ::fork();
  if (pid_ == 0)
    run_in_child(words, how, how.input_fd < 0 ? in_end.get() : how.input_fd,
                 how.output_fd < 0 ? out_end.get() : how.output_fd, how.error_fd < 0 ? err_end.get() : how.error_fd);
  give_input();
}

child::~child() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void child::send(int signal) const { EXPECT_EQ(::kill(pid_, signal), 0); }

void child::give_input() {
  if (input_left_.empty()) return;
  const ssize_t n = ::write(input_.get(), input_left_.data(), input_left_.size());
  if (n > 0)
    input_left_.erase(0, static_cast<std::size_t>(n));
  else if (errno != EAGAIN)
    input_left_.clear();
}

/// Moves bytes between the tool and us, once; false after half a minute without any.
bool child::pump() {
  std::array<pollfd, 3> fds{};
  fds[0] = {.fd = input_left_.empty() ? -1 : input_.get(), .events = POLLOUT, .revents = 0};
  fds[1] = {.fd = output_.get(), .events = POLLIN, .revents = 0};
  fds[2] = {.fd = errors_.get(), .events = POLLIN, .revents = 0};
  const int wait_ms = static_cast<int>(std::chrono::milliseconds(patience).count());
  if (::poll(fds.data(), fds.size(), wait_ms) <= 0) return false;
  if (fds[0].revents != 0) give_input();
  if (fds[1].revents != 0) take(output_, out_);
  if (fds[2].revents != 0) take(errors_, err_);
  return true;
}

std::string child::read_output(std::size_t bytes) {
  while (out_.size() < bytes && output_) {
    if (!pump()) {
      ADD_FAILURE() << "no output; errors: " << err_;
      break;
    }
  }
  return out_;
}

std::string child::read_errors_until(const std::function<bool(const std::string&)>& enough) {
  while (!enough(err_) && errors_) {
    // Only errors are taken here, so that a test can leave the output blocked.
    pollfd wanted{.fd = errors_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, static_cast<int>(std::chrono::milliseconds(patience).count())) <= 0) {
      ADD_FAILURE() << "no errors; errors so far: " << err_;
      break;
    }
    take(errors_, err_);
  }
  return err_;
}

outcome child::wait() {
  while (output_ || errors_ || !input_left_.empty()) {
    if (input_left_.empty() && !keep_input_open_) input_.reset();
    if (!pump()) {
      ADD_FAILURE() << "the tool hangs; errors: " << err_ << "\n" << calls_of(pid_);
      ::kill(pid_, SIGKILL);
      break;
    }
  }
  input_.reset();
  int status = 0;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << "the tool does not end";
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, &status, 0);
      break;
    }
    ::usleep(500);
  }
  pid_ = -1;
  outcome result;
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = std::move(out_);
  result.err = std::move(err_);
  return result;
}

outcome run(const arguments& words, setup how) { return child(words, std::move(how)).wait(); }

std::string file_in(const temporary_folder& folder, std::string_view name, std::string_view content) {
  folder.write(name, content);
  return folder / name;
}

std::vector<std::string> names_in(const temporary_folder& folder) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    found.push_back(entry.path().filename().string());
  std::ranges::sort(found);
  return found;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

struct stat status_of(const std::string& path) {
  struct stat facts{};
  EXPECT_EQ(::stat(path.c_str(), &facts), 0) << path;
  return facts;
}

std::string pattern(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 12345;
  for (char& c : bytes) {
    state = state * 1664525 + 1013904223;
    c = static_cast<char>(state >> 24U);
  }
  return bytes;
}

std::size_t count_lines(std::string_view text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

void expect_quiet(const outcome& result, int status, std::source_location where) {
  const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "");
  EXPECT_EQ(result.status, status);
  EXPECT_EQ(result.err, "");
}

void expect_failure(const outcome& result, int status, std::string_view line, std::source_location where) {
  const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "");
  EXPECT_EQ(result.status, status);
  EXPECT_EQ(result.err, "sluice: " + std::string(line) + "\n");
}

namespace {

/// RFC 8259, as a recogniser.
class json_reader {
 public:
  explicit json_reader(std::string_view text) : left_(text) {}

  bool document() { return value() && (blanks(), left_.empty()); }

 private:
  void blanks() { left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r\n"), left_.size())); }

  bool take(std::string_view word) {
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }

  bool value() {
    blanks();
    if (left_.empty()) return false;
    switch (left_.front()) {
      case '{': return members('}', true);
      case '[': return members(']', false);
      case '"': return string();
      case 't': return take("true");
      case 'f': return take("false");
      case 'n': return take("null");
      default: return number();
    }
  }

  bool members(char close, bool keys) {
    left_.remove_prefix(1);
    blanks();
    if (take({&close, 1})) return true;
    do {
      blanks();
      if (keys && !(string() && (blanks(), take(":")))) return false;
      if (!value()) return false;
      blanks();
    } while (take(","));
    return take({&close, 1});
  }

  bool string() {
    if (!take("\"")) return false;
    while (!left_.empty()) {
      const char c = left_.front();
      left_.remove_prefix(1);
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') continue;
      if (left_.empty()) return false;
      const char escaped = left_.front();
      left_.remove_prefix(1);
      if (escaped == 'u') {
        if (left_.size() < 4 ||
            left_.substr(0, 4).find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
          return false;
        left_.remove_prefix(4);
      } else if (std::string_view("\"\\/bfnrt").find(escaped) == std::string_view::npos) {
        return false;
      }
    }
    return false;
  }

  bool digits() {
    const std::size_t n = std::min(left_.find_first_not_of("0123456789"), left_.size());
    left_.remove_prefix(n);
    return n != 0;
  }

  bool number() {
    take("-");
    if (!digits()) return false;
    if (take(".") && !digits()) return false;
    if (take("e") || take("E")) {
      if (!take("+")) take("-");
      return digits();
    }
    return true;
  }

  std::string_view left_;
};

}  // namespace

bool is_valid_json(std::string_view text) { return json_reader(text).document(); }

}  // namespace sluice::test
