// SPDX-License-Identifier: BSL-1.0
#include "waiting.hpp"

#include "../copy/kernel_paths.hpp"
#include "../copy/selector.hpp"
#include "direct_writer.hpp"

#include <algorithm>

namespace sluice::detail {
namespace {

const wait_options& options_or_default(const wait_options* options) noexcept {
  static const wait_options none;
  return options ? *options : none;
}

}  // namespace

waiting::waiting(const wait_options* options) noexcept
    : wait_(options_or_default(options).stop, options_or_default(options).deadline),
      may_wait_(options_or_default(options).on_would_block == would_block::wait) {}

std::size_t waiting::piece(std::size_t size) const noexcept {
  return watchful() ? std::min(size, watched_piece) : size;
}

std::optional<std::error_code> waiting::wait(std::optional<fd_endpoint> endpoint, readiness what,
                                             std::error_code code) {
  if (!endpoint || endpoint->fd < 0 || !is_pollable(know_kind(*endpoint))) return code;
  const result<bool> ready = wait_.wait(endpoint->fd, what);
  if (!ready) return ready.error();
  return std::nullopt;
}

std::optional<std::error_code> waiting_source::wait_before_reading() {
  if (const auto why = ended()) return why;
  if (!may_wait() || (from_.is_buffered() && !from_.window().empty())) return std::nullopt;
  auto source = from_.kernel_endpoint();
  if (!source || source->buffered != 0 || source->max_bytes == 0 || !is_pollable(know_kind(*source)))
    return std::nullopt;
  if (waiter::ready(source->fd, readiness::readable)) return std::nullopt;
  return wait(source, readiness::readable, {});
}

result<std::size_t> waiting_sink::write_some(std::span<const const_buffer> pieces) {
  for (;;) {
    if (const auto why = ended()) return fail(*why);
    const result<std::size_t> written = watchful() ? write_without_waiting(pieces) : write(pieces);
    if (written || !may_wait() || !would_block_error(written.error())) return written;
    if (const auto why = wait(to_.kernel_endpoint(), readiness::writable, written.error())) return fail(*why);
  }
}

result<std::size_t> waiting_sink::write(std::span<const const_buffer> pieces) const {
  if (pieces.size() > 1 && to_.ops->write_vectored) return to_.ops->write_vectored(to_.object, pieces);
  return to_.write_some({pieces.front().data, piece(pieces.front().size)});
}

// A write that a buffered writer makes itself is not interrupted; a descriptor takes what fits at this moment.
result<std::size_t> waiting_sink::write_without_waiting(std::span<const const_buffer> pieces) {
  auto target = to_.is_buffered() ? std::nullopt : to_.kernel_endpoint();
  if (!target || target->buffered != 0 || target->max_bytes == 0 || !is_pollable(know_kind(*target)))
    return write(pieces);
  const std::span first(pieces.front().data, piece(pieces.front().size));
  // Without an allowance the stream itself waits for one, and then writes: that must not wait for room as well.
  if (target->allowance == 0) return write_what_fits(to_, target->fd, target->kind, first);
  if (target->max_step() != unbounded) pieces = pieces.first(1);
  const std::span fitting =
      first.first(static_cast<std::size_t>(std::min<std::uintmax_t>(first.size(), target->max_step())));
  if (direct_refused_ || (target->kind != fd_kind::pipe && target->kind != fd_kind::socket))
    return write_what_fits(to_, target->fd, target->kind, fitting);
  const direct_writer direct{to_, target->fd, target->kind, &direct_refused_};
  return pieces.size() == 1 ? direct.write_some(fitting) : direct.write_some(pieces);
}

}  // namespace sluice::detail
