// SPDX-License-Identifier: BSL-1.0
//
// Regular file to regular file, under every policy for holes: where the holes lie, what the destination held before.
//
#include <sluice/sluice.hpp>

#include "cells.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace sluice {
namespace {

using namespace test;

enum class shape {
  dense,
  trailing_hole,
  leading_hole,
  hole_between,
  all_hole,
  from_within_a_hole,
  from_within_data,
  short_hole
};
enum class place { new_file, at_offset, at_offset_in_a_short_file, append, other_file_system, memory_file };

constexpr std::array shape_names{"dense",    "trailing_hole",      "leading_hole",     "hole_between",
                                 "all_hole", "from_within_a_hole", "from_within_data", "short_hole"};
constexpr std::array place_names{"new_file", "at_offset",         "at_offset_in_a_short_file",
                                 "append",   "other_file_system", "memory_file"};

constexpr std::size_t block = 64 << 10;

std::string pattern_of(shape s) {
  const std::string data = some_text(block);
  const std::string hole(5 * block, '\0');
  switch (s) {
    case shape::dense: return data + data + data;
    case shape::trailing_hole: return data + hole;
    case shape::leading_hole: return hole + data;
    case shape::hole_between:
    case shape::from_within_a_hole:
    case shape::from_within_data: return data + hole + data.substr(0, 1234);
    case shape::all_hole: return hole;
    case shape::short_hole: return std::string(3000, '\0');
  }
  return {};
}

off_t start_of(shape s) {
  return s == shape::from_within_a_hole ? static_cast<off_t>(block) + 12'345 : s == shape::from_within_data ? 4321 : 0;
}

// A file with that content, in which each block of zeros is a hole.
handle sparse_file(const std::string& path, const std::string& content) {
  handle fd = new_file(path, O_RDWR);
  if (::ftruncate(fd.get(), static_cast<off_t>(content.size())) != 0) throw std::runtime_error("ftruncate");
  for (std::size_t at = 0; at < content.size(); at += block) {
    const std::string piece = content.substr(at, block);
    if (piece.find_first_not_of('\0') == std::string::npos) continue;
    if (::pwrite(fd.get(), piece.data(), piece.size(), static_cast<off_t>(at)) < 0) throw std::runtime_error("pwrite");
  }
  return fd;
}

std::uintmax_t allocated(int fd) {
  struct stat status;
  ::fstat(fd, &status);
  return static_cast<std::uintmax_t>(status.st_blocks) * 512;
}

struct how {
  kernel_policy kernel;
  sparse_policy sparse;
  bool buffered_reader;
  bool buffered_writer;

  bool plain() const { return !buffered_reader && !buffered_writer; }
};

class holes : public testing::TestWithParam<std::tuple<shape, place>> {
 protected:
  handle open_place(std::string& before, std::string& behind) {
    const std::string path = folders.disk / "to";
    const std::string old = some_text(12 * block, 7);
    handle to;
    switch (std::get<1>(GetParam())) {
      case place::new_file: return new_file(path, O_RDWR);
      case place::other_file_system: return new_file(folders.memory / "to", O_RDWR);
      case place::memory_file: return memory_file();
      case place::append: return file_with(path, before = old.substr(0, 100), O_RDWR | O_APPEND);
      case place::at_offset:
      case place::at_offset_in_a_short_file: {
        const bool is_short = std::get<1>(GetParam()) == place::at_offset_in_a_short_file;
        before = old.substr(0, 1000);
        behind = old.substr(1000, (is_short ? 2 : 11) * block);
        to = file_with(path, before + behind, O_RDWR);
        ::lseek(to.get(), 1000, SEEK_SET);
        break;
      }
    }
    return to;
  }

  void walk(const how& h) {
    const auto [form, where] = GetParam();
    const std::string whole = pattern_of(form);
    const handle from = sparse_file(folders.disk / "from", whole);
    const std::string wanted = whole.substr(static_cast<std::size_t>(start_of(form)));
    ::lseek(from.get(), start_of(form), SEEK_SET);
    std::string before;
    std::string behind;
    const handle to = open_place(before, behind);
    const off_t start = where == place::append ? 0 : offset_of(to.get());

    copy_report report;
    const copy_options options{.kernel = h.kernel, .sparse = h.sparse, .report = &report};
    fd_ref plain_from(from.get());
    fd_ref plain_to(to.get());
    buf_reader in(plain_from, 8192);
    buf_writer out(plain_to, 8192);
    const auto copied = h.buffered_reader && h.buffered_writer ? copy(in, out, options)
                        : h.buffered_reader                    ? copy(in, plain_to, options)
                        : h.buffered_writer                    ? copy(plain_from, out, options)
                                                               : copy(plain_from, plain_to, options);
    ASSERT_TRUE(out.flush());
    EXPECT_EQ(show(copied), std::to_string(wanted.size()));
    EXPECT_EQ(sum_of(report), wanted.size());
    EXPECT_EQ(offset_of(from.get()), static_cast<off_t>(whole.size()));
    if (where != place::append) {
      EXPECT_EQ(offset_of(to.get()), start + static_cast<off_t>(wanted.size()));
    }

    ::lseek(to.get(), 0, SEEK_SET);
    const std::string expected =
        before + wanted + (behind.size() > wanted.size() ? behind.substr(wanted.size()) : std::string());
    EXPECT_TRUE(everything(to.get()) == expected);
    look_at_holes(h, wanted, report, allocated(from.get()), allocated(to.get()));
  }

  void look_at_holes(const how& h, const std::string& wanted, const copy_report& report, std::uintmax_t in_source,
                     std::uintmax_t in_target) const {
    const auto [form, where] = GetParam();
    const std::uintmax_t holes_made = report[copy_path::hole].bytes + report[copy_path::clone].bytes;
    const bool wants_none = h.sparse == sparse_policy::never || where == place::append ||
                            (h.kernel == kernel_policy::never && h.sparse != sparse_policy::always);
    if (wants_none) {
      EXPECT_EQ(report[copy_path::hole].bytes, 0U);
      return;
    }
    const auto zeros = static_cast<std::uintmax_t>(std::ranges::count(wanted, '\0'));
    if (in_source + 4 * block > pattern_of(form).size() || zeros < 4 * block || !h.plain()) return;
    EXPECT_GE(holes_made, 4 * block);
    if (where == place::new_file) {
      EXPECT_LE(in_target, in_source + block);
    }
  }

  cell_folders folders;
};

TEST_P(holes, every_way) {
  if (std::get<1>(GetParam()) == place::other_file_system && !folders.memory)
    GTEST_SKIP() << "no second file system at /dev/shm";
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never, kernel_policy::aliasing}) {
    for (const sparse_policy sparse : {sparse_policy::automatic, sparse_policy::never, sparse_policy::always}) {
      for (const int buffers : {0, 1, 2, 3}) {
        SCOPED_TRACE("kernel " + std::to_string(static_cast<int>(kernel)) + ", sparse " +
                     std::to_string(static_cast<int>(sparse)) + ", buffers " + std::to_string(buffers));
        ASSERT_NO_FATAL_FAILURE(walk({kernel, sparse, (buffers & 1) != 0, (buffers & 2) != 0}));
      }
    }
  }
}

template <class Enum, std::size_t N>
std::vector<Enum> all_of() {
  std::vector<Enum> all;
  for (std::size_t i = 0; i != N; ++i) all.push_back(static_cast<Enum>(i));
  return all;
}

INSTANTIATE_TEST_SUITE_P(all, holes,
                         testing::Combine(testing::ValuesIn(all_of<shape, shape_names.size()>()),
                                          testing::ValuesIn(all_of<place, place_names.size()>())),
                         [](const auto& p) {
                           return std::string(shape_names.at(static_cast<std::size_t>(std::get<0>(p.param)))) + "_to_" +
                                  place_names.at(static_cast<std::size_t>(std::get<1>(p.param)));
                         });

}  // namespace
}  // namespace sluice
