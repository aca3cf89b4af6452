// SPDX-License-Identifier: BSL-1.0
//
// What each adaptor forwards. The table in docs/adaptors.md is the one that the types have; SLUICE_UPDATE_DOCS=1 in the
// environment writes it anew.
//
#include <sluice/sluice.hpp>

#include "support/documented_table.hpp"
#include "support/streams.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sluice;

/// Reads and writes, and can do nothing else.
struct plain {
  result<std::size_t> read_some(std::span<std::byte>) { return std::size_t{0}; }
  result<std::size_t> write_some(std::span<const std::byte> b) { return b.size(); }
};

/// Can do everything, and writes down what it was asked for last.
struct capable : plain {
  std::string asked = {};
  std::uintmax_t amount = 0;
  std::array<std::byte, 8> memory = {};

  using plain::read_some;
  using plain::write_some;
  result<std::size_t> read_some(std::span<const mutable_buffer> b) { return note("read pieces", b.size()); }
  result<std::size_t> write_some(std::span<const const_buffer> b) { return note("write pieces", b.size()); }
  std::span<const std::byte> buffered() noexcept { return memory; }
  result<std::span<const std::byte>> fill(std::size_t n) {
    note("fill", n);
    return memory;
  }
  void consume(std::size_t n) noexcept { note("consume", n); }
  result<std::span<std::byte>> prepare(std::size_t n) {
    note("prepare", n);
    return memory;
  }
  void commit(std::size_t n) noexcept { note("commit", n); }
  result<void> flush() {
    note("flush", 0);
    return {};
  }
  result<void> close() {
    note("close", 0);
    return {};
  }
  result<std::uintmax_t> skip(std::uintmax_t n) { return note("skip", n); }
  std::optional<std::uintmax_t> size_hint() { return 77; }
  result<std::uintmax_t> seek(std::intmax_t n, whence) { return note("seek", static_cast<std::uintmax_t>(n)); }
  result<std::uintmax_t> position() { return 55U; }
  std::optional<fd_endpoint> kernel_endpoint() { return fd_endpoint{.fd = 42}; }
  void kernel_advanced(std::uintmax_t n) { note("advanced", n); }

 private:
  std::size_t note(const char* what, std::uintmax_t n) {
    asked = what;
    amount = n;
    return static_cast<std::size_t>(n);
  }
};

struct ignore {
  void operator()(std::span<const std::byte>) const {}
};

struct no_hash {
  void update(std::span<const std::byte>) {}
  int value() const { return 0; }
};

// A capability that the adaptor has whatever the stream, has as the stream has it, or has never.
constexpr const char* cell(bool with_capable, bool with_plain) {
  return with_plain ? " yes |" : with_capable ? " as the stream |" : " no |";
}

template <class Capable, class Plain>
std::string row(const std::string& name, const std::string& notes = {}) {
  using C = Capable;
  using P = Plain;
  std::string text = "| `" + name + "`" + notes + " |";
  text += cell(detail::has_kernel_endpoint<C>, detail::has_kernel_endpoint<P>);
  text += cell(buffered_reader<C> || buffered_writer<C>, buffered_reader<P> || buffered_writer<P>);
  text += cell(size_hinted<C>, size_hinted<P>);
  text += cell(skippable<C>, skippable<P>);
  text += cell(vectored_reader<C> || vectored_writer<C>, vectored_reader<P> || vectored_writer<P>);
  text += cell(seekable<C>, seekable<P>);
  text += cell(detail::flushable<C>, detail::flushable<P>);
  text += cell(detail::closable<C>, detail::closable<P>);
  return text + "\n";
}

std::string table() {
  return "| adaptor | kernel endpoint | window | size hint | skip | vectored | seek | flush | close |\n"
         "|---|---|---|---|---|---|---|---|---|\n" +
         row<broadcast_writer<capable, capable>, broadcast_writer<plain, plain>>("broadcast", " [1] [2]") +
         row<buf_reader<capable>, buf_reader<plain>>("buf_reader, buffered") +
         row<buf_writer<capable>, buf_writer<plain>>("buf_writer") +
         row<chain_reader<capable, capable>, chain_reader<plain, plain>>("chain", " [2] [3]") +
         row<counted_stream<capable>, counted_stream<plain>>("counted") +
         row<digest_stream<capable, no_hash>, digest_stream<plain, no_hash>>("digest", " [4]") +
         row<inspect_stream<capable, ignore>, inspect_stream<plain, ignore>>("inspect", " [4]") +
         row<limit_reader<capable>, limit_reader<plain>>("limit") +
         row<progress_stream<capable>, progress_stream<plain>>("progress") +
         row<tee_reader<capable, capable>, tee_reader<plain, plain>>("tee", " [1] [5]") +
         row<throttle_stream<capable>, throttle_stream<plain>>("throttle", " [6]") +
         row<any_reader, any_reader>("any_reader", " [7]") + row<any_writer, any_writer>("any_writer", " [7]") +
         row<reader_ref, reader_ref>("reader_ref", " [7]") + row<writer_ref, writer_ref>("writer_ref", " [7]");
}

TEST(forwarding, the_documented_table_is_what_the_types_have) {
  support::expect_documented(SLUICE_DOCS_PATH "/adaptors.md", table());
}

// Whatever an adaptor says it can do reaches the stream behind it.
template <class A>
void expect_forwarded(A&& a, capable& inner, std::size_t window) {
  using S = std::remove_reference_t<A>;
  const auto asked = [&](const char* what, std::uintmax_t n) {
    EXPECT_EQ(inner.asked, what);
    EXPECT_EQ(inner.amount, n);
  };
  if constexpr (detail::has_kernel_endpoint<S>) {
    EXPECT_EQ(sluice::kernel_endpoint(a)->fd, 42);
    sluice::kernel_advanced(a, 3);
    asked("advanced", 3);
  }
  if constexpr (buffered_reader<S>) {
    EXPECT_EQ(sluice::fill(a, 8)->data(), inner.memory.data());
    EXPECT_EQ(sluice::window(a).data(), inner.memory.data());
    EXPECT_EQ(sluice::window(a).size(), window);
    sluice::consume(a, 2);
    asked("consume", 2);
  }
  if constexpr (buffered_writer<S>) {
    EXPECT_EQ(sluice::prepare(a, 4)->data(), inner.memory.data());
    asked("prepare", 4);
    sluice::commit(a, 1);
    asked("commit", 1);
  }
  if constexpr (skippable<S>) {
    EXPECT_EQ(detail::cpo::skip_fn{}(a, 5).value(), 5U);
    asked("skip", 5);
  }
  if constexpr (seekable<S>) {
    EXPECT_EQ(sluice::seek(a, 6).value(), 6U);
    asked("seek", 6);
    EXPECT_EQ(sluice::position(a).value(), 55U);
  }
  if constexpr (detail::flushable<S>) {
    EXPECT_TRUE(sluice::flush(a));
    asked("flush", 0);
  }
  if constexpr (detail::closable<S>) {
    EXPECT_TRUE(a.close());
    asked("close", 0);
  }
}

TEST(forwarding, what_an_adaptor_can_do_reaches_the_stream) {
  capable inner;
  expect_forwarded(counted(inner), inner, 8);
  expect_forwarded(progress(inner, [](const progress_state&) {}), inner, 8);
  expect_forwarded(inspect(inner, ignore{}), inner, 8);
  expect_forwarded(digest(inner, no_hash{}), inner, 8);
  expect_forwarded(throttle(inner, 1'000'000), inner, 8);
  expect_forwarded(limit(inner, 100), inner, 8);
  expect_forwarded(chain(inner), inner, 8);
  EXPECT_EQ(counted(inner).size_hint(), 77U);
  EXPECT_EQ(throttle(inner, 1).size_hint(), 77U);
  EXPECT_EQ(tee(inner, plain()).size_hint(), 77U);
  EXPECT_EQ(chain(inner, inner).size_hint(), 154U);
  EXPECT_EQ(limit(inner, 50).size_hint(), 50U);
}

}  // namespace
