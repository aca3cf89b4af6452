// SPDX-License-Identifier: BSL-1.0
//
// Skipping inside the kernel, and what happens where it cannot.
//
#include <sluice/adaptor/counted.hpp>
#include <sluice/adaptor/limit.hpp>
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/erased/any_reader.hpp>
#include <sluice/skip.hpp>
#include <sluice/system/fd_ref.hpp>
#include <sluice/system/file.hpp>

#include "copy/endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t size = 300'000;
constexpr std::size_t part = 200'000;

enum class place { pipe, unix_socket, tcp };

two_ends filled(place p, const std::string& text) {
  two_ends ends = p == place::pipe ? make_pipe_ends(1 << 20) : p == place::tcp ? make_tcp_pair() : make_socket_pair();
  if (p == place::tcp) make_roomy(ends.writer.get());
  write_text(ends.writer.get(), text);
  ends.writer.reset();
  return ends;
}

template <class R>
void expect_rest(R& r, std::string_view text) {
  EXPECT_TRUE(support::equal(support::drain(r, 65536).value(), as_bytes(text)));
}

TEST(skip_path, drops_inside_the_kernel_what_a_pipe_or_a_tcp_socket_has) {
  const std::string text = some_text(size);
  for (const place p : {place::pipe, place::unix_socket, place::tcp}) {
    SCOPED_TRACE(static_cast<int>(p));
    two_ends ends = filled(p, text);
    fd_ref r(ends.reader.get());
    {
      const call_counter calls;
      EXPECT_EQ(sluice::skip(r, part).value(), part);
      EXPECT_EQ(calls["splice"] != 0, p == place::pipe);
      EXPECT_EQ(calls["recv"] != 0, p == place::tcp);
      EXPECT_EQ(calls["read"] != 0, p == place::unix_socket) << "which drops nothing for MSG_TRUNC";
      EXPECT_EQ(calls["open"], calls["close"]);
    }
    expect_rest(r, std::string_view(text).substr(part));
  }
}

TEST(skip_path, ends_with_the_stream) {
  const std::string text = some_text(size);
  for (const place p : {place::pipe, place::unix_socket, place::tcp}) {
    two_ends ends = filled(p, text);
    fd_ref r(ends.reader.get());
    EXPECT_EQ(sluice::skip(r, 5 * size).value(), size);
    EXPECT_EQ(sluice::skip(r, 5 * size).value(), 0U);
  }
}

TEST(skip_path, is_kept_by_wrappers) {
  const std::string text = some_text(size);
  const std::string_view view = text;
  const auto check = [&](auto make) {
    two_ends ends = filled(place::pipe, text);
    fd_ref pipe(ends.reader.get());
    auto wrapped = make(pipe);
    const fault seen({.call = "splice"});
    EXPECT_EQ(sluice::skip(wrapped, part).value(), part);
    EXPECT_GE(seen.calls(), 1U);
    expect_rest(wrapped, view.substr(part));
  };
  check([](fd_ref& r) { return limit(r, unbounded); });
  check([](fd_ref& r) { return counted(r); });
  check([](fd_ref& r) { return buf_reader(r); });
  check([](fd_ref& r) { return any_reader(r); });
  check([](fd_ref& r) { return limit(buf_reader(counted(r)), size); });
}

TEST(skip_path, consumes_what_is_buffered_first_and_stops_at_a_limit) {
  const std::string text = some_text(size);
  two_ends ends = filled(place::pipe, text);
  fd_ref pipe(ends.reader.get());
  auto tallied = counted(pipe);
  buf_reader buffered(tallied, 4096);
  ASSERT_TRUE(buffered.fill(1));
  auto limited = limit(buffered, part);
  const fault seen({.call = "splice"});
  EXPECT_EQ(sluice::skip(limited, 2 * size).value(), part);
  EXPECT_TRUE(limited.limit_reached());
  EXPECT_GE(seen.calls(), 1U);
  EXPECT_EQ(tallied.count(), part);
  expect_rest(buffered, std::string_view(text).substr(part));
}

TEST(skip_path, gives_way_to_reading_at_any_call_and_for_any_reason) {
  const std::string text = some_text(size);
  for (const place p : {place::pipe, place::tcp}) {
    const char* const call = p == place::pipe ? "splice" : "recv";
    for (std::size_t k = 1; k <= 4; ++k) {
      for (const int error : {EINTR, EINVAL, EPERM, ENOSYS, EOPNOTSUPP, EFAULT, EIO, EAGAIN}) {
        SCOPED_TRACE(testing::Message() << call << ' ' << k << ", errno " << error);
        two_ends ends = filled(p, text);
        fd_ref r(ends.reader.get());
        {
          const fault broken({.call = call, .at = k, .error = error});
          const fault slow({.call = call, .times = always, .shorten = 60'000});
          EXPECT_EQ(sluice::skip(r, part).value(), part);
        }
        expect_rest(r, std::string_view(text).substr(part));
      }
    }
  }
}

TEST(skip_path, confirms_an_end_by_reading) {
  const std::string text = some_text(size);
  for (const char* const call : {"splice", "recv"}) {
    two_ends ends = filled(call[0] == 's' ? place::pipe : place::tcp, text);
    fd_ref r(ends.reader.get());
    const fault early({.call = call, .at = 2, .answer = 0});
    const fault slow({.call = call, .times = always, .shorten = 60'000});
    EXPECT_EQ(sluice::skip(r, part).value(), part);
    EXPECT_EQ(early.hits(), 1U);
    expect_rest(r, std::string_view(text).substr(part));
  }
}

TEST(skip_path, reads_where_there_is_no_device_to_drop_into) {
  const std::string text = some_text(size);
  two_ends ends = filled(place::pipe, text);
  fd_ref r(ends.reader.get());
  const fault missing({.call = "open", .error = ENOENT});
  const fault spliced({.call = "splice"});
  EXPECT_EQ(sluice::skip(r, part).value(), part);
  EXPECT_EQ(missing.hits(), 1U);
  EXPECT_EQ(spliced.calls(), 0U);
  expect_rest(r, std::string_view(text).substr(part));
}

int plain_file_instead(const char*, int, mode_t) { return ::memfd_create("null", MFD_CLOEXEC); }

TEST(skip_path, fills_no_file_that_stands_in_for_the_device) {
  two_ends ends = filled(place::pipe, some_text(size));
  fd_ref r(ends.reader.get());
  const replaced_call container(&call_table::open, &plain_file_instead);
  const fault spliced({.call = "splice"});
  EXPECT_EQ(sluice::skip(r, part).value(), part);
  EXPECT_EQ(spliced.calls(), 0U);
}

TEST(skip_path, tells_a_broken_connection) {
  two_ends ends = filled(place::tcp, some_text(size));
  fd_ref r(ends.reader.get());
  const fault broken({.call = "recv", .at = 3, .error = ECONNRESET});
  const fault slow({.call = "recv", .times = always, .shorten = 60'000});
  const auto passed = sluice::skip(r, part);
  ASSERT_FALSE(passed);
  EXPECT_EQ(passed.error(), std::errc::connection_reset);
  EXPECT_EQ(passed.error().bytes, 120'000U);
}

TEST(skip_path, tells_what_was_passed_before_an_error) {
  two_ends ends = filled(place::unix_socket, some_text(size));
  fd_ref r(ends.reader.get());
  const fault broken({.call = "read", .at = 4, .error = EIO});
  const fault slow({.call = "read", .times = always, .shorten = 1000});
  const auto passed = sluice::skip(r, part);
  EXPECT_EQ(passed.error(), std::errc::io_error);
  EXPECT_EQ(passed.error().bytes, 3000U);
}

TEST(skip_path, of_little_reads_once) {
  two_ends ends = filled(place::pipe, some_text(1000));
  fd_ref r(ends.reader.get(), fd_kind::pipe);
  const call_counter calls;
  EXPECT_EQ(sluice::skip(r, 999).value(), 999U);
  EXPECT_EQ(calls.total(), 1U);
}

TEST(skip_path, past_the_end_of_a_file_is_no_success) {
  const temporary_folder folder;
  folder.write("file", std::string(1000, 'x'));
  file f = or_throw(file::open(folder / "file"));
  EXPECT_EQ(sluice::skip(f, 5000).value(), 1000U);
  EXPECT_EQ(f.position().value(), 1000U);
  EXPECT_EQ(sluice::skip(f, 1).value(), 0U);
}

}  // namespace
}  // namespace sluice
