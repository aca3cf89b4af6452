// SPDX-License-Identifier: BSL-1.0
//
// One run of a copy: the engine's state, the two streams, and what to do next.
//
#ifndef SLUICE_SRC_COPY_COPY_RUN_HPP
#define SLUICE_SRC_COPY_COPY_RUN_HPP

#include <sluice/detail/copy_engine.hpp>

#include "../system/linux/sigpipe_guard.hpp"
#include "../wait/direct_writer.hpp"
#include "../wait/waiter.hpp"
#include "kernel_paths.hpp"
#include "progress_clock.hpp"
#include "rounds.hpp"
#include "selector.hpp"

namespace sluice::detail {

/// One run of an engine over its streams.
struct copy_run {
  copy_engine& engine;
  source_ref from;
  sink_ref to;
  const copy_options& options;
  bool may_wait;
  waiter wait{options.stop, options.deadline};
  progress_clock progress{options, engine.last_tick_};
  std::optional<sys::sigpipe_guard> no_sigpipe = std::nullopt;
  std::optional<direct_writer> direct = std::nullopt;
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

  [[gnu::hot]] verdict drive();

 private:
  /// Whether the copy must not sit in a blocking call: somebody may end it, or wants to hear of it meanwhile.
  bool watchful() const noexcept { return wait.watchful() || progress.wanted(); }
  scratch_area scratch();
  std::size_t round_size(std::uintmax_t max) const noexcept;
  /// The caller has asked for no buffer of a certain kind, and nobody for pieces that never wait.
  bool stack_will_do() const noexcept { return options.scratch.empty() && options.buffer_size == 0 && !watchful(); }
  /// A first round through a buffer that is there anyway shows whether the source is small; asking costs more.
  bool buffer_tells_first() const;
  static std::size_t first_round_room(std::size_t room) noexcept;
  bool in_flight() const noexcept { return engine.begin_ != engine.end_; }
  void guard_from_sigpipe(fd_kind target) noexcept {
    if (is_pollable(target) && !no_sigpipe) no_sigpipe.emplace();
  }

  [[gnu::hot]] verdict next();
  [[gnu::hot]] verdict round();
  [[gnu::hot]] verdict stack_round(fd_endpoint* source = nullptr, fd_endpoint* target = nullptr);
  [[gnu::hot]] verdict stack_turns(const scratch_area& area, fd_endpoint* source, fd_endpoint* target);
  void keep_in_flight(const scratch_area& left);
  verdict pass_on_in_flight();
  step write_or_make_hole(sink_ref out, std::size_t size, copy_path& path);
  verdict kernel_step();
  verdict hole_step(const kernel_pair& pair, std::uintmax_t max);

  bool is_refused_as_same_file(fd_endpoint& source, fd_endpoint& target) const noexcept;
  std::optional<verdict> look_ahead();
  [[gnu::hot]] std::optional<verdict> decide();
  verdict take_kernel_paths(const examination& found, const fd_endpoint& target);
  void leave_kernel() noexcept;
  void forget_source() noexcept;

  verdict before_reading();
  verdict before_writing(std::size_t& size);
  verdict watched_output(sink_ref& out, std::size_t& size);
  verdict flush_writer();
  verdict blocked(copy_side side, const std::optional<std::error_code>& code, int fd);
  verdict finish();

  void take(std::uintmax_t n) noexcept;
  [[gnu::hot]] verdict account(copy_path path, const step& done, unsigned calls = 1);
};

}  // namespace sluice::detail

#endif
