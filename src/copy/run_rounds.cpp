// SPDX-License-Identifier: BSL-1.0
//
// A run's rounds through user space: which of them suits the two streams, and what is in flight between two.
//
#include "copy_run.hpp"

#include <algorithm>
#include <utility>

namespace sluice::detail {
namespace {

constexpr std::size_t default_scratch = std::size_t{256} << 10;

// A round on the stack uses this much of it.
constexpr std::size_t stack_size = std::size_t{32} << 10;

// A message socket takes no more than its send buffer in one write; this much always fits.
constexpr std::size_t message_size = std::size_t{32} << 10;

// So many rounds through memory are made in a row before the descriptors are looked at again.
constexpr unsigned steady_rounds = 16;

}  // namespace

scratch_area copy_run::scratch() {
  if (engine.scratch_ == nullptr) {
    if (!options.scratch.empty()) {
      engine.scratch_ = options.scratch.data();
      engine.scratch_size_ = options.scratch.size();
    } else {
      const std::size_t wanted = options.buffer_size != 0 ? options.buffer_size : default_scratch;
      engine.scratch_size_ = static_cast<std::size_t>(
          std::min<std::uintmax_t>(wanted, std::max<std::uintmax_t>(engine.remaining_, stack_size)));
      engine.owned_scratch_ = std::make_unique_for_overwrite<std::byte[]>(engine.scratch_size_);
      engine.scratch_ = engine.owned_scratch_.get();
    }
  }
  return {{engine.scratch_, engine.scratch_size_}, engine.begin_, engine.end_};
}

std::size_t copy_run::round_size(std::uintmax_t max) const noexcept {
  return static_cast<std::size_t>(std::min<std::uintmax_t>(max, std::size_t{1} << 30));
}

copy_run::verdict copy_run::round() {
  if (const verdict v = before_reading(); v.what != verdict::kind::go_on) return v;
  std::uintmax_t max = engine.remaining_;
  if (engine.segment_left_ != 0) max = std::min(max, engine.segment_left_);
  std::size_t size = round_size(max);
  sink_ref out = to;
  if (const verdict v = watched_output(out, size); v.what != verdict::kind::go_on) return v;

  copy_path path = copy_path::scratch;
  std::span<std::byte> space;
  if (from.is_buffered() && !from.window().empty()) {
    path = from.ops->in_memory ? copy_path::memory : copy_path::drain;
  } else if (engine.zeros_to_holes_ || engine.whole_messages_) {
    path = copy_path::scratch;
  } else if (to.is_buffered()) {
    const auto prepared = to.prepare(1);
    if (prepared && !prepared->empty()) {
      space = *prepared;
      // While the kernel may still come in, it should find the source on the border of a block.
      if (engine.kernel_ == copy_engine::kernel_state::undecided) space = space.first(first_round_room(space.size()));
      path = from.is_buffered() && from.capacity() >= space.size() ? copy_path::drain : copy_path::fill;
    } else if (prepared || prepared.error() == io_errc::buffer_too_small) {
      // The writer can hold no more. Whether that matters is for the next byte of the source to say, if there is one.
      size = 1;
    } else {
      return account(copy_path::fill, writer_error(prepared.error()));
    }
  } else if (from.is_buffered()) {
    path = copy_path::drain;
  }

  if (path == copy_path::scratch && engine.confirming_ && !engine.zeros_to_holes_ && stack_will_do()) {
    engine.confirming_ = false;
    return stack_round();
  }

  if (engine.cut_messages_ && !engine.whole_messages_) size = std::min(size, message_size);
  std::size_t left = size;
  const auto once = [&] {
    step one;
    if (path == copy_path::scratch) {
      // What was read is accounted before it is written: a writer of the user's may throw.
      one = read_round(from, scratch(), left);
      left -= static_cast<std::size_t>(one.taken);
      take(std::exchange(one.taken, 0));
      if (in_flight() && !engine.zeros_to_holes_) one = write_in_flight(out, scratch(), engine.end_);
    } else {
      one = path == copy_path::fill ? fill_round(from, to, space, left) : drain_round(from, out, left);
      left -= static_cast<std::size_t>(one.taken);
    }
    return one;
  };
  const bool was_read_before = from.is_buffered() && !from.window().empty();
  // As long as nothing has to be asked between two rounds, one follows the other. A writer that may hold bytes has to
  // be asked: it is flushed before the source is waited for.
  const bool steady = engine.kernel_ == copy_engine::kernel_state::off && !watchful() && !to.ops->flush &&
                      path != copy_path::fill && !engine.zeros_to_holes_;
  step done;
  unsigned calls = 1;
  try {
    done = once();
    engine.filled_up_ = was_read_before || done.taken >= (path == copy_path::fill    ? std::min(space.size(), size)
                                                          : path == copy_path::drain ? from.capacity()
                                                                                     : engine.scratch_size_);
    for (unsigned i = 1; steady && i < steady_rounds; ++i) {
      if (done.what != step::outcome::moved || in_flight() || left == 0) break;
      const step next_one = once();
      if (next_one.given != 0) ++calls;
      done.add(next_one);
    }
  } catch (...) {
    // A stream of the user's may throw; what the rounds before have done is done.
    account(path, done, calls);
    throw;
  }
  if (engine.rounds_ < 2) ++engine.rounds_;
  const verdict v = account(path, done, calls);
  if (done.what == step::outcome::ended) return finish();
  return v;
}

// A round on the stack, which needs no allocation: the first two between two descriptors, so that a small file ends
// after a read, a write and the read that finds the end; and the one that confirms an end that the kernel hinted at.
// What the writer does not take is kept in the scratch buffer, and so it is where a stream of the user's throws.
[[gnu::noinline]] copy_run::verdict copy_run::stack_round(fd_endpoint* source, fd_endpoint* target) {
  std::byte memory[stack_size];
  std::size_t begin = 0;
  std::size_t end = 0;
  const scratch_area area{memory, begin, end};
  try {
    const verdict v = stack_turns(area, source, target);
    keep_in_flight(area);
    return v;
  } catch (...) {
    keep_in_flight(area);
    throw;
  }
}

// With the two endpoints the question of the kernel paths is still open, and is answered once the source proves to be
// large; until then a short turn is followed by the next, from the same source.
copy_run::verdict copy_run::stack_turns(const scratch_area& area, fd_endpoint* source, fd_endpoint* target) {
  for (;;) {
    step done = read_round(from, area, round_size(engine.remaining_));
    engine.rounds_ = static_cast<unsigned char>(std::min(engine.rounds_ + 1, 2));
    if (done.what != step::outcome::moved) {
      const verdict v = account(copy_path::scratch, done);
      return done.what == step::outcome::ended ? finish() : v;
    }
    if (const verdict v = account(copy_path::scratch, done); v.what != verdict::kind::go_on) return v;
    const bool was_full = area.end == stack_size;
    if (was_full && source) {
      // What the descriptors are decides what becomes of these bytes too.
      if (const auto now = from.kernel_endpoint()) *source = *now;
      if (const auto now = to.kernel_endpoint()) *target = *now;
      engine.decided_.is_still(*source);
      const examination found = examine(*source, *target, engine.remaining_, options);
      if (found.same_file) return failed(copy_side::writer, io_errc::same_file);
      engine.rounds_ = 2;
      if (const verdict v = take_kernel_paths(found, *target); v.what != verdict::kind::go_on) return v;
      engine.flight_has_holes_ = found.sparse;
    }
    done.taken = 0;
    try {
      while (area.begin != area.end && done.what == step::outcome::moved && !engine.flight_has_holes_)
        done.add(write_in_flight(to, area, area.end - area.begin));
    } catch (...) {
      account(copy_path::scratch, done);
      throw;
    }
    const verdict v = account(copy_path::scratch, done);
    if (v.what != verdict::kind::go_on || !source || was_full || area.begin != area.end) return v;
    if (engine.rounds_ == 2 || engine.remaining_ == 0) return v;
    const auto now = from.kernel_endpoint();
    if (!now || now->buffered != 0 || !engine.decided_.is_still(*now)) return v;
    *source = *now;
  }
}

// Moves what is left of a round on the stack into the scratch buffer.
void copy_run::keep_in_flight(const scratch_area& left) {
  if (left.begin == left.end) return;
  const scratch_area kept = scratch();
  std::copy(left.memory.data() + left.begin, left.memory.data() + left.end, kept.memory.data());
  kept.begin = 0;
  kept.end = left.end - left.begin;
}

// What was taken goes out before anything else is read: from the scratch buffer, or from the private pipe, by splice
// for as long as that path stands, else by way of the scratch buffer.
copy_run::verdict copy_run::pass_on_in_flight() {
  if (!in_flight()) {
    auto target = to.kernel_endpoint();
    if (engine.kernel_ == copy_engine::kernel_state::taken && target && target->buffered == 0) {
      const kernel_pair pair{.from = -1, .to = target->fd, .to_kind = know_kind(*target), .pipe = &engine.pipe_};
      guard_from_sigpipe(pair.to_kind);
      std::size_t size = engine.pipe_.filled;
      if (pair.to_kind != fd_kind::pipe) {
        if (const verdict v = before_writing(size); v.what != verdict::kind::go_on) return v;
      }
      const step done = pipe_to_writer(pair, size);
      if (done.what == step::outcome::gives_way) {
        engine.report_[copy_path::splice].gave_way = *done.code;
        leave_kernel();
      }
      return account(copy_path::splice, done);
    }
    scratch_area area = scratch();
    area.begin = 0;
    std::error_code why;
    area.end = pipe_to_memory(engine.pipe_, area.memory, why);
    if (area.end == 0) return failed(copy_side::none, why);
    return {};
  }
  std::size_t size = engine.end_ - engine.begin_;
  sink_ref out = to;
  if (const verdict v = watched_output(out, size); v.what != verdict::kind::go_on) return v;
  copy_path path = copy_path::scratch;
  const step done = write_or_make_hole(out, size, path);
  if (!in_flight()) engine.flight_has_holes_ = false;
  return account(path, done);
}

// Writes up to `size` bytes of what is in flight; blocks of zeros become a hole where that is wanted.
step copy_run::write_or_make_hole(sink_ref out, std::size_t size, copy_path& path) {
  const scratch_area area = scratch();
  if (!engine.zeros_to_holes_ && !engine.flight_has_holes_) return write_in_flight(out, area, size);

  const std::span<const std::byte> bytes(engine.scratch_ + engine.begin_, size);
  const zero_run run = find_zero_blocks(bytes);
  if (run.before != 0) return write_in_flight(out, area, run.before);
  const auto target = to.kernel_endpoint();
  const auto length = static_cast<std::size_t>(target ? std::min<std::uintmax_t>(run.length, target->allowance) : 0);
  if (target && length == 0) return write_in_flight(out, area, run.length);
  if (!target || target->buffered != 0 || target->max_bytes < length || !make_hole(target->fd, length)) {
    engine.zeros_to_holes_ = engine.flight_has_holes_ = false;
    return write_in_flight(out, area, size);
  }
  path = copy_path::hole;
  engine.begin_ += length;
  if (engine.begin_ == engine.end_) engine.begin_ = engine.end_ = 0;
  step done;
  done.given = length;
  return done;
}

}  // namespace sluice::detail
