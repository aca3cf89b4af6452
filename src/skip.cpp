// SPDX-License-Identifier: BSL-1.0
#include <sluice/skip.hpp>

#include "copy/selector.hpp"
#include "skip_path.hpp"
#include "wait/waiting.hpp"

#include <algorithm>

namespace sluice::detail {
namespace {

// Fewer bytes than this are read sooner than the kernel is asked to drop them.
constexpr std::uintmax_t worth_the_kernel = std::uintmax_t{64} << 10;

constexpr std::size_t dropped_at_once = std::size_t{32} << 10;

/// One skip: what has been passed over, and which ways are still open.
class skipping {
 public:
  skipping(source_ref from, std::uintmax_t n, const wait_options* options) noexcept
      : from_(from), source_(from, options), wanted_(n), may_skip_(from.ops->skip != nullptr) {}

  std::expected<std::uintmax_t, transfer_error> run() {
    while (passed_ < wanted_ && !ended_) {
      if (const auto why = step()) return fail(*why, passed_);
    }
    return passed_;
  }

 private:
  using failure = std::optional<std::error_code>;

  std::uintmax_t left() const noexcept { return wanted_ - passed_; }

  failure step() {
    if (from_.is_buffered() && !from_.window().empty()) return consume();
    if (may_skip_) return own_skip();
    if (const auto endpoint = kernel_way()) return kernel_skip(*endpoint);
    if (from_.is_buffered()) return refill();
    return read_and_drop();
  }

  failure consume() {
    const auto held = static_cast<std::size_t>(std::min<std::uintmax_t>(from_.window().size(), left()));
    from_.consume(held);
    passed_ += held;
    return std::nullopt;
  }

  // A stream that cannot skip where it stands, such as a pipe behind a descriptor, says so.
  failure own_skip() {
    const auto further = source_.patiently([&] { return from_.ops->skip(from_.object, left()); });
    if (further) {
      passed_ += *further;
      ended_ = *further == 0;
    } else if (further.error() == io_errc::unsupported) {
      may_skip_ = false;
    } else {
      return further.error();
    }
    return std::nullopt;
  }

  std::optional<fd_endpoint> kernel_way() {
    if (left() < worth_the_kernel && !in_kernel_) return std::nullopt;
    auto endpoint = from_.kernel_endpoint();
    if (!endpoint || endpoint->buffered != 0 || endpoint->max_step() == 0 || endpoint->fd == refused_)
      return std::nullopt;
    if (endpoint->offset) return std::nullopt;  // a place in a file
    const fd_kind kind = know_kind(*endpoint);
    if (kind != fd_kind::pipe && kind != fd_kind::socket) return std::nullopt;
    return endpoint;
  }

  failure kernel_skip(const fd_endpoint& endpoint) {
    const std::uintmax_t max = std::min(left(), endpoint.max_step());
    const bool may_block = !source_.watchful();
    const auto dropped = source_.patiently([&] { return kernel_.skip(endpoint.fd, endpoint.kind, max, may_block); });
    if (dropped && *dropped != 0) {
      in_kernel_ = true;
      passed_ += *dropped;
      from_.kernel_advanced(*dropped);
      return std::nullopt;
    }
    // An end is confirmed by a read; and only a read knows whether the descriptor itself is non-blocking.
    const bool read_instead = dropped || dropped.error() == std::errc::operation_not_supported ||
                              (!source_.may_wait() && would_block_error(dropped.error()));
    if (!read_instead) return dropped.error();
    refused_ = endpoint.fd;
    in_kernel_ = false;
    return std::nullopt;
  }

  failure refill() {
    const auto filled = source_.fill(1);
    if (!filled) return filled.error();
    ended_ = filled->empty();
    return std::nullopt;
  }

  failure read_and_drop() {
    std::byte dropped[dropped_at_once];
    const auto size = static_cast<std::size_t>(std::min<std::uintmax_t>(left(), sizeof dropped));
    const auto got = source_.read_some({dropped, size});
    if (!got) return got.error();
    passed_ += *got;
    ended_ = *got == 0;
    return std::nullopt;
  }

  source_ref from_;
  waiting_source source_;
  kernel_skipper kernel_;
  std::uintmax_t wanted_;
  std::uintmax_t passed_ = 0;
  int refused_ = -1;  // the descriptor that the kernel does not skip on
  bool may_skip_;
  bool in_kernel_ = false;
  bool ended_ = false;
};

}  // namespace

std::expected<std::uintmax_t, transfer_error> skip(source_ref from, std::uintmax_t n, const wait_options* options) {
  return skipping(from, n, options).run();
}

}  // namespace sluice::detail
