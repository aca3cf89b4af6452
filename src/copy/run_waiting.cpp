// SPDX-License-Identifier: BSL-1.0
//
// A run's waiting and flushing: what has to happen before a call that could block, and when one would have.
//
#include "copy_run.hpp"

#include <algorithm>

namespace sluice::detail {

copy_run::verdict copy_run::flush_writer() {
  if (!to.ops->flush) return {};
  for (auto flushed = to.flush(); !flushed; flushed = to.flush()) {
    if (!would_block_error(flushed.error())) return failed(copy_side::writer, flushed.error());
    if (const verdict v = blocked(copy_side::writer, flushed.error(), -1); v.what != verdict::kind::go_on) return v;
  }
  writer_holds_bytes = false;
  return {};
}

// Before a read that may have to wait: what the writer holds goes out first, as a peer may be waiting for just that.
copy_run::verdict copy_run::before_reading() {
  const bool must_flush = writer_holds_bytes && options.flush != flush_policy::never;
  if (!must_flush && !watchful()) return {};
  if (from.is_buffered() && !from.window().empty()) return {};
  auto source = from.kernel_endpoint();
  if (!source || source->buffered != 0 || source->max_bytes == 0 || !is_pollable(know_kind(*source))) return {};
  if (waiter::ready(source->fd, readiness::readable)) return {};
  if (must_flush) {
    if (const verdict v = flush_writer(); v.what != verdict::kind::go_on) return v;
  }
  if (!may_wait || !watchful()) return {};
  return blocked(copy_side::reader, std::make_error_code(std::errc::operation_would_block), source->fd);
}

// With somebody watching, a write to a blocking descriptor waits for room first and takes no more than fits.
copy_run::verdict copy_run::before_writing(std::size_t& size) {
  if (!watchful() || to.is_buffered()) return {};
  auto target = to.kernel_endpoint();
  if (!target || target->buffered != 0 || !is_pollable(know_kind(*target))) return {};
  if (may_wait && !waiter::ready(target->fd, readiness::writable)) {
    const verdict v = blocked(copy_side::writer, std::make_error_code(std::errc::operation_would_block), target->fd);
    if (v.what != verdict::kind::go_on) return v;
  }
  size = std::min(size, unblocked_write_size(target->fd, target->kind));
  return {};
}

// With somebody watching, what goes to a pipe or a socket is written to the descriptor itself, which takes what fits at
// once; other descriptors that may block get a small piece when they have room.
copy_run::verdict copy_run::watched_output(sink_ref& out, std::size_t& size) {
  if (!watchful() || to.is_buffered()) return {};
  auto target = to.kernel_endpoint();
  if (!target || target->buffered != 0) return {};
  const fd_kind kind = know_kind(*target);
  if (target->max_bytes == 0) return {};
  // Without an allowance the stream itself waits for one, and then writes: that must not wait for room as well.
  if (target->allowance == 0) return before_writing(size);
  size = static_cast<std::size_t>(std::min<std::uintmax_t>(size, target->max_step()));
  if (engine.direct_refused_ || (kind != fd_kind::pipe && kind != fd_kind::socket)) return before_writing(size);
  direct = direct_writer{to, target->fd, kind, &engine.direct_refused_};
  out = as_sink(*direct);
  return {};
}

// A side would block: waits for it, or says so. A stream that shows no descriptor cannot be waited for.
copy_run::verdict copy_run::blocked(copy_side side, const std::optional<std::error_code>& code, int fd) {
  const readiness what = side == copy_side::reader ? readiness::readable : readiness::writable;
  if (side == copy_side::reader && writer_holds_bytes && options.flush != flush_policy::never) {
    if (const verdict v = flush_writer(); v.what != verdict::kind::go_on) return v;
  }
  if (fd < 0) {
    auto endpoint = side == copy_side::reader ? from.kernel_endpoint() : to.kernel_endpoint();
    if (!endpoint || endpoint->fd < 0 || !is_pollable(know_kind(*endpoint))) return failed(side, code);
    fd = endpoint->fd;
  }
  if (!may_wait) return {verdict::kind::blocked, side, code, fd, what};
  for (;;) {
    const result<bool> ready = wait.wait(fd, what, progress.longest_wait());
    if (!ready) return failed(ready.error() == wait.ended() ? copy_side::none : side, ready.error());
    progress.tick(engine.bytes_);
    if (*ready) return {};
  }
}

}  // namespace sluice::detail
