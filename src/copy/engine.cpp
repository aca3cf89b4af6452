// SPDX-License-Identifier: BSL-1.0
//
// The loop of a copy. It asks which path comes next, lets that path make one step, and keeps the accounts; the paths
// themselves know nothing of one another.
//
#include <sluice/detail/copy_engine.hpp>

#include "../system/linux/sigpipe_guard.hpp"
#include "kernel_paths.hpp"
#include "rounds.hpp"
#include "selector.hpp"
#include "waiter.hpp"

#include <algorithm>
#include <utility>

namespace sluice::detail {

const copy_options& default_copy_options() noexcept {
  static const copy_options options;
  return options;
}

namespace {

constexpr std::size_t default_scratch = std::size_t{256} << 10;

// The first round between two descriptors uses this much of the stack, and so needs no allocation.
constexpr std::size_t probe_size = std::size_t{32} << 10;

// A source of unknown size that feeds a buffered writer passes this much through the buffer before a kernel path is
// worth the flush: many small copies into one writer coalesce.
constexpr std::uintmax_t worth_a_flush = std::uintmax_t{64} << 10;

// So many rounds through memory are made in a row before the descriptors are looked at again.
constexpr unsigned steady_rounds = 16;

// With somebody watching, one system call moves no more than this.
constexpr std::uintmax_t watched_piece = std::uintmax_t{16} << 20;

bool is_pollable(fd_kind kind) noexcept {
  using enum fd_kind;
  return kind == pipe || kind == socket || kind == message_socket || kind == terminal;
}

bool is_kernel_path(copy_path path) noexcept { return path >= copy_path::hole; }

}  // namespace

/// The writer's descriptor, written to without waiting: for a copy that somebody watches.
struct direct_writer {
  copy_run* run;
  int fd;
  fd_kind kind;

  result<std::size_t> write_some(std::span<const std::byte> bytes) const;
};

/// One run of an engine over its streams.
struct copy_run {
  copy_engine& engine;
  source_ref from;
  sink_ref to;
  const copy_options& options;
  bool may_wait;
  waiter wait{options, engine.last_tick_};
  std::optional<sys::sigpipe_guard> no_sigpipe = std::nullopt;
  std::optional<direct_writer> direct = std::nullopt;
  bool direct_refused = false;                         // the kernel cannot write to this descriptor without waiting
  bool writer_holds_bytes = to.ops->flush != nullptr;  // it may, until it has been flushed

  struct verdict {
    enum class kind : unsigned char { go_on, finished, blocked, failed };

    kind what = kind::go_on;
    copy_side side = copy_side::none;
    std::optional<std::error_code> code;
    int fd = -1;
    readiness wait_for = readiness::none;
  };

  static verdict failed(copy_side side, const std::optional<std::error_code>& code) noexcept {
    return {verdict::kind::failed, side, code, -1, readiness::none};
  }

  verdict drive();

 private:
  bool stopped() const noexcept { return options.stop.stop_requested(); }
  scratch_area scratch();
  std::size_t round_size(std::uintmax_t max) const noexcept;
  bool in_flight() const noexcept { return engine.begin_ != engine.end_; }
  void guard_from_sigpipe(fd_kind target) noexcept {
    if (is_pollable(target) && !no_sigpipe) no_sigpipe.emplace();
  }

  verdict next();
  verdict round();
  verdict stack_round(fd_endpoint* source = nullptr, fd_endpoint* target = nullptr);
  void keep_in_flight(const scratch_area& left);
  verdict pass_on_in_flight();
  step write_or_make_hole(sink_ref out, std::size_t size, copy_path& path);
  verdict kernel_step();
  verdict hole_step(const kernel_pair& pair, std::uintmax_t max);

  std::optional<verdict> refuse_same_file();
  std::optional<verdict> decide();
  verdict take_kernel_paths(const examination& found, const fd_endpoint& target, int source_fd);
  void leave_kernel(int source_fd) noexcept;

  verdict before_reading();
  verdict before_writing(std::size_t& size);
  verdict watched_output(sink_ref& out, std::size_t& size);
  verdict flush_writer();
  verdict blocked(copy_side side, const std::optional<std::error_code>& code, int fd);
  verdict finish();

  verdict account(copy_path path, const step& done, unsigned calls = 1);
};

// ---------------------------------------------------------------------------------------------------------------------
// The loop

copy_run::verdict copy_run::drive() {
  if (engine.done_) return {verdict::kind::finished, {}, {}, -1, {}};
  for (;;) {
    if (stopped()) return failed(copy_side::none, io_errc::cancelled);
    const verdict v = next();
    if (v.what != verdict::kind::go_on) return v;
  }
}

copy_run::verdict copy_run::next() {
  if (in_flight() || engine.pipe_.filled != 0) return pass_on_in_flight();
  if (engine.remaining_ == 0) return finish();
  if (from.is_buffered() && !from.window().empty()) {
    if (const auto v = refuse_same_file()) return *v;
    return round();
  }

  if (engine.kernel_ != copy_engine::kernel_state::taken) {
    if (const auto v = decide()) return *v;
  }
  if (engine.kernel_ == copy_engine::kernel_state::taken) return kernel_step();
  return round();
}

copy_run::verdict copy_run::finish() {
  if (options.flush == flush_policy::at_end) {
    if (const verdict v = flush_writer(); v.what != verdict::kind::go_on) return v;
  }
  engine.done_ = true;
  wait.tick(engine.bytes_, true);
  return {verdict::kind::finished, {}, {}, -1, {}};
}

// The accounts are kept here and nowhere else.
copy_run::verdict copy_run::account(copy_path path, const step& done, unsigned calls) {
  engine.bytes_ += done.given;
  if (engine.remaining_ != unbounded) engine.remaining_ -= done.taken;
  auto& share = engine.report_[path];
  share.bytes += done.given;
  if (done.given != 0) share.calls += calls;
  if (is_kernel_path(path)) {
    if (done.taken != 0) from.kernel_advanced(done.taken);
    if (done.given != 0) to.kernel_advanced(done.given);
    if (done.code == std::errc::broken_pipe && no_sigpipe) no_sigpipe->saw_epipe();
  } else if (done.given != 0) {
    writer_holds_bytes = to.ops->flush != nullptr;
  }
  if (engine.source_left_ != unbounded) engine.source_left_ -= std::min(engine.source_left_, done.taken);
  engine.segment_left_ -= std::min(engine.segment_left_, done.taken);
  wait.tick(engine.bytes_);

  switch (done.what) {
    case step::outcome::reader_blocked: return blocked(copy_side::reader, done.code, -1);
    case step::outcome::writer_blocked: return blocked(copy_side::writer, done.code, -1);
    case step::outcome::reader_failed: return failed(copy_side::reader, done.code);
    case step::outcome::writer_failed: return failed(copy_side::writer, done.code);
    case step::outcome::moved:
    case step::outcome::ended:
    case step::outcome::gives_way: break;
  }
  return {};
}

// ---------------------------------------------------------------------------------------------------------------------
// Rounds through user space

scratch_area copy_run::scratch() {
  if (engine.scratch_ == nullptr) {
    if (!options.scratch.empty()) {
      engine.scratch_ = options.scratch.data();
      engine.scratch_size_ = options.scratch.size();
    } else {
      const std::size_t wanted = options.buffer_size != 0 ? options.buffer_size : default_scratch;
      engine.scratch_size_ = static_cast<std::size_t>(
          std::min<std::uintmax_t>(wanted, std::max<std::uintmax_t>(engine.remaining_, probe_size)));
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

  const bool own_scratch = options.scratch.empty() && options.buffer_size == 0 && !wait.watchful();
  if (path == copy_path::scratch && engine.confirming_ && !engine.zeros_to_holes_ && own_scratch) {
    engine.confirming_ = false;
    return stack_round();
  }

  const auto once = [&](std::size_t max_bytes) {
    switch (path) {
      case copy_path::fill: return fill_round(from, to, space, max_bytes);
      case copy_path::scratch:
        return engine.zeros_to_holes_ ? read_round(from, scratch(), max_bytes)
                                      : scratch_round(from, out, scratch(), max_bytes);
      default: return drain_round(from, out, max_bytes);
    }
  };
  step done = once(size);
  unsigned calls = 1;
  // As long as nothing has to be asked between two rounds, one follows the other.
  const bool steady = engine.kernel_ == copy_engine::kernel_state::off && !wait.watchful() && !writer_holds_bytes &&
                      path != copy_path::fill && !engine.zeros_to_holes_;
  for (unsigned i = 1; steady && i < steady_rounds; ++i) {
    if (done.what != step::outcome::moved || in_flight() || done.taken == size) break;
    const step next_one = once(size - static_cast<std::size_t>(done.taken));
    if (next_one.given != 0) ++calls;
    done.add(next_one);
  }
  if (engine.rounds_ < 2) ++engine.rounds_;
  const verdict v = account(path, done, calls);
  if (done.what == step::outcome::ended) return finish();
  return v;
}

// A round on the stack, which needs no allocation: the first two between two descriptors, so that a small file ends
// after a read, a write and the read that finds the end; and the one that confirms an end that the kernel hinted at.
// With the two endpoints the question of the kernel paths is still open, and is answered once the source proves to be
// large. What the writer does not take is kept in the scratch buffer.
[[gnu::noinline]] copy_run::verdict copy_run::stack_round(fd_endpoint* source, fd_endpoint* target) {
  std::byte memory[probe_size];
  std::size_t begin = 0;
  std::size_t end = 0;
  const scratch_area area{memory, begin, end};
  step done = read_round(from, area, round_size(engine.remaining_));
  engine.rounds_ = static_cast<unsigned char>(std::min(engine.rounds_ + 1, 2));
  if (done.what != step::outcome::moved) {
    const verdict v = account(copy_path::scratch, done);
    return done.what == step::outcome::ended ? finish() : v;
  }
  if (const verdict v = account(copy_path::scratch, done); v.what != verdict::kind::go_on) return v;
  done.taken = 0;
  if (end == probe_size && source) {
    // What the descriptors are decides what becomes of these bytes too.
    const examination found = examine(*source, *target, engine.remaining_, options);
    engine.rounds_ = 2;
    if (const verdict v = take_kernel_paths(found, *target, source->fd); v.what != verdict::kind::go_on) {
      keep_in_flight(area);
      return v;
    }
    engine.flight_has_holes_ = found.sparse;
  }
  while (begin != end && done.what == step::outcome::moved && !engine.flight_has_holes_) {
    const step again = write_in_flight(to, area, end - begin);
    done.add(again);
  }
  keep_in_flight(area);
  return account(copy_path::scratch, done);
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
      if (done.what == step::outcome::gives_way) leave_kernel(engine.decided_fd_);
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
  if (!target || target->buffered != 0 || !make_hole(target->fd, run.length)) {
    engine.zeros_to_holes_ = engine.flight_has_holes_ = false;
    return write_in_flight(out, area, size);
  }
  path = copy_path::hole;
  engine.begin_ += run.length;
  if (engine.begin_ == engine.end_) engine.begin_ = engine.end_ = 0;
  step done;
  done.given = run.length;
  return done;
}

// ---------------------------------------------------------------------------------------------------------------------
// The kernel paths

void copy_run::leave_kernel(int source_fd) noexcept {
  engine.kernel_ = copy_engine::kernel_state::off;
  engine.decided_fd_ = source_fd;
  engine.path_count_ = 0;
  engine.confirming_ = true;
}

// A file is not copied onto itself, and that is found out before anything is written, be it only what the reader has
// buffered.
std::optional<copy_run::verdict> copy_run::refuse_same_file() {
  if (engine.rounds_ != 0) return std::nullopt;
  auto source = from.kernel_endpoint();
  if (!source) return std::nullopt;
  auto target = to.kernel_endpoint();
  if (!target || !one_regular_file(*source, *target)) return std::nullopt;
  const std::uintmax_t max = std::min({engine.remaining_, source->max_bytes, target->max_bytes});
  if (!refuses_same_file(*source, *target, max)) return std::nullopt;
  return failed(copy_side::writer, io_errc::same_file);
}

// Answers the question "may the kernel do it?" once for each source descriptor. Nothing is flushed before the answer.
std::optional<copy_run::verdict> copy_run::decide() {
  using enum copy_engine::kernel_state;
  auto source = from.kernel_endpoint();
  if (engine.kernel_ == off && source && source->fd == engine.decided_fd_) return std::nullopt;
  auto target = to.kernel_endpoint();
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

  if (const auto v = refuse_same_file()) return v;

  const bool on_the_stack = !from.is_buffered() && !to.is_buffered() && options.scratch.empty() &&
                            options.buffer_size == 0 && !wait.watchful();
  // What was opened by a path, and goes into a file, most likely is one: then that question can wait as well.
  const bool into_file = target->fresh || know_kind(*target) == fd_kind::regular_file;
  const bool ask_late = on_the_stack && source->kind == fd_kind::unknown && source->by_path && into_file;
  const fd_kind source_kind = ask_late ? fd_kind::regular_file : know_kind(*source);
  engine.whole_messages_ = source_kind == fd_kind::message_socket;

  if (source_kind == fd_kind::regular_file) {
    if (on_the_stack && engine.rounds_ < 2 && options.sparse != sparse_policy::always)
      return stack_round(&*source, &*target);
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
    if (pair.from_kind == fd_kind::socket)
      pair.write_size = size;
    else
      max = size;
  }
  guard_from_sigpipe(pair.to_kind);

  const copy_path path = engine.paths_[0];
  const step done = kernel_move(path, pair, max);
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

// ---------------------------------------------------------------------------------------------------------------------
// Waiting and flushing

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
  if (!must_flush && !wait.watchful()) return {};
  if (from.is_buffered() && !from.window().empty()) return {};
  auto source = from.kernel_endpoint();
  if (!source || source->buffered != 0 || source->max_bytes == 0 || !is_pollable(know_kind(*source))) return {};
  if (waiter::ready(source->fd, readiness::readable)) return {};
  if (must_flush) {
    if (const verdict v = flush_writer(); v.what != verdict::kind::go_on) return v;
  }
  if (!may_wait || !wait.watchful()) return {};
  return blocked(copy_side::reader, std::make_error_code(std::errc::operation_would_block), source->fd);
}

// With somebody watching, a write to a blocking descriptor waits for room first and takes no more than fits.
copy_run::verdict copy_run::before_writing(std::size_t& size) {
  if (!wait.watchful() || to.is_buffered()) return {};
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
  if (!wait.watchful() || to.is_buffered()) return {};
  auto target = to.kernel_endpoint();
  if (!target || target->buffered != 0) return {};
  const fd_kind kind = know_kind(*target);
  if (direct_refused || (kind != fd_kind::pipe && kind != fd_kind::socket)) return before_writing(size);
  direct = direct_writer{this, target->fd, kind};
  out = as_sink(*direct);
  return {};
}

result<std::size_t> direct_writer::write_some(std::span<const std::byte> bytes) const {
  const auto n = write_now(fd, kind, bytes);
  if (n) {
    run->to.kernel_advanced(*n);
  } else if (n.error() == std::errc::operation_not_supported) {
    run->direct_refused = true;
    return fail(std::make_error_code(std::errc::operation_would_block));
  }
  return n;
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
  if (const std::error_code why = wait.wait(fd, what, engine.bytes_))
    return failed(why == io_errc::cancelled ? copy_side::none : side, why);
  return {};
}

// ---------------------------------------------------------------------------------------------------------------------
// The engine

copy_engine::copy_engine(std::uintmax_t limit, const copy_options&) noexcept : remaining_(limit) {}

copy_engine::copy_engine(copy_engine&& other) noexcept
    : remaining_(other.remaining_),
      bytes_(other.bytes_),
      scratch_(std::exchange(other.scratch_, nullptr)),
      scratch_size_(std::exchange(other.scratch_size_, 0)),
      begin_(std::exchange(other.begin_, 0)),
      end_(std::exchange(other.end_, 0)),
      owned_scratch_(std::move(other.owned_scratch_)),
      pipe_(std::exchange(other.pipe_, {})),
      report_(other.report_),
      source_left_(other.source_left_),
      segment_left_(other.segment_left_),
      last_tick_(other.last_tick_),
      paths_(other.paths_),
      path_count_(other.path_count_),
      rounds_(other.rounds_),
      kernel_(other.kernel_),
      sparse_(other.sparse_),
      zeros_to_holes_(other.zeros_to_holes_),
      flight_has_holes_(other.flight_has_holes_),
      whole_messages_(other.whole_messages_),
      confirming_(other.confirming_),
      done_(other.done_),
      handoff_offered_(other.handoff_offered_),
      decided_fd_(other.decided_fd_) {}

copy_engine::~copy_engine() { give_back(pipe_); }

void copy_engine::handed_off(std::uintmax_t bytes, bool done) noexcept {
  handoff_offered_ = true;
  bytes_ += bytes;
  if (done)
    remaining_ = 0;
  else if (remaining_ != unbounded)
    remaining_ -= std::min(remaining_, bytes);
  report_[copy_path::handoff] = {.bytes = bytes, .calls = 1, .gave_way = {}};
}

std::expected<copy_step, copy_error> copy_engine::run(source_ref from, sink_ref to, const copy_options& options) {
  copy_run run{.engine = *this, .from = from, .to = to, .options = options, .may_wait = false};
  const auto v = run.drive();
  if (options.report) *options.report = report_;
  if (v.what == copy_run::verdict::kind::failed) return std::unexpected(copy_error{*v.code, bytes_, v.side, {}});
  return copy_step{bytes_, v.what == copy_run::verdict::kind::finished, v.fd, v.wait_for};
}

std::expected<std::uintmax_t, copy_error> copy_engine::run_to_end(source_ref from, sink_ref to,
                                                                  const copy_options& options) {
  copy_run run{.engine = *this,
               .from = from,
               .to = to,
               .options = options,
               .may_wait = options.on_would_block == would_block::wait};
  const auto v = run.drive();
  if (options.report) *options.report = report_;
  if (v.what == copy_run::verdict::kind::finished) return bytes_;
  return std::unexpected(copy_error{*v.code, bytes_, v.side, release()});
}

std::vector<std::byte> copy_engine::release() {
  std::vector<std::byte> taken(scratch_ + begin_, scratch_ + end_);
  begin_ = end_ = 0;
  if (const std::size_t in_pipe = pipe_.filled; in_pipe != 0) {
    const std::size_t before = taken.size();
    std::error_code why;
    taken.resize(before + in_pipe);
    taken.resize(before + pipe_to_memory(pipe_, std::span(taken).subspan(before), why));
    if (pipe_.filled != 0) give_back(pipe_);
  }
  return taken;
}

// ---------------------------------------------------------------------------------------------------------------------
// Explaining

copy_plan explain(source_ref from, sink_ref to, const copy_options& options) {
  copy_plan plan;
  plan.first = to.is_buffered() ? copy_path::fill : from.is_buffered() ? copy_path::drain : copy_path::scratch;
  auto source = from.kernel_endpoint();
  auto target = to.kernel_endpoint();
  if (!source || !target) {
    plan.reason = "a side has no descriptor to offer";
    return plan;
  }
  const examination found = examine(*source, *target, unbounded, options);
  plan.reason = found.choice.reason;
  if (found.choice.count == 0) return plan;
  const copy_path in_memory = plan.first;
  plan.first = found.choice.paths[0];
  plan.alternatives = found.choice.count;
  for (std::size_t i = 1; i < found.choice.count; ++i) plan.then[i - 1] = found.choice.paths[i];
  plan.then[plan.alternatives - 1] = in_memory;
  return plan;
}

}  // namespace sluice::detail
