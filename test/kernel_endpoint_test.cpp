// SPDX-License-Identifier: BSL-1.0
#include <sluice/concepts.hpp>
#include <sluice/kernel_endpoint.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

namespace {

using namespace sluice;

// The wrapper of the header's synopsis.
template <class R>
struct metered {
  R& inner;
  std::uintmax_t count = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    auto n = inner.read_some(b);
    if (n) count += *n;
    return n;
  }
  auto kernel_endpoint() { return inner.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) {
    count += n;
    inner.kernel_advanced(n);
  }
};

// One that must see the bytes offers nothing.
struct opaque {
  support::kernel_stream& inner;
  result<std::size_t> read_some(std::span<std::byte> b) { return inner.read_some(b); }
};

static_assert(unbounded == std::numeric_limits<std::uintmax_t>::max());
static_assert(kernel_reader<support::kernel_stream> && kernel_writer<support::kernel_stream>);
static_assert(kernel_reader<metered<support::kernel_stream>>);
static_assert(!kernel_writer<metered<support::kernel_stream>>);
static_assert(!kernel_reader<opaque>);

TEST(kernel_endpoint, promises_nothing_by_default) {
  constexpr fd_endpoint endpoint;
  static_assert(endpoint.fd == -1 && endpoint.kind == fd_kind::unknown);
  static_assert(endpoint.max_bytes == unbounded && endpoint.buffered == 0);
  static_assert(endpoint.allowance == unbounded && endpoint.max_step() == unbounded);
  static_assert(!endpoint.fresh && endpoint.facts == nullptr);
  constexpr fd_facts facts;
  static_assert(facts.kind == fd_kind::unknown && !facts.identified && !facts.plain_write);
}

TEST(kernel_endpoint, passes_through_a_users_wrapper) {
  support::kernel_stream stream;
  stream.endpoint = fd_endpoint{.fd = 7, .kind = fd_kind::pipe, .max_bytes = 10, .buffered = 3};
  metered wrapped{stream};
  metered<metered<support::kernel_stream>> twice{wrapped};

  const auto endpoint = kernel_endpoint(twice);
  ASSERT_TRUE(endpoint);
  EXPECT_EQ(endpoint->fd, 7);
  EXPECT_EQ(endpoint->kind, fd_kind::pipe);
  EXPECT_EQ(endpoint->max_bytes, 10U);
  EXPECT_EQ(endpoint->buffered, 3U);

  kernel_advanced(twice, 5);
  EXPECT_EQ(stream.advanced, 5U);
  EXPECT_EQ(wrapped.count, 5U);
  EXPECT_EQ(twice.count, 5U);
}

TEST(kernel_endpoint, may_be_withdrawn_at_run_time) {
  support::kernel_stream stream;
  metered wrapped{stream};
  EXPECT_TRUE(kernel_endpoint(wrapped));
  stream.endpoint.reset();
  EXPECT_FALSE(kernel_endpoint(wrapped));
}

TEST(kernel_endpoint, of_an_opaque_stream_is_nothing) {
  support::kernel_stream stream;
  opaque wrapped{stream};
  EXPECT_FALSE(kernel_endpoint(wrapped));
  kernel_advanced(wrapped, 5);
  EXPECT_EQ(stream.advanced, 0U);
  EXPECT_EQ(stream.asked, 0U);
}

}  // namespace
