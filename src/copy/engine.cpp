// SPDX-License-Identifier: BSL-1.0
//
// The loop of a copy. It asks which path comes next, lets that path make one step, and keeps the accounts; the paths
// themselves know nothing of one another.
//
#include "copy_run.hpp"

#include <algorithm>
#include <utility>

namespace sluice::detail {
namespace {

bool is_kernel_path(copy_path path) noexcept { return path >= copy_path::hole; }

}  // namespace

const copy_options& default_copy_options() noexcept {
  static const copy_options options;
  return options;
}

copy_run::verdict copy_run::drive() {
  if (engine.done_) return {verdict::kind::finished, {}, {}, -1, {}};
  for (;;) {
    if (const auto why = wait.ended()) return failed(copy_side::none, why);
    const verdict v = next();
    if (v.what != verdict::kind::go_on) return v;
  }
}

copy_run::verdict copy_run::next() {
  if (in_flight() || engine.pipe_.filled != 0) return pass_on_in_flight();
  if (engine.remaining_ == 0 || engine.ended_) return finish();
  if (from.is_buffered() && !from.window().empty()) {
    if (const auto v = look_ahead()) return *v;
    return round();
  }

  if (engine.kernel_ != copy_engine::kernel_state::taken) {
    if (const auto v = decide()) return *v;
  }
  if (engine.kernel_ == copy_engine::kernel_state::taken) return kernel_step();
  return round();
}

copy_run::verdict copy_run::finish() {
  engine.ended_ = true;
  if (options.flush == flush_policy::at_end) {
    if (const verdict v = flush_writer(); v.what != verdict::kind::go_on) return v;
  }
  engine.done_ = true;
  if (engine.report_.reason.empty())
    engine.report_.reason = "the source ended before a kernel path was worth a question";
  progress.tick(engine.bytes_, true);
  return {verdict::kind::finished, {}, {}, -1, {}};
}

// The accounts are kept in these two and nowhere else.
void copy_run::take(std::uintmax_t n) noexcept {
  if (engine.remaining_ != unbounded) engine.remaining_ -= n;
  if (engine.source_left_ != unbounded) engine.source_left_ -= std::min(engine.source_left_, n);
  engine.segment_left_ -= std::min(engine.segment_left_, n);
}

copy_run::verdict copy_run::account(copy_path path, const step& done, unsigned calls) {
  take(done.taken);
  engine.bytes_ += done.given;
  auto& share = engine.report_[path];
  share.bytes += done.given;
  if (done.given != 0) share.calls += calls;
  if (is_kernel_path(path)) {
    if (done.taken != 0) from.kernel_advanced(done.taken);
    if (done.given != 0) to.kernel_advanced(done.given);
  } else if (done.given != 0) {
    writer_holds_bytes = to.ops->flush != nullptr;
  }
  progress.tick(engine.bytes_);

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
      odd_start_(other.odd_start_),
      last_tick_(other.last_tick_),
      paths_(other.paths_),
      path_count_(other.path_count_),
      rounds_(other.rounds_),
      filled_up_(other.filled_up_),
      kernel_(other.kernel_),
      sparse_(other.sparse_),
      zeros_to_holes_(other.zeros_to_holes_),
      flight_has_holes_(other.flight_has_holes_),
      cut_messages_(other.cut_messages_),
      whole_messages_(other.whole_messages_),
      confirming_(other.confirming_),
      direct_refused_(other.direct_refused_),
      ended_(other.ended_),
      done_(other.done_),
      handoff_offered_(other.handoff_offered_),
      decided_(other.decided_) {}

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
  if (pipe_.filled == 0) leave_to_parent(pipe_);
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

std::optional<std::error_code> ended(const copy_options& options) {
  return waiter(options.stop, options.deadline).ended();
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
