// SPDX-License-Identifier: BSL-1.0
#include "judge.hpp"

#include "targets.hpp"

namespace sluice::test {
namespace {

// The refusals after which a write that is not to wait, or not to raise SIGPIPE, is tried in another way.
bool refuses_flag(int error) { return error == EINVAL || error == EPERM || error == ENOSYS || error == EOPNOTSUPP; }

verdict judge_transfer(const point& p, const trace_hit& hit) {
  const bool is_user = hit.call == "read_some" || hit.call == "write_some";
  if (p.error == EINTR && !is_user) return {};
  const copy_side side = hit.what == touches::source   ? copy_side::reader
                         : hit.what == touches::target ? copy_side::writer
                                                       : copy_side::none;
  // The one write in the header leaves this to the engine, which writes again.
  if (p.error == EAGAIN && goes_the_short_way(p)) return {demand::either, side};
  if (p.error == EAGAIN && !is_user) {
    const bool waits = hit.what == touches::source   ? can_wait(p.from)
                       : hit.what == touches::target ? can_wait(p.to)
                                                     : can_wait(p.from) || can_wait(p.to);
    if (waits && p.how.how != driver::copy_without_waiting) return {};
    // A splice does not say whom it is about.
    if (hit.inside_kernel) return {demand::either, hit.what == touches::both ? std::nullopt : std::optional(side)};
    return {demand::failure, side};
  }
  if (hit.inside_kernel) return {};
  if (hit.unasked && refuses_flag(p.error)) return {};
  if (hit.what == touches::none) return {demand::either, copy_side::none};  // the private pipe
  return {demand::failure, side};
}

}  // namespace

verdict judge(const point& p, const trace_hit& hit) {
  switch (p.what) {
    case deed::error: return judge_transfer(p, hit);
    case deed::target_for_good:
    case deed::source_for_good: {
      const copy_side side = p.what == deed::target_for_good ? copy_side::writer : copy_side::reader;
      // A splice that would block does not say whom it is about.
      if (hit.inside_kernel && p.error == EAGAIN) return {demand::either, std::nullopt};
      // A path inside the kernel gives way, and there may be nothing left for the next.
      return {hit.inside_kernel || (hit.unasked && refuses_flag(p.error)) ? demand::either : demand::failure, side};
    }
    case deed::question_error:
      // Where a file stands, and whom to wait for, nobody else can say.
      if (hit.call == "lseek" || hit.call == "poll") return {demand::either, std::nullopt};
      return {};
    case deed::nothing:
    case deed::cut:
    case deed::zero: break;
  }
  return {};
}

}  // namespace sluice::test
