// SPDX-License-Identifier: BSL-1.0
#include "one_copy.hpp"

#include "drivers.hpp"
#include "judge.hpp"

#include <memory>
#include <sstream>

namespace sluice::test {

namespace {

constexpr std::size_t for_ever = std::numeric_limits<std::size_t>::max();

bool is_would_block(const std::error_code& code) { return code == std::errc::operation_would_block; }

trace_plan plan_for(const point& p, const source& from, const target& to) {
  trace_plan plan{.source = from.fd(), .target = to.fd(), .clones = p.how.clones};
  plan.chunk = p.chunk;
  plan.chunk_calls = chunk_calls();
  plan.cut_only = p.side == slow::source ? touches::source : p.side == slow::target ? touches::target : touches::none;
  plan.whole_reads = p.from == source_kind::seqpacket;
  if (p.what == deed::nothing) return plan;
  plan.at = p.k;
  plan.error = p.error;
  switch (p.what) {
    case deed::cut: plan.cut = true; break;
    case deed::zero: plan.zero = true; break;
    case deed::question_error: plan.questions = true; break;
    case deed::target_for_good:
      plan.only = touches::target;
      plan.times = for_ever;
      break;
    case deed::source_for_good:
      plan.only = touches::source;
      plan.times = for_ever;
      break;
    case deed::nothing:
    case deed::error: break;
  }
  return plan;
}

copy_options options_for(const point& p, copy_report& report) {
  static const std::stop_source nobody_stops;
  copy_options options{.kernel = p.policy, .sparse = p.how.sparse, .report = &report};
  if (p.how.how == driver::copy_without_waiting) options.on_would_block = would_block::fail;
  if (p.how.watched == watch::progress) options.on_progress = [](std::uintmax_t) {};
  if (p.how.watched == watch::stop) options.stop = nobody_stops.get_token();
  return options;
}

// Looks at one copy. Stops at the first thing that is wrong.
class inspector {
 public:
  inspector(const point& p, trace& t, source& from, target& to, outcome& out)
      : p_(p), trace_(t), from_(from), to_(to), out_(out) {}

  void look() {
    options_ = options_for(p_, out_.report);
    begin();
    trace_.start(plan_for(p_, from_, to_));
    answer a = copying_->run();
    if (a.error && p_.what >= deed::target_for_good && p_.k % 2 == 0) a = once_more(std::move(a));
    trace_.stop();
    out_.hit = trace_.hits() != 0;
    out_.last_hit = trace_.last_hit();
    out_.failed = a.error.has_value();
    out_.transfers = trace_.transfers();
    out_.direct_splices = trace_.direct_splices();
    out_.private_splices = trace_.private_splices();
    if (bad()) return;
    if (a.error)
      look_at_failure(a);
    else if (recovered_ && a.bytes == expected().size())
      look_at_end();
    else
      look_at_success(a.bytes);
  }

 private:
  template <class... T>
  void complain(const T&... what) {
    if (bad()) return;
    std::ostringstream text;
    (text << ... << what);
    out_.complaint = text.str();
  }
  bool bad() const { return !out_.complaint.empty(); }

  void begin() {
    any_reader* const r = from_.erased();
    any_writer* const w = to_.erased();
    const driver how = p_.how.how;
    if (goes_the_short_way(p_)) {
      span_reader& memory = *from_.memory();
      if (w)
        copying_ = std::make_unique<by_short_way<any_writer>>(memory, *w);
      else
        copying_ = std::make_unique<by_short_way<writer_ref>>(memory, to_ref_);
      return;
    }
    if (r && w)
      copying_ = make(*r, *w, options_, how);
    else if (r)
      copying_ = make(*r, to_ref_, options_, how);
    else if (w)
      copying_ = make(from_ref_, *w, options_, how);
    else
      copying_ = make(from_ref_, to_ref_, options_, how);
  }

  // The fault is still in force: another attempt fails again, and loses nothing either.
  answer once_more(answer first) {
    const bool is_copier = p_.how.how == driver::copier;
    if (!is_copier && !first.error->unwritten.empty()) return first;
    answer second = copying_->run();
    // Where all that was left is in the writer's buffer by now, there is nothing more to be done.
    recovered_ = !second.error && p_.what == deed::target_for_good && !to_.pending().empty();
    if (!second.error && !recovered_) complain("a copy that had failed for good succeeded");
    if (!is_copier) {
      before_ = first.bytes;
      second.bytes += before_;
      if (second.error) second.error->bytes = second.bytes;
    }
    return second;
  }

  std::string_view expected() const { return from_.expected(); }

  // The destination and what is held before it are the header and the first `n` bytes.
  void look_at_accepted(std::uintmax_t n) {
    const std::string_view held = to_.pending();
    const auto arrived = to_.arrived(trace_.delivered());
    const std::string_view header = to_.header();
    if (!arrived) {
      if (trace_.delivered() + held.size() != header.size() + n)
        complain("said ", n, ", delivered ", trace_.delivered(), ", held ", held.size());
      return;
    }
    if (arrived->size() + held.size() != header.size() + n)
      return complain("said ", n, ", arrived ", arrived->size(), ", held ", held.size(), ", header ", header.size());
    std::string all(*arrived);
    all += held;
    if (!all.starts_with(header)) return complain("the header is not first");
    if (std::string_view(all).substr(header.size()) != expected().substr(0, n)) complain("other bytes have arrived");
  }

  void look_at_taken(std::uintmax_t n) {
    const auto taken = from_.taken();
    if (taken && *taken != n) complain("the reader's wrapper counted ", *taken, " of ", n);
  }

  void look_at_given(std::uintmax_t n) {
    const auto given = to_.given();
    if (given && *given != n) complain("the writer's wrapper counted ", *given, " of ", n);
  }

  void look_at_success(std::uintmax_t bytes) {
    const verdict wanted = out_.hit ? judge(p_, out_.last_hit) : verdict{};
    if (wanted.what == demand::failure) return complain("succeeded in spite of ", out_.last_hit.call);
    if (bytes != expected().size()) return complain("said ", bytes, " of ", expected().size());
    if (sum_of(out_.report) != bytes && !goes_the_short_way(p_)) complain("the report says ", sum_of(out_.report));
    // pipe2(2) is never interrupted.
    for (const auto& share : out_.report.shares)
      if (share.gave_way == std::errc::interrupted && out_.last_hit.call != "pipe2")
        complain("gave way because of EINTR");
    look_at_end();
  }

  // Everything is there, and nothing is left.
  void look_at_end() {
    look_at_accepted(expected().size());
    look_at_taken(expected().size());
    look_at_given(expected().size());
    writer_ref to = to_.stream();
    if (const auto flushed = to.flush(); !flushed) return complain("flush: ", flushed.error().message());
    if (!to_.pending().empty()) complain("pending after a flush");
    look_at_accepted(expected().size());
    if (const std::string rest = from_.rest(); !rest.empty()) complain(rest.size(), " bytes left in the source");
  }

  void look_at_failure(answer& a) {
    copy_error& error = *a.error;
    if (!out_.hit && !(p_.how.how == driver::copy_without_waiting && is_would_block(error.code)))
      return complain("failed without a fault: ", error.code.message(), ", bytes ", error.bytes);
    if (out_.hit) {
      const verdict wanted = judge(p_, out_.last_hit);
      const bool by_itself = p_.how.how == driver::copy_without_waiting && is_would_block(error.code);
      if (wanted.what == demand::success && !by_itself)
        return complain("failed with ", error.code.message(), " because of ", out_.last_hit.call);
      if (wanted.what != demand::success && !by_itself && error.code != system_error(p_.error) &&
          !(p_.error == EAGAIN && is_would_block(error.code)) &&
          !(p_.error == EINTR && error.code == system_error(EIO)))
        return complain("failed with ", error.code.message(), " instead of ", system_error(p_.error).message());
      if (wanted.side && error.side != *wanted.side)
        return complain("side ", static_cast<int>(error.side), " named for ", out_.last_hit.call);
    }
    // Where lseek has failed, nobody knows where the next byte comes from or goes to.
    if (p_.what == deed::question_error && out_.last_hit.call == "lseek") return;
    if (before_ + sum_of(out_.report) != error.bytes && !goes_the_short_way(p_))
      complain("the report says ", sum_of(out_.report), ", the error ", error.bytes);
    look_at_accepted(error.bytes);
    look_at_given(error.bytes);
    if (bad()) return;
    if (p_.how.how == driver::copier && p_.k % 2 == 0) {
      // What is in flight stays there, and the same copier goes on with it.
      const answer again = copying_->run();
      if (again.error) return complain("the copier going on: ", again.error->code.message());
      if (again.bytes != expected().size()) complain("the copier going on said ", again.bytes);
      return look_at_contents();
    }
    if (auto released = copying_->release(); !released.empty()) error.unwritten = std::move(released);
    look_at_rest(error);
  }

  // Accepted, then what was handed back, then what can still be read: one way or the other.
  void look_at_rest(const copy_error& error) {
    const std::string unwritten = support::text(error.unwritten);
    if (error.bytes + unwritten.size() > expected().size()) return complain("more than there was");
    if (unwritten != expected().substr(error.bytes, unwritten.size())) complain("other bytes were handed back");
    look_at_taken(error.bytes + unwritten.size());
    if (bad()) return;
    if (p_.k % 3 == 0) {
      if (unwritten + from_.rest() != expected().substr(error.bytes)) complain("the rest is not all that is left");
      return;
    }
    writer_ref to = to_.stream();
    if (const auto written = write_all(to, error.unwritten); !written)
      return complain("writing what was handed back: ", written.error().message());
    const std::uintmax_t left = expected().size() - error.bytes - unwritten.size();
    begin();
    const answer again = copying_->run();
    if (again.error) return complain("going on: ", again.error->code.message());
    if (again.bytes != left) complain("going on said ", again.bytes, " of ", left);
    look_at_contents();
  }

  void look_at_contents() {
    if (bad()) return;
    look_at_end();
    if (bad()) out_.complaint = "after going on: " + out_.complaint;
  }

  const point& p_;
  trace& trace_;
  source& from_;
  target& to_;
  outcome& out_;
  copy_options options_;
  reader_ref from_ref_{from_.stream()};
  writer_ref to_ref_{to_.stream()};
  std::unique_ptr<copying> copying_;
  bool recovered_ = false;     // by a second attempt
  std::uintmax_t before_ = 0;  // what an earlier attempt has moved, which the report does not tell
};

}  // namespace

outcome stage::run(const point& p) {
  outcome out;
  source from(sources_, p.from, p.how.in);
  target to(targets_, p.to, p.how.out);
  trace_.stop();
  try {
    inspector(p, trace_, from, to, out).look();
  } catch (const std::exception& e) {
    trace_.stop();
    out.complaint = e.what();
  }
  if (!out.complaint.empty()) targets_.renew(p.to);
  return out;
}

}  // namespace sluice::test
