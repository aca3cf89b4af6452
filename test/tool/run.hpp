// SPDX-License-Identifier: BSL-1.0
//
// Runs the tool as a process.
//
//   outcome run(arguments, setup = {});      // to its end
//   class child;                             // step by step
//   class descriptor;
//
#ifndef SLUICE_TEST_TOOL_RUN_HPP
#define SLUICE_TEST_TOOL_RUN_HPP

#include "support/temporary_folder.hpp"

#include <sys/stat.h>
#include <sys/types.h>

#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::test {

/// Owns a descriptor.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd) : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() { reset(); }

  void reset();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// Opens a file; fails the test where that fails.
descriptor open_file(const std::string& path, int flags);

struct pipe_pair {
  descriptor reader;
  descriptor writer;
};
pipe_pair make_pipe();

/// The same with a pair of connected Unix sockets.
pipe_pair make_socket_pair();

using arguments = std::vector<std::string>;

/// What the process finds. What is not given: /dev/null as input, and pipes for output and errors.
struct setup {
  std::optional<std::string> input = {};  ///< comes through a pipe, or a Unix socket
  bool input_by_socket = false;
  bool keep_input_open = false;  ///< after that, until the tool has ended
  int input_fd = -1;
  int output_fd = -1;
  bool output_by_socket = false;  ///< instead of a pipe
  int error_fd = -1;
  std::vector<std::string> environment = {};  ///< "NAME=value", added to ours
  std::function<void()> before_exec = {};     ///< in the child
};

struct outcome {
  int status = -1;  ///< exit status; -1 if a signal has ended the process
  int signal = 0;   ///< that signal
  std::string out;
  std::string err;
};

/// A running tool. A test that waits longer than half a minute for something kills it, and fails.
class child {
 public:
  explicit child(const arguments& words, setup how = {});
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  ~child();

  pid_t pid() const { return pid_; }
  void send(int signal) const;

  /// Reads until there are so many bytes; returns all that have come so far and are not yet read by wait.
  std::string read_output(std::size_t bytes);
  /// Reads errors until the condition holds for what has come; returns that.
  std::string read_errors_until(const std::function<bool(const std::string&)>& enough);

  /// Reads what is left, and waits for the end.
  outcome wait();

 private:
  void give_input();
  bool pump();

  pid_t pid_ = -1;
  descriptor input_;
  std::string input_left_;
  bool keep_input_open_ = false;
  descriptor output_;
  descriptor errors_;
  std::string out_;
  std::string err_;
};

outcome run(const arguments& words, setup how = {});

/// Makes a file; returns its path.
std::string file_in(const temporary_folder& folder, std::string_view name, std::string_view content);
std::vector<std::string> names_in(const temporary_folder& folder);

std::string read_file(const std::string& path);
struct stat status_of(const std::string& path);

/// Bytes in which every place differs from its neighbourhood.
std::string pattern(std::size_t size);

std::size_t count_lines(std::string_view text);
bool is_valid_json(std::string_view text);

/// Passes when the tool ended with the status and said nothing on standard error.
void expect_quiet(const outcome& result, int status, std::source_location where = std::source_location::current());

/// Passes when the tool ended with the status and said exactly this line.
void expect_failure(const outcome& result, int status, std::string_view line,
                    std::source_location where = std::source_location::current());

}  // namespace sluice::test

#endif
