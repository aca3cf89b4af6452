// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/fd_ref.hpp>
#include <sluice/system/file_range.hpp>

#include "testing/reader_trials.hpp"
#include "testing/words.hpp"

#include <array>
#include <set>

namespace sluice::detail {
namespace {

using trial = reader_trials::trial;

void empty_requests(reader_trials& trials) {
  trials.make("", {}, contract_rule::empty_request, [&](trial& t) {
    const std::array<std::size_t, 3> nothing{0, 0, 0};
    while (t.reader.read(0) == went::on) {
      if (trials.can().vectored && (t.reader.pieces({}) != went::on || t.reader.pieces(nothing) != went::on)) return;
      if (trials.can().skips) {
        const went how = t.reader.skip(0);
        if (how == went::broken) return;
      }
      if (t.reader.read(5) != went::on) return;
    }
  });
}

// Every place to cut a request in two, with empty pieces round it.
void cut_requests(reader_trials& trials) {
  if (!trials.can().vectored) return;
  constexpr std::size_t request = 24;
  for (std::size_t cut = 0; cut <= request; ++cut) {
    const std::array<std::size_t, 5> sizes{0, cut, 0, request - cut, 0};
    trials.make("", [&](trial& t) {
      for (went how = went::on; how == went::on;) how = t.reader.pieces(sizes);
    });
  }
  const std::vector<std::size_t> many(2000, 1);
  trials.make("", [&](trial& t) {
    for (went how = went::on; how == went::on;) how = t.reader.pieces(many);
  });
}

void windows(reader_trials& trials) {
  if (!trials.can().buffered) return;
  for (const std::size_t n : {1U, 2U, 3U, 7U, 8U, 16U, 33U, 64U, 100U, 1000U, 5000U}) {
    trials.make("", [&](trial& t) {
      if (t.reader.look() == went::broken) return;
      while (t.reader.fill(n) == went::on) {
        if (t.reader.look() == went::broken || t.reader.fill(n) != went::on) return;
        // Some is left over each time, which the next fill has to keep.
        if (t.reader.consume((t.reader.held() + 1) / 2) == went::broken) return;
      }
      t.reader.end();
    });
  }
  if (!trials.can().in_memory) return;
  trials.make("", [&](trial& t) {
    for (went how = went::on; how == went::on; how = t.reader.read(9)) {
      if (t.reader.held() == t.reader.left()) continue;
      t.reader.broken(contract_rule::whole_in_memory, call("buffered", "", t.reader.at()),
                      number(t.reader.left()) + " bytes, all that is left", number(t.reader.held()));
      return;
    }
  });
}

void skips(reader_trials& trials) {
  if (!trials.can().skips) return;
  const std::uintmax_t size = trials.expected().size();
  for (const std::uintmax_t n :
       std::set<std::uintmax_t>{1, 2, 7, 64, size / 2, size - (size != 0), size, size + 1, unbounded}) {
    for (const std::size_t before : {0U, 3U}) {
      trials.make("", [&](trial& t) {
        if (before != 0 && t.reader.read(before) == went::broken) return;
        const went how = t.reader.skip(n);
        if (how == went::on && run(t.reader, {way::kind::read, 11}) == went::ended) t.reader.end();
      });
    }
  }
}

// Some bytes are delivered first, and some more may be buffered.
constexpr std::array<std::size_t, 4> starts{0, 1, 5, 70};

bool begin(reader_trials& trials, trial& t, std::size_t delivered, bool fill) {
  for (std::size_t n = 0; n < delivered;) {
    if (const went how = t.reader.read(delivered - n); how != went::on) return how == went::ended;
    n = t.reader.at();
  }
  return !fill || !trials.can().buffered || t.reader.fill(2) != went::broken;
}

void seeks(reader_trials& trials) {
  if (!trials.can().seeks) return;
  const std::size_t size = trials.expected().size();
  const auto go = [&](trial& t, std::uintmax_t start, std::size_t to, whence from) {
    const std::intmax_t offset = from == whence::begin
                                     ? static_cast<std::intmax_t>(start + to)
                                     : static_cast<std::intmax_t>(to) - static_cast<std::intmax_t>(t.reader.at());
    const std::string what =
        call("seek", number(to) + (from == whence::begin ? ", begin" : ", current"), t.reader.at());
    const result<std::uintmax_t> at = t.subject.seek(offset, from);
    if (!at && at.error() == io_errc::unsupported) return;
    if (!at || *at != start + to) {
      t.reader.broken(contract_rule::seek_moves, what, number(start + to), at ? number(*at) : at.error().message());
      return;
    }
    t.reader.move_to(to);
    if (t.reader.tell_position(start) == went::broken) return;
    t.reader.judge_by(contract_rule::seek_moves);
    run(t.reader, {way::kind::read, 13});
  };
  for (const std::size_t delivered : starts) {
    for (const std::size_t to : std::set<std::size_t>{0, 1, delivered, delivered + 1, size / 2, size}) {
      if (to > size) continue;
      for (const whence from : {whence::begin, whence::current}) {
        trials.make("", [&](trial& t) {
          // A descriptor that cannot be sought says so here.
          const result<std::uintmax_t> start = t.subject.position();
          if (start && begin(trials, t, delivered, true) && t.reader.tell_position(*start) == went::on)
            go(t, *start, to, from);
        });
      }
    }
  }
}

void hints(reader_trials& trials) {
  if (!trials.can().hints) return;
  for (const std::size_t delivered : starts) {
    trials.make("", [&](trial& t) {
      if (!begin(trials, t, delivered, true)) return;
      const std::optional<std::uintmax_t> hint = t.subject.size_hint();
      if (hint && *hint != t.reader.left())
        trials.report().warn(
            {contract_rule::hint_tells, call("size_hint", "", t.reader.at()), number(t.reader.left()), number(*hint)});
    });
  }
}

// Takes up to `wanted` bytes from the descriptor, as the kernel would, and tells the stream.
bool pass_in_kernel(trial& t, const fd_endpoint& endpoint, std::size_t wanted) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uintmax_t>(wanted, endpoint.max_step())));
  fd_ref kernel(endpoint.fd);
  const result<std::size_t> n = endpoint.offset ? file_range(endpoint.fd, *endpoint.offset).read_some(std::span(bytes))
                                                : sluice::read_some(kernel, std::span(bytes));
  if (!n || *n == 0) return false;
  const std::string what = "reading from the descriptor of kernel_endpoint() at byte " + number(t.reader.at());
  if (const auto wrong = difference(std::span(bytes).first(*n), t.reader.rest(), t.reader.at())) {
    t.reader.broken(contract_rule::endpoint_in_step, what, wrong->first, wrong->second);
    return false;
  }
  t.subject.kernel_advanced(*n);
  t.reader.move_to(t.reader.at() + *n);
  return true;
}

void one_endpoint(reader_trials& trials, trial& t, std::size_t wanted) {
  std::optional<fd_endpoint> endpoint = t.subject.kernel_endpoint();
  const std::string what = call("kernel_endpoint", "", t.reader.at());
  if (!endpoint) return;
  if (fd_ref(endpoint->fd).kind() == fd_kind::unknown) {
    t.reader.broken(contract_rule::valid_endpoint, what, "an open descriptor", std::to_string(endpoint->fd));
    return;
  }
  if (trials.can().buffered && endpoint->buffered < t.reader.held()) {
    t.reader.broken(contract_rule::endpoint_in_step, what,
                    number(t.reader.held()) + " bytes buffered, as in the window", number(endpoint->buffered));
    return;
  }
  const result<std::uintmax_t> before = trials.can().seeks ? t.subject.position() : fail(io_errc::unsupported);
  const std::uintmax_t start = before ? *before - t.reader.at() : 0;
  // The descriptor is not to be touched before what is buffered is gone.
  while (endpoint && endpoint->buffered != 0) {
    const went how = t.reader.read(static_cast<std::size_t>(std::min<std::uintmax_t>(endpoint->buffered, 16)));
    if (how != went::on) {
      if (how == went::ended)
        t.reader.broken(contract_rule::endpoint_in_step, what, "none buffered at the end", number(endpoint->buffered));
      return;
    }
    endpoint = t.subject.kernel_endpoint();
  }
  if (!endpoint || !pass_in_kernel(t, *endpoint, wanted)) return;
  t.reader.judge_by(contract_rule::kernel_accounted);
  if (before && t.reader.tell_position(start) == went::broken) return;
  run(t.reader, {way::kind::read, 17});
}

void endpoints(reader_trials& trials) {
  if (!trials.can().kernel) return;
  for (const std::size_t delivered : starts) {
    for (const std::size_t wanted : {std::size_t{1}, std::size_t{20}, trials.expected().size() + 100}) {
      for (const bool fill : {false, true}) {
        trials.make("", [&](trial& t) {
          if (begin(trials, t, delivered, fill)) one_endpoint(trials, t, wanted);
        });
      }
    }
  }
}

}  // namespace

void check_plain_reads(reader_trials& trials) {
  const std::size_t size = trials.expected().size();
  std::set<std::size_t> sizes{100, 1000, 4096, size, size + 1};
  for (std::size_t n = 1; n <= 64; ++n) sizes.insert(n);
  sizes.erase(0);
  for (const std::size_t n : sizes) {
    trials.make("", [&](trial& t) {
      if (run(t.reader, {way::kind::read, n}) == went::ended) t.reader.end();
    });
  }
}

void check_capabilities(reader_trials& trials) {
  empty_requests(trials);
  cut_requests(trials);
  windows(trials);
  skips(trials);
  seeks(trials);
  hints(trials);
  endpoints(trials);
}

void walk(trial& t, std::uint32_t seed) {
  const reader_subject::abilities can = t.subject.can();
  const result<std::uintmax_t> start = can.seeks ? t.subject.position() : fail(io_errc::unsupported);
  dice die(seed);
  went how = went::on;
  while (how == went::on || how == went::failed) {
    const std::size_t n = die.below(4) == 0 ? die.below(100) : die.below(12);
    switch (die.below(6)) {
      case 0: how = t.reader.read(n); break;
      case 1:
        if (can.vectored) how = t.reader.pieces(std::array{n / 2, std::size_t{0}, n});
        break;
      case 2:
        if (can.buffered) how = t.reader.fill(n);
        break;
      case 3:
        if (can.buffered) how = t.reader.consume(std::min(n, t.reader.held()));
        break;
      case 4:
        if (can.skips && n < 30) how = t.reader.skip(n);
        break;
      case 5: how = can.buffered ? t.reader.look() : t.reader.read(n); break;
    }
    if (start && how == went::on) how = t.reader.tell_position(*start);
  }
}

void check_walks(reader_trials& trials) {
  for (std::uint32_t i = 0; i < trials.options().walks; ++i) {
    const std::uint32_t seed = trials.options().seed + i;
    trials.make("random walk " + number(seed), {}, contract_rule::ways_agree, [&](trial& t) { walk(t, seed); });
  }
}

void check_moves(reader_trials& trials) {
  for (const std::size_t delivered : starts) {
    for (const way w : trials.ways({9})) {
      trials.make("moved", {}, contract_rule::moves_whole, [&](trial& t) {
        if (!begin(trials, t, delivered, true)) return;
        const std::unique_ptr<reader_subject> second = t.subject.moved();
        if (!second) return;
        t.reader.follow(*second);
        if (t.reader.look() == went::on) run(t.reader, w);
      });
    }
  }
}

}  // namespace sluice::detail
