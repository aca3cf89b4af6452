// SPDX-License-Identifier: BSL-1.0
#include <sluice/detail/would_block.hpp>
#include <sluice/write.hpp>

#include "wait/waiting.hpp"

#include <array>

namespace sluice::detail {
namespace {

// One call is given so many pieces at most: far fewer than IOV_MAX, and enough to make the call cheap.
constexpr std::size_t most_pieces = 64;

// What is left of the pieces: the rest of the first, and all that follow.
class rest_of_pieces {
 public:
  explicit rest_of_pieces(std::span<const const_buffer> pieces) noexcept : pieces_(pieces) { skip_empty(); }

  bool empty() const noexcept { return pieces_.empty(); }

  void advance(std::size_t n) noexcept {
    while (n != 0) {
      const std::size_t left = pieces_.front().size - offset_;
      if (n < left) {
        offset_ += n;
        return;
      }
      n -= left;
      pieces_ = pieces_.subspan(1);
      offset_ = 0;
    }
    skip_empty();
  }

  /// The next of them, none empty, in `room`.
  std::span<const const_buffer> gather(std::span<const_buffer, most_pieces> room) const noexcept {
    room[0] = {pieces_.front().data + offset_, pieces_.front().size - offset_};
    std::size_t used = 1;
    for (const const_buffer& piece : pieces_.subspan(1)) {
      if (used == room.size()) break;
      if (piece.size != 0) room[used++] = piece;
    }
    return room.first(used);
  }

 private:
  void skip_empty() noexcept {
    while (!pieces_.empty() && pieces_.front().size == 0) pieces_ = pieces_.subspan(1);
  }

  std::span<const const_buffer> pieces_;
  std::size_t offset_ = 0;
};

}  // namespace

std::expected<void, transfer_error> write_all(sink_ref to, std::span<const const_buffer> pieces,
                                              const wait_options* options) {
  waiting_sink sink(to, options);
  std::array<const_buffer, most_pieces> room;
  std::uintmax_t done = 0;
  for (rest_of_pieces rest(pieces); !rest.empty();) {
    const auto n = sink.write_some(rest.gather(room));
    if (!n) return fail(n.error(), done);
    if (*n == 0) return fail(io_errc::write_zero, done);
    rest.advance(*n);
    done += *n;
  }
  return {};
}

std::expected<void, transfer_error> write_all(sink_ref to, std::span<const std::byte> in, const wait_options* options) {
  const const_buffer piece(in);
  return write_all(to, {&piece, 1}, options);
}

std::expected<void, transfer_error> write_on(sink_ref to, std::span<const std::byte> in, std::error_code why,
                                             std::size_t accepted) {
  if (why && !would_block_error(why)) return fail(why, 0);
  if (!why && accepted == 0 && !in.empty()) return fail(io_errc::write_zero, 0);
  auto rest = write_all(to, in.subspan(accepted), nullptr);
  if (!rest) rest.error().bytes += accepted;
  return rest;
}

}  // namespace sluice::detail
