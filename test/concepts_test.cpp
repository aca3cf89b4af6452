// SPDX-License-Identifier: BSL-1.0
#include <sluice/concepts.hpp>
#include <sluice/detail/sink_ops.hpp>
#include <sluice/detail/source_ops.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

using sluice::const_buffer;
using sluice::fd_endpoint;
using sluice::mutable_buffer;
using sluice::result;
using sluice::whence;
using std::byte;
using std::size_t;
using std::span;
using std::uintmax_t;

// Types whose every operation is a free function, found by argument-dependent lookup.
namespace users {

struct source {
  int calls = 0;
};
inline result<size_t> read_some(source& s, span<byte> b) { return ++s.calls, b.size(); }
inline result<size_t> read_some(source& s, span<const mutable_buffer>) { return ++s.calls, size_t{1}; }
inline span<const byte> buffered(source& s) noexcept { return ++s.calls, span<const byte>{}; }
inline result<span<const byte>> fill(source& s, size_t) { return ++s.calls, span<const byte>{}; }
inline void consume(source& s, size_t) noexcept { ++s.calls; }
inline result<uintmax_t> skip(source& s, uintmax_t n) { return ++s.calls, n; }
inline result<uintmax_t> seek(source& s, std::intmax_t o, whence w) {
  return ++s.calls, static_cast<uintmax_t>(o) + (w == whence::begin ? 0U : 100U);
}
inline result<uintmax_t> position(source& s) { return ++s.calls, uintmax_t{3}; }
inline std::optional<uintmax_t> size_hint(source& s) { return ++s.calls, 4; }
inline std::optional<fd_endpoint> kernel_endpoint(source& s) { return ++s.calls, fd_endpoint{.fd = 5}; }
inline void kernel_advanced(source& s, uintmax_t) { ++s.calls; }

struct sink {
  int calls = 0;
};
inline result<size_t> write_some(sink& s, span<const byte> b) { return ++s.calls, b.size(); }
inline result<size_t> write_some(sink& s, span<const const_buffer>) { return ++s.calls, size_t{1}; }
inline result<span<byte>> prepare(sink& s, size_t) { return ++s.calls, span<byte>{}; }
inline void commit(sink& s, size_t) noexcept { ++s.calls; }
inline result<void> flush(sink& s) { return ++s.calls, result<void>{}; }
inline fd_endpoint kernel_endpoint(sink& s) { return ++s.calls, fd_endpoint{.fd = 6}; }
inline void kernel_advanced(sink& s, uintmax_t) { ++s.calls; }

// Both a member and a free function: the member counts.
struct both {
  int members = 0;
  int functions = 0;
  result<size_t> read_some(span<byte> b) { return ++members, b.size(); }
  result<size_t> read_some(span<const mutable_buffer>) { return ++members, size_t{1}; }
  result<size_t> write_some(span<const byte> b) { return ++members, b.size(); }
  result<size_t> write_some(span<const const_buffer>) { return ++members, size_t{1}; }
  span<const byte> buffered() noexcept { return ++members, span<const byte>{}; }
  result<span<const byte>> fill(size_t) { return ++members, span<const byte>{}; }
  void consume(size_t) noexcept { ++members; }
  result<span<byte>> prepare(size_t) { return ++members, span<byte>{}; }
  void commit(size_t) noexcept { ++members; }
  result<void> flush() { return ++members, result<void>{}; }
  result<uintmax_t> skip(uintmax_t n) { return ++members, n; }
  result<uintmax_t> seek(std::intmax_t, whence) { return ++members, uintmax_t{0}; }
  result<uintmax_t> position() { return ++members, uintmax_t{0}; }
  std::optional<uintmax_t> size_hint() { return ++members, 0; }
  std::optional<fd_endpoint> kernel_endpoint() { return ++members, std::nullopt; }
  void kernel_advanced(uintmax_t) { ++members; }
};
inline result<size_t> read_some(both& s, span<byte> b) { return ++s.functions, b.size(); }
inline result<size_t> read_some(both& s, span<const mutable_buffer>) { return ++s.functions, size_t{1}; }
inline result<size_t> write_some(both& s, span<const byte> b) { return ++s.functions, b.size(); }
inline result<size_t> write_some(both& s, span<const const_buffer>) { return ++s.functions, size_t{1}; }
inline span<const byte> buffered(both& s) noexcept { return ++s.functions, span<const byte>{}; }
inline result<span<const byte>> fill(both& s, size_t) { return ++s.functions, span<const byte>{}; }
inline void consume(both& s, size_t) noexcept { ++s.functions; }
inline result<span<byte>> prepare(both& s, size_t) { return ++s.functions, span<byte>{}; }
inline void commit(both& s, size_t) noexcept { ++s.functions; }
inline result<void> flush(both& s) { return ++s.functions, result<void>{}; }
inline result<uintmax_t> skip(both& s, uintmax_t n) { return ++s.functions, n; }
inline result<uintmax_t> seek(both& s, std::intmax_t, whence) { return ++s.functions, uintmax_t{0}; }
inline result<uintmax_t> position(both& s) { return ++s.functions, uintmax_t{0}; }
inline std::optional<uintmax_t> size_hint(both& s) { return ++s.functions, 0; }
inline std::optional<fd_endpoint> kernel_endpoint(both& s) { return ++s.functions, std::nullopt; }
inline void kernel_advanced(both& s, uintmax_t) { ++s.functions; }

}  // namespace users

namespace {

using namespace sluice;

struct nothing {};

// The least that each concept asks for, and each way to miss it. -----------------------------------------------------

struct plain_reader {
  result<size_t> read_some(span<byte>);
};
struct plain_writer {
  result<size_t> write_some(span<const byte>);
};

namespace reading {

struct counts_in_int {
  result<int> read_some(span<byte>);
};
struct returns_a_number {
  size_t read_some(span<byte>);
};
struct returns_nothing {
  void read_some(span<byte>);
};
struct reads_into_const {
  result<size_t> read_some(span<const byte>);
};
struct reads_chars {
  result<size_t> read_some(span<char>);
};
struct takes_a_pointer {
  result<size_t> read_some(byte*, size_t);
};
struct reads_privately {
 private:
  result<size_t> read_some(span<byte>);
};
struct const_callable {
  result<size_t> read_some(span<byte>) const;
};
struct only_vectored {
  result<size_t> read_some(span<const mutable_buffer>);
};
struct in_const_pieces : plain_reader {
  using plain_reader::read_some;
  result<size_t> read_some(span<const const_buffer>);
};
struct vectored : plain_reader {
  using plain_reader::read_some;
  result<size_t> read_some(span<const mutable_buffer>);
};

static_assert(reader<plain_reader> && reader<plain_reader&> && reader<plain_reader&&>);
static_assert(reader<users::source> && reader<users::source&>);
static_assert(reader<const_callable> && reader<const const_callable> && reader<const const_callable&>);
static_assert(reader<reads_into_const>, "a span of bytes converts to one of const bytes: odd, but its own affair");
static_assert(!reader<const plain_reader> && !reader<const plain_reader&>);
static_assert(!reader<const users::source>);
static_assert(!reader<plain_reader*> && !reader<plain_writer> && !reader<users::sink>);
static_assert(!reader<nothing> && !reader<int> && !reader<void> && !reader<byte*> && !reader<span<byte>>);
static_assert(!reader<counts_in_int> && !reader<returns_a_number> && !reader<returns_nothing>);
static_assert(!reader<reads_chars> && !reader<takes_a_pointer> && !reader<reads_privately>);
static_assert(!reader<only_vectored>);

static_assert(vectored_reader<vectored> && vectored_reader<vectored&> && vectored_reader<users::source>);
static_assert(!vectored_reader<plain_reader> && !vectored_reader<only_vectored>);
static_assert(!vectored_reader<in_const_pieces> && !vectored_reader<const vectored>);

}  // namespace reading

namespace writing {

struct counts_in_int {
  result<int> write_some(span<const byte>);
};
struct returns_a_number {
  size_t write_some(span<const byte>);
};
struct wants_to_change_them {
  result<size_t> write_some(span<byte>);
};
struct takes_text {
  result<size_t> write_some(std::string_view);
};
struct const_callable {
  result<size_t> write_some(span<const byte>) const;
};
struct only_vectored {
  result<size_t> write_some(span<const const_buffer>);
};
struct vectored : plain_writer {
  using plain_writer::write_some;
  result<size_t> write_some(span<const const_buffer>);
};
struct in_mutable_pieces : plain_writer {
  using plain_writer::write_some;
  result<size_t> write_some(span<const mutable_buffer>);
};

static_assert(writer<plain_writer> && writer<plain_writer&> && writer<plain_writer&&>);
static_assert(writer<users::sink> && writer<users::sink&>);
static_assert(writer<const const_callable>);
static_assert(!writer<const plain_writer> && !writer<const plain_writer&> && !writer<const users::sink>);
static_assert(!writer<plain_writer*> && !writer<plain_reader> && !writer<users::source>);
static_assert(!writer<nothing> && !writer<int> && !writer<void>);
static_assert(!writer<counts_in_int> && !writer<returns_a_number>);
static_assert(!writer<wants_to_change_them> && !writer<takes_text> && !writer<only_vectored>);

static_assert(vectored_writer<vectored> && vectored_writer<vectored&> && vectored_writer<users::sink>);
static_assert(!vectored_writer<plain_writer> && !vectored_writer<only_vectored>);
static_assert(!vectored_writer<in_mutable_pieces> && !vectored_writer<const vectored>);

}  // namespace writing

namespace buffering {

struct good : plain_reader {
  span<const byte> buffered() const noexcept;
  result<span<const byte>> fill(size_t);
  void consume(size_t) noexcept;
};
struct without_reading {
  span<const byte> buffered() const noexcept;
  result<span<const byte>> fill(size_t);
  void consume(size_t) noexcept;
};
struct without_buffered : plain_reader {
  result<span<const byte>> fill(size_t);
  void consume(size_t) noexcept;
};
struct without_fill : plain_reader {
  span<const byte> buffered() const noexcept;
  void consume(size_t) noexcept;
};
struct without_consume : plain_reader {
  span<const byte> buffered() const noexcept;
  result<span<const byte>> fill(size_t);
};
struct throwing_buffered : good {
  span<const byte> buffered() const;
};
struct throwing_consume : good {
  void consume(size_t);
};
struct mutable_window : good {
  span<byte> buffered() const noexcept;
};
struct fill_of_void : good {
  result<void> fill(size_t);
};
struct fill_without_result : good {
  span<const byte> fill(size_t);
};
struct members_and_functions : plain_reader {  // the three may come from different places
  span<const byte> buffered() const noexcept;
  result<span<const byte>> fill(size_t);
};
[[maybe_unused]] void consume(members_and_functions&, size_t) noexcept {}

static_assert(buffered_reader<good> && buffered_reader<good&> && buffered_reader<users::source>);
static_assert(buffered_reader<members_and_functions>);
static_assert(!buffered_reader<const good> && !buffered_reader<plain_reader> && !buffered_reader<without_reading>);
static_assert(!buffered_reader<without_buffered> && !buffered_reader<without_fill>);
static_assert(!buffered_reader<without_consume>);
static_assert(!buffered_reader<throwing_buffered> && !buffered_reader<throwing_consume>);
static_assert(!buffered_reader<mutable_window> && !buffered_reader<fill_of_void>);
static_assert(!buffered_reader<fill_without_result>);
static_assert(reader<throwing_consume> && reader<fill_of_void>, "each is a plain reader still");

struct all_there : good {
  static constexpr bool in_memory = true;
};
struct not_in_memory : good {
  static constexpr bool in_memory = false;
};
struct in_memory_but_unbuffered : plain_reader {
  [[maybe_unused]] static constexpr bool in_memory = true;
};
static_assert(in_memory_reader<all_there> && in_memory_reader<all_there&>);
static_assert(!in_memory_reader<not_in_memory> && !in_memory_reader<good> &&
              !in_memory_reader<in_memory_but_unbuffered>);

struct good_writer : plain_writer {
  result<span<byte>> prepare(size_t);
  void commit(size_t) noexcept;
  result<void> flush();
};
struct without_writing {
  result<span<byte>> prepare(size_t);
  void commit(size_t) noexcept;
  result<void> flush();
};
struct without_prepare : plain_writer {
  void commit(size_t) noexcept;
  result<void> flush();
};
struct without_commit : plain_writer {
  result<span<byte>> prepare(size_t);
  result<void> flush();
};
struct without_flush : plain_writer {
  result<span<byte>> prepare(size_t);
  void commit(size_t) noexcept;
};
struct throwing_commit : good_writer {
  void commit(size_t);
};
struct prepares_const : good_writer {
  result<span<const byte>> prepare(size_t);
};
struct flushes_a_count : good_writer {
  result<size_t> flush();
};
struct flushes_void : good_writer {
  void flush();
};

static_assert(buffered_writer<good_writer> && buffered_writer<good_writer&> && buffered_writer<users::sink>);
static_assert(!buffered_writer<const good_writer> && !buffered_writer<plain_writer>);
static_assert(!buffered_writer<without_writing> && !buffered_writer<without_prepare>);
static_assert(!buffered_writer<without_commit> && !buffered_writer<without_flush>);
static_assert(!buffered_writer<throwing_commit> && !buffered_writer<prepares_const>);
static_assert(!buffered_writer<flushes_a_count> && !buffered_writer<flushes_void>);
static_assert(writer<throwing_commit>);

}  // namespace buffering

namespace moving {

struct skips {
  result<uintmax_t> skip(uintmax_t);
};
struct skips_silently {
  void skip(uintmax_t);
};
struct skips_without_result {
  uintmax_t skip(uintmax_t);
};
struct skips_in_int {
  result<int> skip(uintmax_t);
};
static_assert(skippable<skips> && skippable<skips&> && skippable<users::source>);
static_assert(!skippable<const skips> && !skippable<skips_silently> && !skippable<skips_without_result>);
static_assert(!skippable<skips_in_int> && !skippable<nothing> && !skippable<plain_reader>);

struct seeks {
  result<uintmax_t> seek(std::intmax_t, whence);
  result<uintmax_t> position();
};
struct seeks_from_the_beginning_only {
  result<uintmax_t> seek(std::intmax_t);
  result<uintmax_t> position();
};
struct seeks_blindly {
  result<uintmax_t> seek(std::intmax_t, whence);
};
struct knows_only_where_it_is {
  result<uintmax_t> position();
};
struct seeks_silently : seeks {
  result<void> seek(std::intmax_t, whence);
};
struct position_without_result : seeks {
  uintmax_t position();
};
static_assert(seekable<seeks> && seekable<seeks&> && seekable<users::source>);
static_assert(!seekable<const seeks> && !seekable<seeks_from_the_beginning_only> && !seekable<seeks_blindly>);
static_assert(!seekable<knows_only_where_it_is> && !seekable<seeks_silently> && !seekable<position_without_result>);
static_assert(!seekable<nothing> && !seekable<int>);

struct hints {
  std::optional<uintmax_t> size_hint() const;
};
struct always_knows {
  uintmax_t size_hint() const;
};
struct hints_with_text {
  std::string_view size_hint() const;
};
static_assert(size_hinted<hints> && size_hinted<hints&> && size_hinted<const hints> && size_hinted<users::source>);
static_assert(size_hinted<always_knows>, "what converts will do");
static_assert(!size_hinted<hints_with_text> && !size_hinted<nothing> && !size_hinted<plain_reader>);

struct kernel_source : plain_reader {
  std::optional<fd_endpoint> kernel_endpoint();
  void kernel_advanced(uintmax_t);
};
struct kernel_sink : plain_writer {
  fd_endpoint kernel_endpoint();
  void kernel_advanced(uintmax_t);
};
struct endpoint_alone : plain_reader {
  std::optional<fd_endpoint> kernel_endpoint();
};
struct advanced_alone : plain_reader {
  void kernel_advanced(uintmax_t);
};
struct number_for_an_endpoint : kernel_source {
  int kernel_endpoint();
};
struct endpoint_without_a_stream {
  std::optional<fd_endpoint> kernel_endpoint();
  void kernel_advanced(uintmax_t);
};
static_assert(kernel_reader<kernel_source> && kernel_reader<kernel_source&> && kernel_reader<users::source>);
static_assert(kernel_writer<kernel_sink> && kernel_writer<kernel_sink&> && kernel_writer<users::sink>);
static_assert(!kernel_writer<kernel_source> && !kernel_reader<kernel_sink>);
static_assert(!kernel_reader<endpoint_alone> && !kernel_reader<advanced_alone>);
static_assert(!kernel_reader<number_for_an_endpoint>);
static_assert(!kernel_reader<endpoint_without_a_stream> && !kernel_writer<endpoint_without_a_stream>);
static_assert(!kernel_reader<plain_reader> && !kernel_reader<const kernel_source>);

}  // namespace moving

// What the function objects do. ---------------------------------------------------------------------------------------

TEST(customisation, finds_free_functions_by_their_argument) {
  users::source source;
  std::array<byte, 4> memory;
  const std::array pieces{mutable_buffer(span(memory))};
  int calls = 0;
  EXPECT_EQ(sluice::read_some(source, span(memory)).value(), 4U);
  EXPECT_EQ(source.calls, ++calls);
  EXPECT_EQ(sluice::read_some(source, span<const mutable_buffer>(pieces)).value(), 1U);
  EXPECT_EQ(source.calls, ++calls);
  sluice::window(source);
  EXPECT_EQ(source.calls, ++calls);
  EXPECT_TRUE(sluice::fill(source, 1));
  EXPECT_EQ(source.calls, ++calls);
  sluice::consume(source, 0);
  EXPECT_EQ(source.calls, ++calls);
  EXPECT_EQ(sluice::seek(source, 9).value(), 9U) << "from the beginning by default";
  EXPECT_EQ(source.calls, ++calls);
  EXPECT_EQ(sluice::seek(source, 9, whence::end).value(), 109U);
  EXPECT_EQ(source.calls, ++calls);
  EXPECT_EQ(sluice::position(source).value(), 3U);
  EXPECT_EQ(source.calls, ++calls);
  EXPECT_EQ(sluice::size_hint(source), 4U);
  EXPECT_EQ(source.calls, ++calls);
  EXPECT_EQ(sluice::kernel_endpoint(source)->fd, 5);
  EXPECT_EQ(source.calls, ++calls);
  sluice::kernel_advanced(source, 1);
  EXPECT_EQ(source.calls, ++calls);

  users::sink sink;
  const std::array const_pieces{const_buffer(span(memory))};
  calls = 0;
  EXPECT_EQ(sluice::write_some(sink, std::as_bytes(span(memory))).value(), 4U);
  EXPECT_EQ(sink.calls, ++calls);
  EXPECT_EQ(sluice::write_some(sink, span<const const_buffer>(const_pieces)).value(), 1U);
  EXPECT_EQ(sink.calls, ++calls);
  EXPECT_TRUE(sluice::prepare(sink, 1));
  EXPECT_EQ(sink.calls, ++calls);
  sluice::commit(sink, 0);
  EXPECT_EQ(sink.calls, ++calls);
  EXPECT_TRUE(sluice::flush(sink));
  EXPECT_EQ(sink.calls, ++calls);
  EXPECT_EQ(sluice::kernel_endpoint(sink)->fd, 6);
  EXPECT_EQ(sink.calls, ++calls);
  sluice::kernel_advanced(sink, 1);
  EXPECT_EQ(sink.calls, ++calls);
}

TEST(customisation, prefers_the_member) {
  users::both s;
  std::array<byte, 4> memory;
  const std::array pieces{mutable_buffer(span(memory))};
  const std::array const_pieces{const_buffer(span(memory))};
  EXPECT_TRUE(sluice::read_some(s, span(memory)));
  EXPECT_TRUE(sluice::read_some(s, span<const mutable_buffer>(pieces)));
  EXPECT_TRUE(sluice::write_some(s, std::as_bytes(span(memory))));
  EXPECT_TRUE(sluice::write_some(s, span<const const_buffer>(const_pieces)));
  sluice::window(s);
  EXPECT_TRUE(sluice::fill(s, 1));
  sluice::consume(s, 0);
  EXPECT_TRUE(sluice::prepare(s, 1));
  sluice::commit(s, 0);
  EXPECT_TRUE(sluice::flush(s));
  EXPECT_TRUE(detail::cpo::skip_fn{}(s, 1));
  EXPECT_TRUE(sluice::seek(s, 0));
  EXPECT_TRUE(sluice::position(s));
  EXPECT_TRUE(sluice::size_hint(s));
  EXPECT_FALSE(sluice::kernel_endpoint(s));
  sluice::kernel_advanced(s, 1);
  EXPECT_EQ(s.members, 16);
  EXPECT_EQ(s.functions, 0);
}

TEST(customisation, has_defaults_for_what_a_stream_may_leave_out) {
  nothing s;
  EXPECT_EQ(sluice::size_hint(s), std::nullopt);
  EXPECT_FALSE(sluice::kernel_endpoint(s));
  sluice::kernel_advanced(s, 1);
  static_assert(!std::invocable<decltype(sluice::fill), nothing&, size_t>);
  static_assert(!std::invocable<decltype(sluice::flush), nothing&>);
  static_assert(!std::invocable<decltype(sluice::seek), nothing&, std::intmax_t>);
}

// Whatever it is asked, it claims one more.
struct boaster {
  int calls = 0;
  result<size_t> read_some(span<byte> b) { return ++calls, b.size() + 1; }
  result<size_t> read_some(span<const mutable_buffer> p) { return ++calls, detail::cpo::total_size(p) + 1; }
  result<size_t> write_some(span<const byte> b) { return ++calls, b.size() + 1; }
  result<size_t> write_some(span<const const_buffer> p) { return ++calls, detail::cpo::total_size(p) + 1; }
};

TEST(customisation, an_empty_request_does_no_io) {
  boaster s;
  EXPECT_EQ(sluice::read_some(s, span<byte>()).value(), 0U);
  EXPECT_EQ(sluice::write_some(s, span<const byte>()).value(), 0U);
  EXPECT_EQ(sluice::read_some(s, span<const mutable_buffer>()).value(), 0U);
  EXPECT_EQ(sluice::write_some(s, span<const const_buffer>()).value(), 0U);
  const std::array<mutable_buffer, 3> empty{};
  EXPECT_EQ(sluice::read_some(s, span<const mutable_buffer>(empty)).value(), 0U);
  const std::array<const_buffer, 3> const_empty{};
  EXPECT_EQ(sluice::write_some(s, span<const const_buffer>(const_empty)).value(), 0U);
  EXPECT_EQ(s.calls, 0);
}

TEST(customisation, does_not_believe_more_than_was_asked_for) {
  boaster s;
  std::array<byte, 4> memory;
  const std::array pieces{mutable_buffer(span(memory)), mutable_buffer(span(memory))};
  const std::array const_pieces{const_buffer(span(memory)), const_buffer(span(memory))};
  EXPECT_EQ(sluice::read_some(s, span(memory)).error(), io_errc::bad_count);
  EXPECT_EQ(sluice::write_some(s, std::as_bytes(span(memory))).error(), io_errc::bad_count);
  EXPECT_EQ(sluice::read_some(s, span<const mutable_buffer>(pieces)).error(), io_errc::bad_count);
  EXPECT_EQ(sluice::write_some(s, span<const const_buffer>(const_pieces)).error(), io_errc::bad_count);
  EXPECT_EQ(s.calls, 4);
}

TEST(customisation, hands_on_errors_and_the_end) {
  support::scripted_reader r{.steps = {support::step::fail(std::errc::io_error), support::step::end()}};
  std::array<byte, 4> memory;
  EXPECT_EQ(sluice::read_some(r, span(memory)).error(), std::errc::io_error);
  EXPECT_EQ(sluice::read_some(r, span(memory)).value(), 0U);
}

// What the compiled code sees. ----------------------------------------------------------------------------------------

TEST(source_ops, has_null_where_the_type_cannot) {
  constexpr detail::source_ops plain = detail::source_calls<support::chunked_reader>::table();
  EXPECT_TRUE(plain.read_some);
  EXPECT_FALSE(plain.read_vectored || plain.window || plain.fill || plain.consume || plain.capacity || plain.skip ||
               plain.size_hint || plain.kernel_endpoint || plain.kernel_advanced || plain.in_memory || plain.seek ||
               plain.position);

  constexpr detail::source_ops all = detail::source_calls<users::source>::table();
  EXPECT_TRUE(all.read_some && all.read_vectored && all.window && all.fill && all.consume && all.capacity && all.skip &&
              all.size_hint && all.kernel_endpoint && all.kernel_advanced && all.seek && all.position);
  EXPECT_FALSE(all.in_memory);
}

TEST(sink_ops, has_null_where_the_type_cannot) {
  constexpr detail::sink_ops plain = detail::sink_calls<support::recording_writer>::table();
  EXPECT_TRUE(plain.write_some);
  EXPECT_FALSE(plain.write_vectored || plain.prepare || plain.commit || plain.flush || plain.kernel_endpoint ||
               plain.kernel_advanced || plain.seek || plain.position);

  constexpr detail::sink_ops all = detail::sink_calls<users::sink>::table();
  EXPECT_TRUE(all.write_some && all.write_vectored && all.prepare && all.commit && all.flush && all.kernel_endpoint &&
              all.kernel_advanced);
}

TEST(source_ops, a_window_is_its_own_capacity_where_the_reader_names_none) {
  users::source named_none;
  EXPECT_EQ(detail::as_source(named_none).capacity(), 0U);
  support::window_reader names_one{.data = {}, .room = 16};
  EXPECT_EQ(detail::as_source(names_one).capacity(), 16U);
}

}  // namespace
