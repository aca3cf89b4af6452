// SPDX-License-Identifier: BSL-1.0
//
// sluice copy --digest
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

namespace sluice::test {
namespace {

struct known {
  const char* name;
  const char* text;
  const char* digest;
};

class digest_option : public ::testing::TestWithParam<known> {
 protected:
  void SetUp() override {
    if (run({"copy", "--digest", GetParam().name, "/dev/null", "/dev/null"}).err.find("lacks") != std::string::npos)
      GTEST_SKIP() << "this build of the tool lacks " << GetParam().name;
  }

  std::string digest_of(arguments words, const setup& how = {}) {
    words.insert(words.begin(), {"copy", std::string("--digest=") + GetParam().name});
    const outcome result = run(words, how);
    EXPECT_EQ(result.status, 0) << result.err;
    const std::string start = std::string("sluice: ") + GetParam().name + " ";
    EXPECT_TRUE(result.err.starts_with(start) && result.err.ends_with('\n')) << result.err;
    out = result.out;
    return result.err.substr(start.size(), result.err.size() - start.size() - 1);
  }

  temporary_folder folder;
  const std::string to = folder / "to";
  std::string out;
};

TEST_P(digest_option, is_that_of_the_specification) {
  EXPECT_EQ(digest_of({file_in(folder, "from", GetParam().text), to}), GetParam().digest);
  EXPECT_EQ(folder.read("to"), GetParam().text);
}

TEST_P(digest_option, is_the_same_on_every_way) {
  const std::string bytes = pattern(1000003);
  const std::string from = file_in(folder, "from", bytes);
  const std::string head = file_in(folder, "head", bytes.substr(0, 400000));
  const std::string tail = file_in(folder, "tail", bytes.substr(400000));
  const std::string more = file_in(folder, "more", "before" + bytes + "behind");
  const std::string expected = digest_of({from, to});
  EXPECT_TRUE(folder.read("to") == bytes);
  EXPECT_EQ(digest_of({"-", "-"}, {.input = bytes}), expected);
  EXPECT_TRUE(out == bytes);
  EXPECT_EQ(digest_of({"-", "-"}, {.input = bytes, .input_by_socket = true, .output_by_socket = true}), expected);
  EXPECT_EQ(digest_of({from, "/dev/null"}), expected);
  EXPECT_EQ(digest_of({"--buffer=999", from, "-"}), expected);
  EXPECT_EQ(digest_of({head, tail, to}), expected);
  EXPECT_EQ(digest_of({"--skip=6", "--bytes=1000003", more, to}), expected);
  EXPECT_TRUE(folder.read("to") == bytes);
  EXPECT_EQ(digest_of({"--append", from, to}), expected);
}

// They are read as zeros, whatever becomes of them.
TEST_P(digest_option, sees_the_holes) {
  const std::string from = folder / "from";
  const descriptor file = open_file(from, O_RDWR | O_CREAT);
  ASSERT_EQ(::pwrite(file.get(), "middle", 6, 1 << 20), 6);
  ASSERT_EQ(::ftruncate(file.get(), 2 << 20), 0);
  const std::string dense = folder.read("from");
  EXPECT_EQ(digest_of({from, to}), digest_of({"-", "/dev/null"}, {.input = dense}));
  EXPECT_TRUE(folder.read("to") == dense);
}

INSTANTIATE_TEST_SUITE_P(
    all, digest_option,
    ::testing::Values(known{"crc32", "123456789", "cbf43926"}, known{"crc32c", "123456789", "e3069283"},
                      known{"xxh3", "", "2d06800538d394c2"},
                      known{"sha256", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}),
    [](const auto& p) { return std::string(p.param.name); });

class with_digest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (run({"copy", "--digest=crc32", "/dev/null", "/dev/null"}).status != 0)
      GTEST_SKIP() << "this build of the tool lacks crc32";
  }

  temporary_folder folder;
  const std::string from = file_in(folder, "from", "123456789");
  const std::string to = folder / "to";
};

TEST_F(with_digest, the_report_shows_it_and_why_no_kernel_path_was_taken) {
  const outcome json = run({"copy", "--digest=crc32", "--report=json", from, to});
  EXPECT_EQ(json.status, 0);
  EXPECT_TRUE(is_valid_json(json.err)) << json.err;
  EXPECT_NE(json.err.find(R"("digest":{"name":"crc32","value":"cbf43926"})"), std::string::npos) << json.err;
  EXPECT_NE(json.err.find(R"("reason":"the digest has to see every byte","paths":[{"path":"scratch","bytes":9,)"),
            std::string::npos)
      << json.err;
  const outcome text = run({"copy", "--digest=crc32", "--report", from, to});
  EXPECT_NE(text.err.find("\ndigest:       crc32 cbf43926\n"), std::string::npos) << text.err;
  EXPECT_EQ(count_lines(text.err), 6U) << text.err;
  const outcome explained = run({"explain", "--digest=crc32", from, to});
  EXPECT_NE(explained.out.find("path:         scratch\nbecause:      the digest has to see every byte\n"),
            std::string::npos)
      << explained.out;
}

TEST_F(with_digest, a_failed_copy_has_none) {
  for (const arguments& report : {arguments{}, {"--report"}, {"--report=json"}}) {
    arguments words{"copy", "--digest=crc32", from, "/dev/full"};
    words.insert(words.end(), report.begin(), report.end());
    const outcome result = run(words);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err.find("crc32"), std::string::npos) << result.err;
  }
}

TEST_F(with_digest, refuses_names_and_options_that_cannot_be) {
  for (const auto& [options, wrong] : {
           std::pair{arguments{"--digest=md5"}, "'md5' is none of crc32, crc32c, xxh3, sha256"},
           {arguments{"--digest="}, "--digest"},
           {arguments{"--digest=crc32", "--kernel=aliasing"}, "--digest: it has to see every byte"},
           {arguments{"--digest=crc32", "--sparse=always"}, "--digest: it has to see every byte"},
       }) {
    arguments words{"copy", from, to};
    words.insert(words.end(), options.begin(), options.end());
    const outcome result = run(words);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(count_lines(result.err), 1U) << result.err;
    EXPECT_NE(result.err.find(wrong), std::string::npos) << result.err;
  }
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"from"});
}

TEST_F(with_digest, a_copy_that_waits_for_its_source_can_be_stopped) {
  child tool({"copy", "--digest=crc32", "-", "-"}, {.input = "abc", .keep_input_open = true});
  EXPECT_EQ(tool.read_output(3), "abc");
  tool.send(SIGINT);
  const outcome result = tool.wait();
  EXPECT_EQ(result.signal, SIGINT);
  EXPECT_EQ(result.err, "sluice: stopped by SIGINT (3 bytes copied)\n");
}

TEST_F(with_digest, a_copy_waits_for_non_blocking_streams) {
  const std::string bytes = pattern(300000);
  pipe_pair in = make_pipe();
  pipe_pair out = make_pipe();
  ASSERT_EQ(::fcntl(in.reader.get(), F_SETFL, O_NONBLOCK), 0);
  ASSERT_EQ(::fcntl(out.writer.get(), F_SETFL, O_NONBLOCK), 0);
  child tool({"copy", "--digest=crc32", "-", "-"}, {.input_fd = in.reader.get(), .output_fd = out.writer.get()});
  out.writer.reset();
  std::thread feeder([&] {
    ::usleep(20000);
    EXPECT_EQ(::write(in.writer.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    in.writer.reset();
  });
  std::string got;
  char some[4096];
  for (ssize_t n = 0; (n = ::read(out.reader.get(), some, sizeof some)) > 0;) got.append(some, static_cast<size_t>(n));
  feeder.join();
  EXPECT_EQ(tool.wait().status, 0);
  EXPECT_TRUE(got == bytes);
}

}  // namespace
}  // namespace sluice::test
