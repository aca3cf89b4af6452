// SPDX-License-Identifier: BSL-1.0
//
// Wrappers of a user's own, which keep the kernel path by saying that they may; and those that do not say so.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

// A type that knows nothing of the library, and the functions that its user has written for it.
namespace third_party {

struct stream {
  int fd;
  std::uintmax_t passed = 0;
};

sluice::result<std::size_t> read_some(stream& s, std::span<std::byte> b) {
  auto n = sluice::fd_ref(s.fd).read_some(b);
  s.passed += n.value_or(0);
  return n;
}

sluice::result<std::size_t> write_some(stream& s, std::span<const std::byte> b) {
  auto n = sluice::fd_ref(s.fd).write_some(b);
  s.passed += n.value_or(0);
  return n;
}

std::optional<sluice::fd_endpoint> kernel_endpoint(stream& s) { return sluice::fd_endpoint{.fd = s.fd}; }

void kernel_advanced(stream& s, std::uintmax_t n) { s.passed += n; }

}  // namespace third_party

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t size = 500'000;

template <class S>
struct metered {
  S& inner;
  std::uintmax_t count = 0;

  result<std::size_t> read_some(std::span<std::byte> b)
    requires reader<S>
  {
    auto n = sluice::read_some(inner, b);
    count += n.value_or(0);
    return n;
  }
  result<std::size_t> write_some(std::span<const std::byte> b)
    requires writer<S>
  {
    auto n = sluice::write_some(inner, b);
    count += n.value_or(0);
    return n;
  }
  auto kernel_endpoint() { return inner.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) {
    count += n;
    inner.kernel_advanced(n);
  }
};

// The same without the two members: the bytes pass through it.
template <class S>
struct opaque {
  S& inner;
  std::uintmax_t count = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    auto n = sluice::read_some(inner, b);
    count += n.value_or(0);
    return n;
  }
};

struct copy_wrapper : testing::Test {
  temporary_folder folder;
  std::string text = some_text(size);
  handle source = file_with(folder / "from", text);
  handle target = new_file(folder / "to");
  fd_ref from{source.get()};
  fd_ref to{target.get()};
};

static std::size_t kernel_calls(const call_counter& calls) {
  return calls["copy_file_range"] + calls["sendfile"] + calls["splice"];
}

TEST_F(copy_wrapper, with_the_two_members_keeps_the_kernel_path) {
  metered<fd_ref> in{from};
  metered<fd_ref> out{to};
  const call_counter calls;
  EXPECT_EQ(show(copy(in, out)), std::to_string(size));
  EXPECT_GT(kernel_calls(calls), 0U);
  EXPECT_LE(calls["write"], 1U);
  EXPECT_EQ(in.count, size);
  EXPECT_EQ(out.count, size);
  EXPECT_TRUE(content_of(folder / "to") == text);
}

TEST_F(copy_wrapper, without_them_copies_right) {
  opaque<fd_ref> in{from};
  const call_counter calls;
  EXPECT_EQ(show(copy(in, to)), std::to_string(size));
  EXPECT_EQ(kernel_calls(calls), 0U);
  EXPECT_EQ(in.count, size);
  EXPECT_TRUE(content_of(folder / "to") == text);
}

TEST_F(copy_wrapper, by_free_functions) {
  third_party::stream in{source.get()};
  third_party::stream out{target.get()};
  static_assert(kernel_reader<third_party::stream> && kernel_writer<third_party::stream>);
  const call_counter calls;
  EXPECT_EQ(show(copy(in, out)), std::to_string(size));
  EXPECT_GT(kernel_calls(calls), 0U);
  EXPECT_EQ(in.passed, size);
  EXPECT_EQ(out.passed, size);
  EXPECT_TRUE(content_of(folder / "to") == text);
}

// It shows no window of its own, but says that there is one behind it.
TEST_F(copy_wrapper, over_a_buffer_keeps_the_order) {
  buf_reader buffered_in(from, 8192);
  std::byte first;
  ASSERT_EQ(read_some(buffered_in, std::span(&first, 1)), 1U);
  metered<decltype(buffered_in)> in{buffered_in};
  const call_counter calls;
  EXPECT_EQ(show(copy(in, to)), std::to_string(size - 1));
  EXPECT_GT(kernel_calls(calls), 0U);
  EXPECT_EQ(in.count, size - 1);
  EXPECT_TRUE(content_of(folder / "to") == text.substr(1));
}

TEST_F(copy_wrapper, over_a_buffered_writer_keeps_the_order) {
  buf_writer buffered_out(to, 8192);
  metered<decltype(buffered_out)> out{buffered_out};  // it cannot flush, so nothing may pass it
  ASSERT_TRUE(write_all(out, "header"));
  EXPECT_EQ(show(copy(from, out)), std::to_string(size));
  EXPECT_EQ(out.count, size + 6);
  ASSERT_TRUE(buffered_out.flush());
  EXPECT_TRUE(content_of(folder / "to") == "header" + text);
}

TEST_F(copy_wrapper, in_layers) {
  auto in = from | counted() | buffered(4096) | limit(size - 10) | counted();
  buf_writer buffered_out(to, 4096);
  auto out = buffered_out | counted();
  const call_counter calls;
  EXPECT_EQ(show(copy(in, out)), std::to_string(size - 10));
  ASSERT_TRUE(buffered_out.flush());
  EXPECT_GT(kernel_calls(calls), 0U);
  EXPECT_EQ(in.count(), size - 10);
  EXPECT_EQ(out.count(), size - 10);
  EXPECT_TRUE(content_of(folder / "to") == text.substr(0, size - 10));
}

TEST_F(copy_wrapper, erased) {
  any_reader in{from};
  any_writer out{to};
  const call_counter calls;
  EXPECT_EQ(show(copy(in, out)), std::to_string(size));
  ASSERT_TRUE(out.flush());
  EXPECT_GT(kernel_calls(calls), 0U);
  EXPECT_TRUE(content_of(folder / "to") == text);
}

}  // namespace
}  // namespace sluice
