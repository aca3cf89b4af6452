// SPDX-License-Identifier: BSL-1.0
//
// Every kind of source to every kind of destination, under every policy, with and without buffers: the bytes, the
// count, the side and the reason of a failure, and which path has moved them.
//
#include <sluice/sluice.hpp>

#include "cells.hpp"
#include "expected_path.hpp"
#include "support/signals.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

struct how {
  kernel_policy kernel = kernel_policy::automatic;
  bool buffered_reader = false;
  bool buffered_writer = false;

  std::string name() const {
    constexpr std::array kernels{"automatic", "never", "aliasing"};
    return std::string("kernel ") + kernels.at(static_cast<std::size_t>(kernel)) +
           (buffered_reader ? ", buffered reader" : "") + (buffered_writer ? ", buffered writer" : "");
  }
};

class truth_table : public testing::TestWithParam<std::tuple<source, target>> {
 protected:
  template <class R, class W>
  static auto move(R& from, W& to, std::uintmax_t most, const copy_options& options) {
    return most == unbounded ? copy(from, to, options) : copy_n(from, to, most, options);
  }

  static auto move(fd_ref& from, fd_ref& to, const how& h, std::uintmax_t most, const copy_options& options,
                   std::uintmax_t& pending, result<void>& flushed) {
    buf_reader in(from, 8192);
    buf_writer out(to, 8192);
    const auto copied = h.buffered_reader && h.buffered_writer ? move(in, out, most, options)
                        : h.buffered_reader                    ? move(in, to, most, options)
                        : h.buffered_writer                    ? move(from, out, most, options)
                                                               : move(from, to, most, options);
    flushed = out.flush();
    pending = out.pending().size();
    EXPECT_TRUE(std::move(out).into_inner().unwritten.empty() || !flushed);
    return copied;
  }

  void look_at_bytes(const from_end& s, to_end& t, std::uintmax_t accepted) {
    const std::string arrived = t.arrived();
    const std::size_t end = t.before.size() + static_cast<std::size_t>(accepted);
    ASSERT_EQ(arrived.size(), std::max(end, t.before.size() + t.behind.size()));
    EXPECT_TRUE(arrived.starts_with(t.before));
    EXPECT_TRUE(!s.known ||
                std::string_view(arrived).substr(t.before.size(), accepted) == s.expected.substr(0, accepted));
    EXPECT_TRUE(accepted >= t.behind.size() || arrived.substr(end) == t.behind.substr(accepted));
  }

  void look_at_paths(const copy_report& report, const how& h, const from_end& s, std::uintmax_t accepted) {
    const auto [from, to] = GetParam();
    const char letter = kernel_letter(from, to, h.kernel);
    const kernel_share share = share_of(report, letter);
    EXPECT_EQ(share.others, 0U) << name(report.main_path());
    if (letter == '.' || letter == 'x' || accepted != s.expected.size()) return;
    EXPECT_GT(share.expected, accepted / 2) << name(report.main_path());
  }

  void walk(const how& h) {
    from_end s;
    to_end t;
    open_source(std::get<0>(GetParam()), s, folders);
    if (!s.missing.empty()) GTEST_SKIP() << s.missing;
    if (h.buffered_reader && s.messages) return;  // a message that does not fit into the buffer is cut
    t.wanted = s.expected.size();
    open_target(std::get<1>(GetParam()), t, folders);
    if (!t.missing.empty()) GTEST_SKIP() << t.missing;
    const default_sigpipe deadly;
    const int from_flags = ::fcntl(s.fd(), F_GETFL);
    const int to_flags = ::fcntl(t.fd(), F_GETFL);
    copy_report report;
    std::uintmax_t pending = 0;
    result<void> flushed;
    fd_ref from(s.fd());
    fd_ref to(t.fd());
    const auto copied = move(from, to, h, s.most, {.kernel = h.kernel, .report = &report}, pending, flushed);
    const std::uintmax_t counted = copied ? *copied : copied.error().bytes;
    const std::uintmax_t accepted = counted - pending;
    EXPECT_EQ(sum_of(report), counted);
    EXPECT_EQ(::fcntl(s.fd(), F_GETFL), from_flags);
    EXPECT_EQ(::fcntl(t.fd(), F_GETFL), to_flags);

    if (s.error != 0) {
      ASSERT_FALSE(copied);
      EXPECT_EQ(copied.error().code.value(), s.error) << show(copied);
      EXPECT_EQ(copied.error().side, copy_side::reader);
      EXPECT_EQ(accepted, 0U);
    } else if (t.error != 0 && s.expected.size() > t.room) {
      if (copied) {
        ASSERT_FALSE(flushed);
        EXPECT_EQ(flushed.error().value(), t.error);
      } else {
        EXPECT_EQ(copied.error().code.value(), t.error) << show(copied);
        EXPECT_EQ(copied.error().side, copy_side::writer);
      }
      EXPECT_EQ(accepted, t.room);
    } else {
      EXPECT_EQ(show(copied), std::to_string(s.expected.size()));
      EXPECT_TRUE(flushed);
      EXPECT_EQ(accepted, s.expected.size());
    }
    look_at_paths(report, h, s, accepted);
    if (t.looks) look_at_bytes(s, t, accepted);
  }

  cell_folders folders;
};

TEST_P(truth_table, every_way) {
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never, kernel_policy::aliasing}) {
    for (const bool r : {false, true}) {
      for (const bool w : {false, true}) {
        const how h{kernel, r, w};
        SCOPED_TRACE(h.name());
        walk(h);
        if (HasFatalFailure() || IsSkipped()) return;
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

INSTANTIATE_TEST_SUITE_P(all, truth_table,
                         testing::Combine(testing::ValuesIn(all_of<source, source_names.size()>()),
                                          testing::ValuesIn(all_of<target, target_names.size()>())),
                         [](const auto& p) {
                           return std::string(source_names.at(static_cast<std::size_t>(std::get<0>(p.param)))) +
                                  "_to_" + target_names.at(static_cast<std::size_t>(std::get<1>(p.param)));
                         });

TEST(truth_table_itself, has_a_letter_for_each_cell) {
  for (const std::string_view row : kernel_does) EXPECT_EQ(row.size(), target_names.size());
}

}  // namespace
}  // namespace sluice
