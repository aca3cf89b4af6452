// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/fd_ref.hpp>

#include "testing/words.hpp"
#include "testing/writer_trials.hpp"

#include <array>
#include <set>

namespace sluice::detail {
namespace {

using trial = writer_trials::trial;

void empty_requests(writer_trials& trials) {
  trials.make("", {}, contract_rule::empty_request, [&](trial& t) {
    const std::array<std::size_t, 3> nothing{0, 0, 0};
    while (t.writer.write(0) == went::on) {
      if (trials.can().vectored && (t.writer.pieces({}) != went::on || t.writer.pieces(nothing) != went::on)) return;
      if (t.writer.rest().empty()) break;
      if (t.writer.write(5) != went::on) return;
    }
    t.writer.flush();
  });
}

void reused_memory(writer_trials& trials) {
  for (const std::size_t n : {1U, 5U, 64U, 5000U}) {
    trials.make("the memory of each request changes after it", [&](trial& t) {
      t.writer.judge_bytes_by(contract_rule::request_not_kept);
      t.writer.reuse_memory();
      run(t.writer, {writing_way::kind::write, n});
    });
  }
}

// Every place to cut a request in two, with empty pieces round it.
void cut_requests(writer_trials& trials) {
  if (!trials.can().vectored) return;
  const auto one = [&](std::span<const std::size_t> sizes) {
    trials.make("", [&](trial& t) {
      t.writer.judge_bytes_by(contract_rule::pieces_as_one);
      while (!t.writer.rest().empty()) {
        if (t.writer.pieces(sizes) != went::on) return;
      }
      t.writer.flush();
    });
  };
  constexpr std::size_t request = 24;
  for (std::size_t cut = 0; cut <= request; ++cut) one(std::array<std::size_t, 5>{0, cut, 0, request - cut, 0});
  one(std::vector<std::size_t>(2000, 1));
}

void places(writer_trials& trials) {
  if (!trials.can().buffered) return;
  for (const std::size_t n : {1U, 2U, 3U, 7U, 8U, 16U, 33U, 64U, 100U, 1000U}) {
    // All of it is committed, or a part, or nothing in every other call.
    for (const std::size_t unused : std::set<std::size_t>{0, n / 2, n}) {
      const std::size_t used = n - unused;
      trials.make("prepare of " + number(n) + ", commit of " + number(used), [&](trial& t) {
        t.writer.judge_bytes_by(contract_rule::commit_counts);
        while (!t.writer.rest().empty()) {
          const went how = t.writer.place(n, used);
          if (how == went::broken) return;
          if ((how == went::failed || used == 0) && t.writer.write(3) != went::on) return;
          if (t.writer.unchanged() && t.writer.compare({"commit", {&used, 1}, t.writer.at()}, false) != went::on)
            return;
        }
        t.writer.flush();
      });
    }
  }
}

void flushes(writer_trials& trials) {
  if (!trials.can().flushes) return;
  for (const std::size_t n : {1U, 7U, 64U}) {
    trials.make("flush after each write", [&](trial& t) {
      while (t.writer.flush() == went::on && !t.writer.rest().empty()) {
        if (t.writer.write(n) != went::on) return;
      }
    });
  }
}

// Some bytes are written first, and may be flushed.
constexpr std::array<std::size_t, 4> starts{0, 1, 5, 70};

bool begin(trial& t, std::size_t written, bool flush) {
  while (t.writer.at() < written && !t.writer.rest().empty()) {
    if (t.writer.write(written - t.writer.at()) != went::on) return false;
  }
  return !flush || t.writer.flush() == went::on;
}

// Back to each place, where other bytes are written over those that are there.
void seeks(writer_trials& trials) {
  if (!trials.can().seeks) return;
  for (const std::size_t to : {std::size_t{0}, std::size_t{1}, trials.size() / 2, trials.size()}) {
    trials.make("", [&](trial& t) {
      // A descriptor that cannot be sought says so here.
      const result<std::uintmax_t> start = t.subject.position();
      if (!start || !t.writer.unchanged()) return;
      while (!t.writer.rest().empty()) {
        if (t.writer.write(10) != went::on || t.writer.tell_position(*start) != went::on) return;
      }
      const std::string what = call("seek", number(to) + ", begin", t.writer.at());
      const result<std::uintmax_t> at = t.subject.seek(static_cast<std::intmax_t>(*start + to), whence::begin);
      if (!at && at.error() == io_errc::unsupported) return;
      if (!at || *at != *start + to) {
        t.writer.broken(contract_rule::seek_moves, what, number(*start + to), at ? number(*at) : at.error().message());
        return;
      }
      const std::array<std::byte, 3> other{std::byte{0x5a}, std::byte{0xa5}, std::byte{0x5a}};
      const result<std::size_t> n = t.subject.write_some(other);
      if (!n || !t.subject.flush()) return;
      std::vector<std::byte> wanted(t.writer.at());
      t.writer.move_to(0);
      std::ranges::copy(t.writer.rest().first(wanted.size()), wanted.begin());
      wanted.resize(std::max(wanted.size(), to + *n));
      std::copy_n(other.begin(), *n, wanted.begin() + static_cast<std::ptrdiff_t>(to));
      const std::vector<std::byte> arrived = t.subject.observed();
      if (const auto wrong = difference(arrived, wanted, 0))
        t.writer.broken(contract_rule::seek_moves, what, wrong->first, wrong->second);
      else if (arrived.size() != wanted.size())
        t.writer.broken(contract_rule::seek_moves, what, number(wanted.size()) + " bytes", number(arrived.size()));
    });
  }
}

void one_endpoint(trial& t, std::size_t wanted) {
  std::optional<fd_endpoint> endpoint = t.subject.kernel_endpoint();
  const std::string what = call("kernel_endpoint", "", t.writer.at());
  if (!endpoint) return;
  if (fd_ref(endpoint->fd).kind() == fd_kind::unknown) {
    t.writer.broken(contract_rule::valid_endpoint, what, "an open descriptor", std::to_string(endpoint->fd));
    return;
  }
  t.writer.judge_bytes_by(contract_rule::endpoint_in_step);
  if (endpoint->buffered == 0 && t.writer.compare({"kernel_endpoint", {}, t.writer.at()}, true) == went::broken) return;
  if (t.writer.flush() != went::on) return;
  endpoint = t.subject.kernel_endpoint();
  if (!endpoint) return;
  if (endpoint->buffered != 0) {
    t.writer.broken(contract_rule::endpoint_in_step, what, "none buffered after flush()", number(endpoint->buffered));
    return;
  }
  const result<std::uintmax_t> before = t.subject.position();
  const std::size_t most = static_cast<std::size_t>(std::min<std::uintmax_t>(wanted, endpoint->max_step()));
  fd_ref kernel(endpoint->fd);
  const result<std::size_t> n =
      sluice::write_some(kernel, t.writer.rest().first(std::min(most, t.writer.rest().size())));
  if (!n) return;
  t.subject.kernel_advanced(*n);
  const std::size_t at = t.writer.at();
  t.writer.move_to(at + *n);
  t.writer.judge_bytes_by(contract_rule::kernel_accounted);
  t.writer.judge_by(contract_rule::kernel_accounted);
  if (before && t.writer.tell_position(*before - at) == went::broken) return;
  run(t.writer, {writing_way::kind::write, 17});
}

void endpoints(writer_trials& trials) {
  if (!trials.can().kernel) return;
  for (const std::size_t written : starts) {
    for (const std::size_t wanted : {std::size_t{1}, std::size_t{20}, trials.size()}) {
      for (const bool flush : {false, true}) {
        trials.make("", [&](trial& t) {
          if (t.writer.unchanged() && begin(t, written, flush)) one_endpoint(t, wanted);
        });
      }
    }
  }
}

}  // namespace

void check_plain_writes(writer_trials& trials) {
  const std::size_t size = trials.size();
  std::set<std::size_t> sizes{100, 1000, 4096, size};
  for (std::size_t n = 1; n <= 64; ++n) sizes.insert(n);
  for (const std::size_t n : sizes) trials.make("", [&](trial& t) { run(t.writer, {writing_way::kind::write, n}); });
  flushes(trials);
}

void check_capabilities(writer_trials& trials) {
  empty_requests(trials);
  reused_memory(trials);
  cut_requests(trials);
  places(trials);
  seeks(trials);
  endpoints(trials);
}

went walk(trial& t, std::uint32_t seed) {
  const writer_subject::abilities can = t.subject.can();
  const result<std::uintmax_t> start = can.seeks ? t.subject.position() : fail(io_errc::unsupported);
  dice die(seed);
  while (!t.writer.rest().empty()) {
    const std::size_t n = die.below(4) == 0 ? die.below(100) : die.below(12);
    went how = went::on;
    switch (die.below(4)) {
      case 0: how = t.writer.write(n); break;
      case 1:
        if (can.vectored) how = t.writer.pieces(std::array{n / 2, std::size_t{0}, n});
        break;
      case 2:
        if (can.buffered) {
          how = t.writer.place(n, die.below(n + 1));
          if (how == went::failed && t.writer.error() == io_errc::buffer_too_small) how = went::on;
        }
        break;
      case 3:
        if (can.flushes && n < 3) how = t.writer.flush();
        break;
    }
    if (start && how == went::on) how = t.writer.tell_position(*start);
    if (how != went::on) return how;
  }
  const went how = t.writer.flush();
  return how == went::on ? went::ended : how;
}

void check_walks(writer_trials& trials) {
  for (std::uint32_t i = 0; i < trials.options().walks; ++i) {
    const std::uint32_t seed = trials.options().seed + i;
    trials.make("random walk " + number(seed), {}, contract_rule::ways_agree, [&](trial& t) { walk(t, seed); });
  }
}

void check_moves(writer_trials& trials) {
  for (const std::size_t written : starts) {
    for (const writing_way w : trials.ways({9})) {
      trials.make("moved", {}, contract_rule::moves_whole, [&](trial& t) {
        if (!begin(t, written, false)) return;
        const std::unique_ptr<writer_subject> second = t.subject.moved();
        if (!second) return;
        t.writer.follow(*second);
        run(t.writer, w);
      });
    }
  }
}

}  // namespace sluice::detail
