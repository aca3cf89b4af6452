// SPDX-License-Identifier: BSL-1.0
//
// sluice copy --gzip, --gunzip and their kin, against the formats' own commands.
#include "run.hpp"

#include <gtest/gtest.h>

#include <signal.h>

#include <string>
#include <vector>

namespace sluice::test {
namespace {

struct format {
  const char* pack;
  const char* unpack;
  const char* command;  // reads standard input, or writes standard output
};

const format formats[] = {{"--gzip", "--gunzip", "gzip"}, {"--zstd", "--unzstd", "zstd"}, {"--lz4", "--unlz4", "lz4"}};

std::string text(std::size_t n) {
  std::string all;
  for (std::size_t i = 0; all.size() < n; ++i) all += "line " + std::to_string(i * i) + "\n";
  all.resize(n);
  return all;
}

void shell(const std::string& command) { ASSERT_EQ(std::system(command.c_str()), 0) << command; }

TEST(compression, is_what_the_formats_own_commands_read_and_write) {
  const temporary_folder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1'000'000}}) {
    const std::string content = text(size);
    const std::string from = file_in(folder, "from", content);
    for (const format& f : formats) {
      SCOPED_TRACE(f.command);
      expect_quiet(run({"copy", f.pack, from, folder / "packed"}), 0);
      shell(std::string(f.command) + " -dc < " + folder / "packed" + " > " + folder / "theirs");
      EXPECT_TRUE(folder.read("theirs") == content);
      shell(std::string(f.command) + " -c < " + from + " > " + folder / "packed");
      for (const char* const unpack : {f.unpack, "--decompress"}) {
        expect_quiet(run({"copy", unpack, folder / "packed", folder / "ours"}), 0);
        EXPECT_TRUE(folder.read("ours") == content);
      }
    }
  }
}

TEST(compression, of_one_format_becomes_another) {
  const temporary_folder folder;
  const std::string content = text(300'000);
  std::string last = file_in(folder, "from", content);
  const char* unpack = "--decompress";
  for (const format& f : formats) {
    const std::string next = folder / f.command;
    expect_quiet(run({"copy", unpack, f.pack, last, next}), 0);
    last = next;
    unpack = f.unpack;
  }
  expect_quiet(run({"copy", unpack, last, folder / "to"}), 0);
  EXPECT_TRUE(folder.read("to") == content);
}

TEST(compression, leaves_skip_bytes_and_digest_to_the_content) {
  const temporary_folder folder;
  const std::string content = text(300'000);
  const std::string from = file_in(folder, "from", content);
  expect_quiet(run({"copy", "--zstd", from, folder / "packed"}), 0);
  const outcome part = run({"copy", "--unzstd", "--skip=70001", "--bytes=99", folder / "packed", "-"});
  EXPECT_EQ(part.out, content.substr(70001, 99));
  EXPECT_EQ(run({"copy", "--decompress", "--digest=crc32", folder / "packed", folder / "to"}).err,
            run({"copy", "--digest=crc32", from, folder / "to"}).err);
  EXPECT_EQ(run({"copy", "--gzip", "--digest=crc32", from, folder / "to"}).err,
            run({"copy", "--digest=crc32", from, folder / "to"}).err);
}

TEST(compression, is_of_all_sources_in_one_and_of_each_source_by_itself) {
  const temporary_folder folder;
  const std::string a = file_in(folder, "a", text(100'000));
  const std::string b = file_in(folder, "b", text(7));
  expect_quiet(run({"copy", "--gzip", a, b, folder / "both"}), 0);
  expect_quiet(run({"copy", "--gunzip", folder / "both", folder / "both", folder / "to"}), 0);
  const std::string both = folder.read("a") + folder.read("b");
  EXPECT_TRUE(folder.read("to") == both + both);
}

TEST(compression, tells_what_is_wrong_with_a_source) {
  const temporary_folder folder;
  const std::string content = text(300'000);
  const std::string from = file_in(folder, "from", content);
  for (const format& f : formats) {
    expect_quiet(run({"copy", f.pack, from, folder / "packed"}), 0);
    const std::string packed = folder.read("packed");
    const std::string torn = file_in(folder, "torn", packed.substr(0, packed.size() - 1));
    const outcome cut = run({"copy", f.unpack, torn, folder / "to"});
    EXPECT_EQ(cut.status, 1);
    EXPECT_TRUE(cut.err.starts_with("sluice: " + torn + ": the data ends inside a value (reading; ")) << cut.err;
    const outcome plain = run({"copy", f.unpack, from, folder / "to"});
    EXPECT_EQ(plain.status, 1);
    EXPECT_EQ(plain.err, "sluice: " + from + ": invalid data (reading; 0 bytes copied)\n");
  }
}

TEST(compression, fails_where_the_end_cannot_be_written) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "short");
  for (const format& f : formats) {
    const outcome full = run({"copy", f.pack, from, "/dev/full"});
    EXPECT_EQ(full.status, 1);
    EXPECT_EQ(full.err, "sluice: /dev/full: No space left on device (writing; 5 bytes copied)\n");
  }
}

TEST(compression, takes_a_level_and_one_format_each_way) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", text(300'000));
  expect_quiet(run({"copy", "--gzip", "--level=1", from, folder / "fast"}), 0);
  expect_quiet(run({"copy", "--gzip", "--level", "9", from, folder / "small"}), 0);
  EXPECT_LT(folder.read("small").size(), folder.read("fast").size());
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--gzip", "--zstd"},
                                                {"--gunzip", "--unlz4"},
                                                {"--gunzip", "--decompress"},
                                                {"--level=9"},
                                                {"--gzip", "--level=high"},
                                                {"--gzip", "--kernel=aliasing"},
                                                {"--unzstd", "--sparse=always"}}) {
    arguments words{"copy"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    words.insert(words.end(), {from, folder / "to"});
    EXPECT_EQ(run(words).status, 2) << wrong.front();
  }
}

TEST(compression, can_be_stopped_while_the_source_is_silent) {
  child tool({"copy", "--gunzip", "-", "-"}, {.input = "\x1f"});
  tool.send(SIGINT);
  const outcome result = tool.wait();
  EXPECT_TRUE(result.signal == SIGINT || result.status == 1) << result.err;
}

TEST(compression, is_explained) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "bytes");
  const outcome told = run({"explain", "--gzip", from, folder / "to"});
  EXPECT_NE(told.out.find("compressing and decompressing change the bytes"), std::string::npos) << told.out;
}

}  // namespace
}  // namespace sluice::test
