// SPDX-License-Identifier: BSL-1.0
//
// A run's kernel paths: whether there are any for the two descriptors, and one step on the first of them.
//
#include "copy_run.hpp"

#include <algorithm>

namespace sluice::detail {
namespace {

// A source of unknown size that feeds a buffered writer passes this much through the buffer before a kernel path is
// worth the flush: many small copies into one writer coalesce.
constexpr std::uintmax_t worth_a_flush = std::uintmax_t{64} << 10;

// A pipe that has moved this much by splice is worth a private pipe.
constexpr std::uintmax_t worth_a_pipe = std::uintmax_t{256} << 10;

// The kernel moves a file in pieces of this size. Where they lie across the borders of the large folios in the page
// cache, the copy takes a quarter more time (ext4, Linux 6.18).
constexpr std::uintmax_t file_alignment = std::uintmax_t{64} << 10;

// With somebody watching, one system call moves no more than this.
constexpr std::uintmax_t watched_piece = std::uintmax_t{16} << 20;

}  // namespace

// Only a buffer of whole blocks and no great size: what follows it should still be fit to be cloned.
bool copy_run::buffer_tells_first() const noexcept {
  constexpr std::size_t largest = std::size_t{256} << 10;
  constexpr std::size_t block = 4096;
  if (options.sparse == sparse_policy::always || engine.rounds_ > 1) return false;
  if (engine.rounds_ == 1) return !engine.filled_up_;
  if (!from.is_buffered()) return to.is_buffered();
  return from.capacity() <= largest && from.capacity() % block == 0;
}

void copy_run::leave_kernel(int source_fd) noexcept {
  engine.kernel_ = copy_engine::kernel_state::off;
  engine.decided_fd_ = source_fd;
  engine.path_count_ = 0;
  engine.confirming_ = true;
}

// A file is not copied onto itself, and that is found out before anything is written, be it only what the reader has
// buffered.
bool copy_run::is_refused_as_same_file(fd_endpoint& source, fd_endpoint& target) const noexcept {
  if (engine.rounds_ != 0 || !one_regular_file(source, target)) return false;
  return refuses_same_file(source, target, std::min({engine.remaining_, source.max_bytes, target.max_bytes}));
}

std::optional<copy_run::verdict> copy_run::refuse_same_file() {
  if (engine.rounds_ != 0) return std::nullopt;
  auto source = from.kernel_endpoint();
  if (!source) return std::nullopt;
  auto target = to.kernel_endpoint();
  if (!target || !is_refused_as_same_file(*source, *target)) return std::nullopt;
  return failed(copy_side::writer, io_errc::same_file);
}

// Answers the question "may the kernel do it?" once for each source descriptor. Nothing is flushed before the answer.
std::optional<copy_run::verdict> copy_run::decide() {
  using enum copy_engine::kernel_state;
  auto source = from.kernel_endpoint();
  if (engine.kernel_ == off && source && source->fd == engine.decided_fd_) return std::nullopt;
  auto target = to.kernel_endpoint();
  // What does not fit of a message is gone: it is read with room enough, wherever it goes. A descriptor that does not
  // tell its kind may have messages.
  const auto may_have_messages = [](fd_kind kind) {
    return kind == fd_kind::message_socket || kind == fd_kind::unknown;
  };
  engine.whole_messages_ = source && !source->by_path && may_have_messages(know_kind(*source));
  engine.cut_messages_ = target && !target->fresh && may_have_messages(know_kind(*target));
  if (!source || !target) {
    engine.kernel_ = off;
    engine.decided_fd_ = -1;
    if (engine.report_.reason.empty()) engine.report_.reason = "a side has no descriptor to offer";
    return std::nullopt;
  }
  if (engine.kernel_ == off) {
    engine.kernel_ = undecided;
    engine.rounds_ = 0;
    engine.sparse_ = false;
  }
  // A wrapper that shows no window may still have one behind it; its bytes come first, through its read.
  if (source->buffered != 0) return std::nullopt;

  if (is_refused_as_same_file(*source, *target)) return failed(copy_side::writer, io_errc::same_file);

  const bool on_the_stack = !from.is_buffered() && !to.is_buffered() && stack_will_do();
  // What was opened by a path, and goes into a file, most likely is one: then that question can wait as well.
  const bool into_file = target->fresh || know_kind(*target) == fd_kind::regular_file;
  const bool ask_late =
      (on_the_stack || buffer_tells_first()) && source->kind == fd_kind::unknown && source->by_path && into_file;
  const fd_kind source_kind = ask_late ? fd_kind::regular_file : know_kind(*source);

  if (source_kind == fd_kind::regular_file) {
    if (on_the_stack && engine.rounds_ < 2 && options.sparse != sparse_policy::always)
      return stack_round(&*source, &*target);
    if (buffer_tells_first()) return std::nullopt;
  } else if (is_pollable(source_kind)) {
    const bool enough = to.is_buffered() ? engine.bytes_ >= worth_a_flush : engine.rounds_ > 0;
    if (!enough) {
      if (on_the_stack && !engine.whole_messages_ && !to.ops->flush) return stack_round();
      return std::nullopt;
    }
  }

  const examination found = examine(*source, *target, engine.remaining_, options);
  if (found.same_file) return failed(copy_side::writer, io_errc::same_file);
  if (const verdict v = take_kernel_paths(found, *target, source->fd); v.what != verdict::kind::go_on) return v;
  return std::nullopt;
}

copy_run::verdict copy_run::take_kernel_paths(const examination& found, const fd_endpoint& target, int source_fd) {
  using enum copy_engine::kernel_state;
  if (engine.report_.reason.empty()) engine.report_.reason = found.choice.reason;
  engine.source_left_ = found.source_left;
  engine.sparse_ = found.sparse;
  const std::uintmax_t odd = found.both_regular && !found.sparse ? found.source_offset % file_alignment : 0;
  engine.odd_start_ = odd != 0 ? file_alignment - odd : 0;
  engine.zeros_to_holes_ = found.both_regular && options.sparse == sparse_policy::always;
  engine.path_count_ = found.choice.count;
  std::copy_n(found.choice.paths.begin(), engine.path_count_, engine.paths_.begin());
  engine.decided_fd_ = source_fd;
  engine.kernel_ = off;
  if (engine.path_count_ == 0 && !engine.sparse_ && !engine.zeros_to_holes_) return {};

  // What the writer holds goes before what the kernel moves.
  if (target.buffered != 0) {
    if (!to.ops->flush || options.flush == flush_policy::never) {
      leave_kernel(source_fd);
      engine.sparse_ = engine.zeros_to_holes_ = false;
      return {};
    }
    if (const verdict v = flush_writer(); v.what != verdict::kind::go_on) {
      engine.kernel_ = undecided;
      return v;
    }
    if (const auto now = to.kernel_endpoint(); now && now->buffered != 0) {
      // It holds on to bytes through a flush, so nothing may ever pass it.
      leave_kernel(source_fd);
      engine.sparse_ = engine.zeros_to_holes_ = false;
      return {};
    }
  }
  if (engine.path_count_ != 0 || engine.sparse_) engine.kernel_ = taken;
  return {};
}

copy_run::verdict copy_run::kernel_step() {
  auto source = from.kernel_endpoint();
  auto target = to.kernel_endpoint();
  if (!source || !target || source->fd != engine.decided_fd_ || source->buffered != 0 || target->buffered != 0) {
    engine.kernel_ = copy_engine::kernel_state::undecided;
    return source && source->buffered != 0 ? round() : verdict{};
  }
  kernel_pair pair{.from = source->fd,
                   .to = target->fd,
                   .from_kind = know_kind(*source),
                   .to_kind = know_kind(*target),
                   .pipe = &engine.pipe_};
  pair.through_private_pipe =
      pair.from_kind == fd_kind::socket || (pair.from_kind == fd_kind::pipe && pair.to_kind != fd_kind::pipe &&
                                            engine.report_[copy_path::splice].bytes >= worth_a_pipe);
  std::uintmax_t max = std::min({engine.remaining_, source->max_bytes, target->max_bytes, engine.source_left_});
  if (max == 0) {
    // By the numbers this is the end; a read has the last word.
    leave_kernel(source->fd);
    return {};
  }
  if (engine.sparse_ && engine.segment_left_ == 0) return hole_step(pair, max);
  if (engine.sparse_) max = std::min(max, engine.segment_left_);
  if (engine.path_count_ == 0) {
    // Only the holes are the kernel's; the data between them passes through memory.
    return round();
  }

  // A clone takes no time, and is of the whole or not at all.
  if (wait.watchful() && engine.paths_[0] != copy_path::clone) {
    max = std::min(max, watched_piece);
    if (is_pollable(pair.from_kind)) {
      if (const verdict v = before_reading(); v.what != verdict::kind::go_on) return v;
    }
    std::size_t size = round_size(max);
    if (pair.to_kind != fd_kind::pipe) {
      if (const verdict v = before_writing(size); v.what != verdict::kind::go_on) return v;
    }
    // A private pipe between takes what it can hold, and passes it on in pieces of that size.
    if (pair.through_private_pipe)
      pair.write_size = size;
    else
      max = size;
  }
  guard_from_sigpipe(pair.to_kind);

  const copy_path path = engine.paths_[0];
  if (engine.odd_start_ != 0 && path != copy_path::clone) max = std::min(max, engine.odd_start_);
  const step done = kernel_move(path, pair, max);
  engine.odd_start_ -= std::min(engine.odd_start_, done.taken);
  if (done.what == step::outcome::ended) leave_kernel(source->fd);
  if (done.what == step::outcome::gives_way) {
    engine.report_[path].gave_way = *done.code;
    std::shift_left(engine.paths_.begin(), engine.paths_.begin() + engine.path_count_, 1);
    if (--engine.path_count_ == 0 && !(engine.sparse_ && !from.is_buffered())) leave_kernel(source->fd);
  }
  return account(path, done);
}

copy_run::verdict copy_run::hole_step(const kernel_pair& pair, std::uintmax_t max) {
  // A whole file is cloned with its holes, where files can be cloned at all.
  if (engine.path_count_ != 0 && engine.paths_[0] == copy_path::clone) {
    const step cloned = kernel_move(copy_path::clone, pair, max);
    if (cloned.what != step::outcome::gives_way) return account(copy_path::clone, cloned);
    engine.report_[copy_path::clone].gave_way = *cloned.code;
    std::shift_left(engine.paths_.begin(), engine.paths_.begin() + engine.path_count_, 1);
    --engine.path_count_;
  }
  const step done = skip_hole(pair, max, engine.segment_left_);
  if (done.what == step::outcome::ended) leave_kernel(pair.from);
  if (done.what == step::outcome::gives_way) {
    engine.sparse_ = false;
    engine.report_[copy_path::hole].gave_way = *done.code;
    if (engine.path_count_ == 0) leave_kernel(pair.from);
  }
  return account(copy_path::hole, done);
}

}  // namespace sluice::detail
