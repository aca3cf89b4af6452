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

// The smallest block that a file system which clones has; and as much of a buffer as a first round may use.
constexpr std::size_t file_block = 4096;
constexpr std::size_t largest_first_round = std::size_t{256} << 10;

// A descriptor that does not tell its kind may have messages.
bool may_have_messages(fd_endpoint& endpoint) noexcept {
  if (endpoint.by_path || endpoint.fresh) return false;
  const fd_kind kind = know_kind(endpoint);
  return kind == fd_kind::message_socket || kind == fd_kind::unknown;
}

}  // namespace

// Only a buffer of some blocks, all of them whole, and of no great size: what follows it should still be fit to be
// cloned. Of a writer's buffer a round takes as much as that.
bool copy_run::buffer_tells_first() const {
  if (options.sparse == sparse_policy::always || engine.rounds_ > 1) return false;
  if (engine.rounds_ == 1) return !engine.filled_up_;
  if (from.is_buffered()) return from.capacity() <= largest_first_round && from.capacity() % file_block == 0;
  if (!to.is_buffered()) return false;
  const auto room = to.prepare(1);
  return room && room->size() >= file_block;
}

// Whole blocks, where there is room for one.
std::size_t copy_run::first_round_room(std::size_t room) noexcept {
  room = std::min(room, largest_first_round);
  return room > file_block ? room - room % file_block : room;
}

void copy_run::leave_kernel() noexcept {
  engine.kernel_ = copy_engine::kernel_state::off;
  engine.path_count_ = 0;
  engine.confirming_ = true;
}

// A wrapper has gone on to another source: everything has to be asked again.
void copy_run::forget_source() noexcept {
  engine.kernel_ = copy_engine::kernel_state::undecided;
  engine.rounds_ = 0;
  engine.sparse_ = false;
  engine.segment_left_ = 0;
}

// A file is not copied onto itself, and that is found out before anything is written, be it only what the reader has
// buffered.
bool copy_run::is_refused_as_same_file(fd_endpoint& source, fd_endpoint& target) const noexcept {
  if (engine.rounds_ != 0 || !one_regular_file(source, target)) return false;
  return refuses_same_file(source, target, std::min({engine.remaining_, source.max_bytes, target.max_bytes}));
}

// Before what the reader has buffered goes first: what has to be known of the two descriptors even so.
std::optional<copy_run::verdict> copy_run::look_ahead() {
  if (engine.rounds_ != 0) return std::nullopt;
  auto target = to.kernel_endpoint();
  if (!target) return std::nullopt;
  engine.cut_messages_ = may_have_messages(*target);
  auto source = from.kernel_endpoint();
  if (!source || !is_refused_as_same_file(*source, *target)) return std::nullopt;
  return failed(copy_side::writer, io_errc::same_file);
}

// Answers the question "may the kernel do it?" once for each source descriptor. Nothing is flushed before the answer.
std::optional<copy_run::verdict> copy_run::decide() {
  using enum copy_engine::kernel_state;
  auto source = from.kernel_endpoint();
  const bool another = engine.decided_.fd >= 0 || engine.kernel_ == off;
  if (source && !engine.decided_.is_still(*source) && another) forget_source();
  if (engine.kernel_ == off && source) return std::nullopt;
  auto target = to.kernel_endpoint();
  // What does not fit of a message is gone: it is read with room enough, wherever it goes.
  engine.whole_messages_ = source && may_have_messages(*source);
  engine.cut_messages_ = target && may_have_messages(*target);
  if (!source || !target) {
    engine.kernel_ = off;
    engine.decided_ = {};
    if (engine.report_.reason.empty()) engine.report_.reason = "a side has no descriptor to offer";
    return std::nullopt;
  }
  if (is_refused_as_same_file(*source, *target)) return failed(copy_side::writer, io_errc::same_file);
  // A wrapper that shows no window may still have one behind it; its bytes come first, through its read.
  if (source->buffered != 0) return std::nullopt;

  const bool on_the_stack = !from.is_buffered() && !to.is_buffered() && !to.ops->flush && stack_will_do();
  const bool in_a_buffer = !on_the_stack && buffer_tells_first();
  // What was opened by a path, and goes into a file, most likely is one: then that question can wait as well.
  const bool into_file = target->fresh || know_kind(*target) == fd_kind::regular_file;
  const bool ask_late =
      (on_the_stack || in_a_buffer) && source->kind == fd_kind::unknown && source->by_path && into_file;
  const fd_kind source_kind = ask_late ? fd_kind::regular_file : know_kind(*source);

  if (source_kind == fd_kind::regular_file) {
    if (on_the_stack && engine.rounds_ < 2 && options.sparse != sparse_policy::always)
      return stack_round(&*source, &*target);
    if (in_a_buffer) return std::nullopt;
  } else if (is_pollable(source_kind)) {
    const bool enough = to.is_buffered() ? engine.bytes_ >= worth_a_flush : engine.rounds_ > 0;
    if (!enough) {
      if (on_the_stack && !engine.whole_messages_) return stack_round();
      return std::nullopt;
    }
  }

  const examination found = examine(*source, *target, engine.remaining_, options);
  if (found.same_file) return failed(copy_side::writer, io_errc::same_file);
  if (const verdict v = take_kernel_paths(found, *target); v.what != verdict::kind::go_on) return v;
  return std::nullopt;
}

copy_run::verdict copy_run::take_kernel_paths(const examination& found, const fd_endpoint& target) {
  using enum copy_engine::kernel_state;
  if (engine.report_.reason.empty()) engine.report_.reason = found.choice.reason;
  engine.source_left_ = found.source_left;
  engine.sparse_ = found.sparse;
  engine.segment_left_ = 0;
  const std::uintmax_t odd = found.both_regular && !found.sparse ? found.source_offset % file_alignment : 0;
  engine.odd_start_ = odd != 0 ? file_alignment - odd : 0;
  engine.zeros_to_holes_ = found.both_regular && options.sparse == sparse_policy::always;
  engine.path_count_ = found.choice.count;
  std::copy_n(found.choice.paths.begin(), engine.path_count_, engine.paths_.begin());
  engine.kernel_ = off;
  if (engine.path_count_ == 0 && !engine.sparse_ && !engine.zeros_to_holes_) return {};

  // What the writer holds goes before what the kernel moves.
  if (target.buffered != 0) {
    if (!to.ops->flush || options.flush == flush_policy::never) {
      leave_kernel();
      engine.sparse_ = engine.zeros_to_holes_ = false;
      return {};
    }
    if (const verdict v = flush_writer(); v.what != verdict::kind::go_on) {
      engine.kernel_ = undecided;
      return v;
    }
    if (const auto now = to.kernel_endpoint(); now && now->buffered != 0) {
      // It holds on to bytes through a flush, so nothing may ever pass it.
      leave_kernel();
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
  if (source && !engine.decided_.is_still(*source)) {
    forget_source();
    return {};
  }
  if (!source || !target || source->buffered != 0 || target->buffered != 0) {
    engine.kernel_ = copy_engine::kernel_state::undecided;
    return source && source->buffered != 0 ? round() : verdict{};
  }
  kernel_pair pair{.from = source->fd,
                   .to = target->fd,
                   .from_kind = know_kind(*source),
                   .to_kind = know_kind(*target),
                   .from_offset = source->offset,
                   .pipe = &engine.pipe_};
  const bool long_pipe = pair.from_kind == fd_kind::pipe && engine.report_[copy_path::splice].bytes >= worth_a_pipe;
  pair.through_private_pipe =
      pair.from_kind == fd_kind::socket || (long_pipe && pair.to_kind != fd_kind::pipe && !engine.pipe_.refused);
  std::uintmax_t max = std::min({engine.remaining_, source->max_bytes, target->max_bytes, engine.source_left_});
  if (max == 0) {
    // By the numbers this is the end; a read has the last word.
    leave_kernel();
    return {};
  }
  max = std::min({max, source->allowance, target->allowance});
  if (max == 0) return round();
  if (engine.sparse_ && engine.segment_left_ == 0) return hole_step(pair, max);
  if (engine.sparse_) max = std::min(max, engine.segment_left_);
  if (engine.path_count_ == 0) {
    // Only the holes are the kernel's; the data between them passes through memory.
    return round();
  }

  // A clone takes no time, and is of the whole or not at all.
  if (watchful() && engine.paths_[0] != copy_path::clone) {
    max = std::min<std::uintmax_t>(max, watched_piece);
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
  if (done.what == step::outcome::ended) leave_kernel();
  if (done.what == step::outcome::gives_way) {
    engine.report_[path].gave_way = *done.code;
    std::shift_left(engine.paths_.begin(), engine.paths_.begin() + engine.path_count_, 1);
    if (--engine.path_count_ == 0 && !(engine.sparse_ && !from.is_buffered())) leave_kernel();
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
  if (done.what == step::outcome::ended) leave_kernel();
  if (done.what == step::outcome::gives_way) {
    engine.sparse_ = false;
    engine.report_[copy_path::hole].gave_way = *done.code;
    if (engine.path_count_ == 0) leave_kernel();
  }
  return account(copy_path::hole, done);
}

}  // namespace sluice::detail
