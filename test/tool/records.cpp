// SPDX-License-Identifier: BSL-1.0
//
// sluice records, on files that wangkuiyi/recordio has written.
#include "run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sluice::test {
namespace {

std::string sample(const std::string& name) { return SLUICE_TEST_DATA "/recordio/" + name + ".recordio"; }

std::string out_of(const arguments& words, int status = 0) {
  const outcome result = run(words);
  EXPECT_EQ(result.status, status) << result.err;
  return result.out;
}

TEST(records, are_listed_and_counted) {
  EXPECT_EQ(out_of({"records", sample("rio-few-none")}), "0\t5\n1\t6\n2\t9\n");
  EXPECT_EQ(out_of({"records", "--range=1:", sample("rio-few-snappy")}), "1\t6\n2\t9\n");
  EXPECT_EQ(out_of({"records", "--range", "1:2", sample("rio-few-gzip")}), "1\t6\n");
  EXPECT_EQ(out_of({"records", "--range=:0", sample("rio-few-none")}), "");
  EXPECT_EQ(out_of({"records", sample("rio-zero-bytes")}), "");
  for (const char* const name : {"rio-many-none", "rio-many-snappy", "rio-many-gzip"}) {
    EXPECT_EQ(out_of({"records", "--count", sample(name)}), "100\n");
    EXPECT_EQ(out_of({"records", "--count", "--range=95:200", sample(name)}), "5\n");
    const outcome piped = run({"records", "--count", "-"}, {.input = read_file(sample(name))});
    EXPECT_EQ(piped.out, "100\n");
  }
}

TEST(records, of_a_file_are_in_chunks_that_can_be_split) {
  EXPECT_EQ(out_of({"records", "--chunks", sample("rio-few-none")}),
            "chunk\toffset\tbytes\trecords\tfirst\tcompression\n0\t0\t52\t3\t0\tnone\n");
  const std::string parts = out_of({"records", "--split=2", sample("rio-many-none")});
  EXPECT_TRUE(parts.starts_with("part\toffset\tbytes\n0\t0\t")) << parts;
  EXPECT_EQ(std::count(parts.begin(), parts.end(), '\n'), 3);
}

TEST(records, become_those_of_other_formats_and_back) {
  const temporary_folder folder;
  const std::string from = sample("rio-many-none");
  const std::string original = read_file(from);
  std::string last = from;
  std::string last_format = "recordio";
  for (const char* const next : {"tfrecord", "dmlc", "mesos", "thrift"}) {
    expect_quiet(run({"records", "--from", last_format, "--to", next, last, folder / next}), 0);
    last = folder / next;
    last_format = next;
  }
  expect_quiet(run({"records", "--from", last_format, "--chunk-size=1000", last, folder / "back"}), 0);
  EXPECT_TRUE(folder.read("back") == original);
  for (const char* const how : {"snappy", "gzip"}) {
    expect_quiet(run({"records", "--compress", how, from, folder / how}), 0);
    EXPECT_EQ(out_of({"records", folder / how}), out_of({"records", from}));
  }
}

TEST(records, are_cut) {
  const temporary_folder folder;
  expect_quiet(run({"records", "--range=10:13", sample("rio-many-snappy"), folder / "three"}), 0);
  EXPECT_EQ(out_of({"records", folder / "three"}), "0\t69\n1\t106\n2\t143\n");
}

TEST(records, with_damage_are_told) {
  EXPECT_EQ(out_of({"records", "--verify", sample("rio-few-none")}), "3 records, 20 bytes in them\n");
  const outcome bad = run({"records", "--verify", sample("rio-corrupt-crc-none")});
  EXPECT_EQ(bad.status, 1);
  EXPECT_NE(bad.err.find("the checksum does not fit the data (reading; "), std::string::npos) << bad.err;
  const outcome skipped = run({"records", "--verify", "--on-damage=skip", sample("rio-corrupt-crc-none")});
  EXPECT_EQ(skipped.status, 1);
  EXPECT_NE(skipped.err.find("left out, with "), std::string::npos) << skipped.err;
  const outcome torn = run({"records", "--count", sample("rio-trunc-payload-none")});
  EXPECT_EQ(torn.status, 1);
  EXPECT_NE(torn.err.find("the data ends inside a value (indexing; 95 records)"), std::string::npos) << torn.err;
  const outcome found = run({"records", "--verify", "--on-damage=resync", sample("rio-bad-magic-chunk5")});
  EXPECT_EQ(found.status, 1);
  EXPECT_TRUE(found.out.starts_with("93 records, ")) << found.out;
}

TEST(records, of_a_wrong_command_line_are_refused) {
  for (const arguments& wrong : {arguments{"records"},
                                 {"records", "--count", "--verify", "x"},
                                 {"records", "--range=2:1", "x"},
                                 {"records", "--range=2", "x"},
                                 {"records", "--from=csv", "x"},
                                 {"records", "--compress=gzip", "x"},
                                 {"records", "--to=dmlc", "--compress=gzip", "x", "y"},
                                 {"records", "--chunks", "-"},
                                 {"records", "--from=dmlc", "--split=2", "x"},
                                 {"records", "--count", "x", "y"},
                                 {"records", "x", "y", "z"}})
    EXPECT_EQ(run(wrong).status, 2) << wrong.back();
  expect_failure(run({"records", "/nowhere"}), 1, "/nowhere: No such file or directory (opening; 0 records)");
}

}  // namespace
}  // namespace sluice::test
