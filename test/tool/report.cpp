// SPDX-License-Identifier: BSL-1.0
//
// sluice copy --report
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>

#include <numeric>
#include <regex>
#include <string>
#include <vector>

namespace sluice::test {
namespace {

/// The number after a key, once for each time the key is there.
std::vector<unsigned long long> numbers(const std::string& json, const std::string& key) {
  std::vector<unsigned long long> found;
  const std::regex pattern("\"" + key + "\":([0-9]+)");
  for (std::sregex_iterator m(json.begin(), json.end(), pattern), end; m != end; ++m)
    found.push_back(std::stoull((*m)[1]));
  return found;
}

void expect_one_json_line(const std::string& text) {
  EXPECT_EQ(count_lines(text), 1U) << text;
  EXPECT_TRUE(text.ends_with('\n')) << text;
  EXPECT_TRUE(is_valid_json(text)) << text;
  EXPECT_TRUE(text.starts_with("{\"version\":1,\"bytes\":")) << text;
}

TEST(report, as_json_has_stable_keys) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  const outcome result = run({"copy", "--report=json", "--kernel=never", from, folder / "to"});
  EXPECT_EQ(result.status, 0);
  expect_one_json_line(result.err);
  const std::regex expected(R"re(\{"version":1,"bytes":4,"seconds":[0-9]+\.[0-9]{6},"reason":"[^"]*",)re"
                            R"re("paths":\[\{"path":"scratch","bytes":4,"calls":1,"gave_way":null\}\],)re"
                            R"re("source":\{"kind":"regular_file","name":"[^"]*"\},)re"
                            R"re("destination":\{"kind":"regular_file","name":"[^"]*"\},"error":null\}\n)re");
  EXPECT_TRUE(std::regex_match(result.err, expected)) << result.err;
}

TEST(report, accounts_for_every_byte) {
  const temporary_folder folder;
  const std::string bytes = pattern(5000000);
  const std::string from = file_in(folder, "from", bytes);
  for (const char* kernel : {"automatic", "never", "aliasing"}) {
    for (const std::string& to : {folder / "to", std::string("-"), std::string("/dev/null")}) {
      const outcome result = run({"copy", "--report=json", "--kernel", kernel, from, to});
      EXPECT_EQ(result.status, 0);
      expect_one_json_line(result.err);
      const std::vector<unsigned long long> counts = numbers(result.err, "bytes");
      ASSERT_GE(counts.size(), 2U) << result.err;
      EXPECT_EQ(counts[0], bytes.size());
      EXPECT_EQ(std::reduce(counts.begin() + 1, counts.end()), bytes.size()) << result.err;
      // uutils 13064: the switch that forbids kernel paths was passed by.
      if (std::string(kernel) == "never") {
        EXPECT_EQ(result.err.find("_range\""), std::string::npos) << result.err;
        EXPECT_EQ(result.err.find("\"clone\""), std::string::npos) << result.err;
        EXPECT_EQ(result.err.find("\"sendfile\""), std::string::npos) << result.err;
        EXPECT_EQ(result.err.find("\"splice\""), std::string::npos) << result.err;
      }
    }
  }
}

TEST(report, as_json_tells_kinds) {
  const outcome result = run({"copy", "--report=json", "-", "-"}, {.input = "abc"});
  EXPECT_EQ(result.out, "abc");
  EXPECT_NE(result.err.find(R"("source":{"kind":"pipe","name":"standard input"})"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(R"("destination":{"kind":"pipe","name":"standard output"})"), std::string::npos)
      << result.err;
}

TEST(report, as_json_escapes_names) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "a\"b\\c\nd\x01 \xC3\xA4 \xFF\xC3", "text");
  const outcome result = run({"copy", "--report=json", from, folder / "to"});
  EXPECT_EQ(result.status, 0);
  expect_one_json_line(result.err);
  EXPECT_NE(result.err.find("a\\\"b\\\\c\\u000ad\\u0001 \xC3\xA4 \xEF\xBF\xBD\xEF\xBF\xBD\""), std::string::npos)
      << result.err;
}

TEST(report, of_a_failed_copy_comes_before_the_line_about_it) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  const outcome result = run({"copy", "--report=json", from, "/dev/full"});
  EXPECT_EQ(result.status, 1);
  const std::size_t end = result.err.find('\n') + 1;
  expect_one_json_line(result.err.substr(0, end));
  EXPECT_NE(
      result.err.find(R"("error":{"side":"destination","doing":"writing","reason":"ENOSPC: No space left on device"})"),
      std::string::npos)
      << result.err;
  EXPECT_EQ(result.err.substr(end), "sluice: /dev/full: No space left on device (writing; 0 bytes copied)\n");
}

TEST(report, as_text) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  for (const char* option : {"--report", "--report=text"}) {
    const outcome result = run({"copy", option, "--kernel=never", from, folder / "to"});
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.err.find("source:       " + from + ", regular file\n"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("copied:       4 bytes in "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("scratch         4 bytes in 1 call\n"), std::string::npos) << result.err;
    EXPECT_EQ(folder.read("to"), "text");
  }
}

TEST(report, does_not_take_the_next_word_for_its_format) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  EXPECT_EQ(run({"copy", "--report", from, folder / "to"}).status, 0);
  EXPECT_EQ(run({"copy", "--progress", from, folder / "to"}).status, 0);
}

}  // namespace
}  // namespace sluice::test
