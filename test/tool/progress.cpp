// SPDX-License-Identifier: BSL-1.0
//
// sluice copy --progress
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <regex>
#include <string>

namespace sluice::test {
namespace {

const std::string final_line = "sluice: ([0-9]+) bytes? copied in [^\n]* s, [^\n]*/s\n";

bool is_final_line(const std::string& text, std::size_t bytes) {
  std::smatch match;
  return std::regex_match(text, match, std::regex(final_line)) && match[1] == std::to_string(bytes);
}

/// A terminal for the tool; we are its user.
struct terminal {
  descriptor user;
  descriptor tool;
};

terminal make_terminal(unsigned short columns) {
  terminal made{.user = descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)), .tool = {}};
  EXPECT_TRUE(made.user);
  EXPECT_EQ(::grantpt(made.user.get()), 0);
  EXPECT_EQ(::unlockpt(made.user.get()), 0);
  made.tool = open_file(::ptsname(made.user.get()), O_RDWR | O_NOCTTY);
  const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  EXPECT_EQ(::ioctl(made.user.get(), TIOCSWINSZ, &size), 0);
  return made;
}

/// What the tool has written to its terminal until now.
std::string shown(terminal& t) {
  t.tool.reset();
  std::string text;
  char buffer[4096];
  ssize_t n = 0;
  while ((n = ::read(t.user.get(), buffer, sizeof buffer)) > 0) text.append(buffer, static_cast<std::size_t>(n));
  return text;
}

// zstd 2816, coreos-installer PR 146: redrawing in a log
TEST(progress, elsewhere_than_on_a_terminal_is_lines) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(100000));
  const outcome result = run({"copy", "--progress", from, folder / "to"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(is_final_line(result.err, 100000)) << result.err;
}

// pv 25: nan and more than 100 % for sources without a size
TEST(progress, of_sources_without_a_size_shows_no_percentage) {
  const temporary_folder folder;
  const std::string empty = file_in(folder, "empty", "");
  const std::string version = read_file("/proc/version");
  const outcome of_nothing = run({"copy", "--progress", empty, folder / "to"});
  EXPECT_EQ(of_nothing.status, 0);
  EXPECT_TRUE(is_final_line(of_nothing.err, 0)) << of_nothing.err;
  const outcome of_proc = run({"copy", "--progress", "/proc/version", folder / "to"});
  EXPECT_EQ(of_proc.status, 0);
  EXPECT_TRUE(is_final_line(of_proc.err, version.size())) << of_proc.err;
  child of_pipe({"copy", "--progress=0.02", "-", folder / "to"}, {.input = "abc", .keep_input_open = true});
  const std::string lines = of_pipe.read_errors_until([](const std::string& text) { return count_lines(text) >= 3; });
  EXPECT_TRUE(std::regex_match(lines, std::regex("(sluice: [0-9]+ bytes?, [0-9.]+ B/s\n)+"))) << lines;
}

// pv 34: nothing was shown while the output was blocked.
TEST(progress, keeps_coming_while_the_output_is_blocked) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(1 << 20));
  for (const char* kernel : {"--kernel=automatic", "--kernel=never", "--kernel=aliasing"}) {
    child tool({"copy", "--progress=0.02", kernel, from, "-"});
    const std::string lines = tool.read_errors_until([](const std::string& text) { return count_lines(text) >= 5; });
    EXPECT_TRUE(std::regex_match(lines, std::regex("(sluice: [0-9]+ bytes?, [0-9]+ %, [0-9.]+ [KMG]?i?B/s\n)+")))
        << lines;
    const outcome result = tool.wait();
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out.size(), 1U << 20);
    EXPECT_EQ(result.err.find('\r'), std::string::npos);
    const std::string last = result.err.substr(result.err.rfind('\n', result.err.size() - 2) + 1);
    EXPECT_TRUE(is_final_line(last, 1 << 20)) << result.err;
  }
}

TEST(progress, of_a_file_that_grows_stays_at_100_percent) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(1 << 18));
  child tool({"copy", "--progress=0.02", from, "-"});
  tool.read_errors_until([](const std::string& text) { return count_lines(text) >= 1; });
  {
    const descriptor more = open_file(from, O_WRONLY | O_APPEND);
    const std::string bytes = pattern(3 << 20);
    ASSERT_EQ(::write(more.get(), bytes.data(), bytes.size()), 3 << 20);
  }
  tool.read_output(3 << 20);
  const outcome result = tool.wait();
  EXPECT_EQ(result.status, 0);
  const std::regex percentage(", ([0-9]+) %");
  for (std::sregex_iterator m(result.err.begin(), result.err.end(), percentage), end; m != end; ++m)
    EXPECT_LE(std::stoi((*m)[1]), 100) << result.err;
}

TEST(progress, of_a_failed_copy_ends_with_the_error_only) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  expect_failure(run({"copy", "--progress", from, "/dev/full"}), 1,
                 "/dev/full: No space left on device (writing; 0 bytes copied)");
}

TEST(progress, on_a_terminal_is_a_bar_that_is_wiped_out_by_the_final_line) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(1 << 20));
  terminal t = make_terminal(60);
  child tool({"copy", "--progress=0.02", from, "-"}, {.error_fd = t.tool.get()});
  // Nobody reads yet, so the bar stands at the size of a pipe or thereabouts.
  ::usleep(200000);
  const outcome result = tool.wait();
  EXPECT_EQ(result.status, 0);
  std::string text = shown(t);
  EXPECT_TRUE(std::regex_search(text, std::regex("\r\\[#*\\.*\\] [0-9]+ %  [0-9.]+ [KM]?i?B  "))) << text;
  ASSERT_TRUE(text.ends_with("\r\n")) << text;
  text.resize(text.size() - 2);
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  EXPECT_TRUE(is_final_line(text.substr(text.rfind('\r') + 1) + "\n", 1 << 20)) << text;
  // No drawing is wider than the terminal.
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('\r', at), text.size());
    EXPECT_LT(next - at, 60U) << text;
    at = next + 1;
  }
}

TEST(progress, on_a_terminal_that_is_too_narrow_for_a_bar) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(1 << 20));
  terminal t = make_terminal(10);
  child tool({"copy", "--progress=0.01", from, "-"}, {.error_fd = t.tool.get()});
  ::usleep(50000);
  EXPECT_EQ(tool.wait().status, 0);
  EXPECT_NE(shown(t).find("copied in"), std::string::npos);
}

// pv 55: asking for the foreground process group fails there, which is no reason to be silent.
TEST(progress, on_a_terminal_that_is_not_ours) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  terminal t = make_terminal(0);
  const outcome result =
      run({"copy", "--progress", from, folder / "to"}, {.error_fd = t.tool.get(), .before_exec = [] { ::setsid(); }});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(shown(t).find("sluice: 4 bytes copied in"), std::string::npos);
}

}  // namespace
}  // namespace sluice::test
