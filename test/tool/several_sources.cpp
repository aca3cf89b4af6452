// SPDX-License-Identifier: BSL-1.0
//
// sluice copy A B C DST
#include "run.hpp"
#include "support/sanitized.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace sluice::test {
namespace {

class several_sources : public ::testing::Test {
 protected:
  /// The options, a, b and c, and the destination.
  arguments words(const arguments& options, const std::string& destination) const {
    arguments all{"copy"};
    all.insert(all.end(), options.begin(), options.end());
    all.insert(all.end(), {a, b, c, destination});
    return all;
  }

  temporary_folder folder;
  const std::string whole = pattern(700003);
  const std::string a = file_in(folder, "a", whole.substr(0, 300000));
  const std::string b = file_in(folder, "b", whole.substr(300000, 1));
  const std::string c = file_in(folder, "c", whole.substr(300001));
  const std::string to = folder / "to";
};

TEST_F(several_sources, arrive_in_their_order) {
  for (const arguments& options : {arguments{}, {"--kernel=never"}, {"--kernel=aliasing"}, {"--sparse=always"}}) {
    expect_quiet(run(words(options, to)), 0);
    EXPECT_TRUE(folder.read("to") == whole);
    const outcome piped = run(words(options, "-"));
    expect_quiet(piped, 0);
    EXPECT_TRUE(piped.out == whole);
  }
}

TEST_F(several_sources, are_appended) {
  file_in(folder, "to", "head ");
  expect_quiet(run(words({"--append"}, to)), 0);
  EXPECT_TRUE(folder.read("to") == "head " + whole);
}

TEST_F(several_sources, may_be_of_every_kind) {
  const outcome result = run({"copy", a, "-", "/dev/null", b, "/proc/version", to}, {.input = "from a pipe"});
  expect_quiet(result, 0);
  EXPECT_TRUE(folder.read("to") == folder.read("a") + "from a pipe" + folder.read("b") + read_file("/proc/version"));
}

TEST_F(several_sources, are_one_text_for_skip_and_bytes) {
  for (const std::size_t skip : {0U, 1U, 300000U, 300001U, 700002U, 700004U}) {
    for (const std::size_t bytes : {0U, 2U, 299999U, 800000U}) {
      const arguments options{"--skip", std::to_string(skip), "--bytes", std::to_string(bytes)};
      const std::string expected = skip < whole.size() ? whole.substr(skip, bytes) : "";
      expect_quiet(run(words(options, to)), 0);
      EXPECT_TRUE(folder.read("to") == expected) << skip << ' ' << bytes;
    }
  }
  // A pipe is passed over by reading.
  const outcome result = run({"copy", "--skip=12", "--bytes=3", "-", a, to}, {.input = "ten bytes."});
  expect_quiet(result, 0);
  EXPECT_EQ(folder.read("to"), whole.substr(2, 3));
}

// It would wait for somebody to open the other side.
TEST_F(several_sources, are_left_alone_once_there_are_bytes_enough) {
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  expect_quiet(run({"copy", "--bytes=300000", a, fifo, to}), 0);
  EXPECT_TRUE(folder.read("to") == folder.read("a"));
}

TEST_F(several_sources, keep_their_holes) {
  std::string expected;
  arguments line{"copy"};
  for (const char* name : {"x", "y"}) {
    const std::string path = folder / name;
    const descriptor file = open_file(path, O_RDWR | O_CREAT);
    ASSERT_EQ(::pwrite(file.get(), whole.data(), 4096, 1 << 20), 4096);
    ASSERT_EQ(::ftruncate(file.get(), 2 << 20), 0);
    expected += folder.read(name);
    line.push_back(path);
  }
  line.push_back(to);
  expect_quiet(run(line), 0);
  EXPECT_TRUE(folder.read("to") == expected);
}

TEST_F(several_sources, are_looked_at_before_the_destination_is_emptied) {
  file_in(folder, "to", "old");
  expect_failure(run({"copy", a, folder / "missing", b, to}), 1,
                 folder / "missing" + ": No such file or directory (opening; 0 bytes copied)");
  expect_failure(run({"copy", a, b, folder.path(), to}), 1,
                 folder.path() + ": Is a directory (opening; 0 bytes copied)");
  EXPECT_EQ(folder.read("to"), "old");
  EXPECT_EQ(run({"copy", a, "tpc:host:80", to}).status, 1);
  EXPECT_EQ(folder.read("to"), "old");
}

TEST_F(several_sources, none_of_which_may_be_the_destination) {
  file_in(folder, "to", "old");
  const std::string link = folder / "link";
  ASSERT_EQ(::symlink("to", link.c_str()), 0);
  const char* reason = ": source and destination are the same file (opening; 0 bytes copied)";
  for (const std::string& same : {to, link}) {
    expect_failure(run({"copy", same, a, to}), 1, same + reason);
    expect_failure(run({"copy", a, same, to}), 1, same + reason);
    expect_failure(run({"copy", "--append", a, b, same, to}), 1, same + reason);
  }
  const descriptor in = open_file(to, O_RDONLY);
  expect_failure(run({"copy", a, "-", to}, {.input_fd = in.get()}), 1, std::string("standard input") + reason);
  EXPECT_EQ(folder.read("to"), "old");
}

TEST_F(several_sources, the_failing_one_is_named) {
  const outcome result = run({"copy", "--report=json", a, "/proc/self/mem", b, to});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.err.ends_with("sluice: /proc/self/mem: Input/output error (reading; 300000 bytes copied)\n"))
      << result.err;
  EXPECT_TRUE(is_valid_json(result.err.substr(0, result.err.find('\n'))));
  EXPECT_NE(result.err.find(R"("source":{"kind":"regular_file","name":"/proc/self/mem"},"sources":[)"),
            std::string::npos)
      << result.err;
  EXPECT_TRUE(folder.read("to") == folder.read("a"));
}

TEST_F(several_sources, are_listed_in_the_report) {
  const outcome json = run(words({"--report=json"}, to));
  EXPECT_EQ(json.status, 0);
  EXPECT_TRUE(is_valid_json(json.err)) << json.err;
  EXPECT_TRUE(json.err.starts_with(R"({"version":1,"bytes":700003,)")) << json.err;
  EXPECT_NE(json.err.find(R"("sources":[{"kind":"regular_file","name":")" + a +
                          R"(","bytes":300000},)"
                          R"({"kind":"regular_file","name":")" +
                          b +
                          R"(","bytes":1},)"
                          R"({"kind":"regular_file","name":")" +
                          c + R"(","bytes":400002}])"),
            std::string::npos)
      << json.err;
  const outcome text = run(words({"--report"}, to));
  EXPECT_EQ(text.status, 0);
  EXPECT_TRUE(text.err.starts_with("source:       " + a + ", regular file, 300000 bytes\n" +  //
                                   "              " + b + ", regular file, 1 byte\n" + "              " + c +
                                   ", regular file, 400002 bytes\n" + "destination:  " + to + ", regular file\n" +
                                   "copied:       700003 bytes in "))
      << text.err;
}

TEST_F(several_sources, are_one_copy_for_the_progress) {
  const outcome result = run(words({"--progress"}, to));
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(result.err.starts_with("sluice: 700003 bytes copied in ")) << result.err;
}

TEST_F(several_sources, need_no_more_descriptors_than_one) {
  if (sanitized) GTEST_SKIP() << "the sanitizers need descriptors of their own";
  const auto leave_few = [] {
    const rlimit limit{.rlim_cur = 5, .rlim_max = 5};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  };
  arguments line{"copy"};
  line.insert(line.end(), 30, b);
  line.push_back(to);
  expect_quiet(run(line, {.before_exec = leave_few}), 0);
  EXPECT_EQ(folder.read("to"), std::string(30, folder.read("b")[0]));
}

TEST_F(several_sources, with_standard_input_once_and_explained_one_by_one) {
  const outcome twice = run({"copy", "-", a, "-", to});
  EXPECT_EQ(twice.status, 2);
  EXPECT_NE(twice.err.find("SRC: standard input, '-', can be copied only once"), std::string::npos) << twice.err;
  const outcome explained = run({"explain", a, b, to});
  EXPECT_EQ(explained.status, 2);
  EXPECT_NE(explained.err.find("SRC: one is explained at a time"), std::string::npos) << explained.err;
}

}  // namespace
}  // namespace sluice::test
