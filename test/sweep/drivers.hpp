// SPDX-License-Identifier: BSL-1.0
//
// The ways to run a copy, behind one face: copy with options, a copier run to its end, the short way of a source in
// memory.
//
//   std::unique_ptr<copying> c = make(from, to, options, driver::copier);
//   answer a = c->run();                 // and again, to go on
//
#ifndef SLUICE_TEST_SWEEP_DRIVERS_HPP
#define SLUICE_TEST_SWEEP_DRIVERS_HPP

#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "dimensions.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace sluice::test {

// What one call of the copy has come to, whichever driver made it.
struct answer {
  std::optional<copy_error> error;
  std::uintmax_t bytes = 0;
};

class copying {
 public:
  virtual ~copying() = default;
  virtual answer run() = 0;

  /// What the error has not handed back itself.
  virtual std::vector<std::byte> release() { return {}; }
};

template <class R, class W>
class by_copy final : public copying {
 public:
  by_copy(R& from, W& to, const copy_options& options) : from_(from), to_(to), options_(options) {}

  answer run() override {
    auto copied = copy(from_, to_, options_);
    if (copied) return {std::nullopt, *copied};
    const std::uintmax_t bytes = copied.error().bytes;
    return {std::move(copied.error()), bytes};
  }

 private:
  R& from_;
  W& to_;
  const copy_options& options_;
};

template <class R, class W>
class by_copier final : public copying {
 public:
  by_copier(R& from, W& to, const copy_options& options) : relay_(from, to, options) {}

  answer run() override {
    for (int i = 0; i != 10'000; ++i) {
      auto step = relay_.run();
      if (!step) {
        if (!step.error().unwritten.empty()) throw std::logic_error("a copier hands out what it keeps");
        const std::uintmax_t bytes = step.error().bytes;
        return {std::move(step.error()), bytes};
      }
      if (step->done) return {std::nullopt, step->bytes};
      pollfd one{.fd = step->fd,
                 .events = static_cast<short>(step->wait_for == readiness::readable ? POLLIN : POLLOUT),
                 .revents = 0};
      if (step->wait_for == readiness::none || ::poll(&one, 1, 10'000) != 1)
        throw std::logic_error("a copier waits for nothing");
    }
    throw std::logic_error("a copier that does not come to an end");
  }

  std::vector<std::byte> release() override { return relay_.release(); }

 private:
  copier<R&, W&> relay_;
};

template <class R, class W>
std::unique_ptr<copying> make(R& from, W& to, const copy_options& options, driver how) {
  if (how == driver::copier) return std::make_unique<by_copier<R, W>>(from, to, options);
  return std::make_unique<by_copy<R, W>>(from, to, options);
}

// A source in memory, copied without options: most of that is in the header.
template <class W>
class by_short_way final : public copying {
 public:
  by_short_way(span_reader& from, W& to) : from_(from), to_(to) {}

  answer run() override {
    auto copied = copy(from_, to_);
    if (copied) return {std::nullopt, *copied};
    const std::uintmax_t bytes = copied.error().bytes;
    return {std::move(copied.error()), bytes};
  }

 private:
  span_reader& from_;
  W& to_;
};

}  // namespace sluice::test

#endif
