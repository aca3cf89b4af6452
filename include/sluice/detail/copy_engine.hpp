// SPDX-License-Identifier: BSL-1.0
//
// The compiled heart of copy and copier: the state of one copy, and the loop that takes the paths in their order.
//
#ifndef SLUICE_DETAIL_COPY_ENGINE_HPP
#define SLUICE_DETAIL_COPY_ENGINE_HPP

#include <sluice/copy_options.hpp>
#include <sluice/copy_step.hpp>
#include <sluice/detail/sink_ops.hpp>
#include <sluice/detail/source_ops.hpp>

#include <chrono>
#include <memory>

namespace sluice {

namespace detail {

/// Why a copy with these options is to end before it goes on: `cancelled` or `timed_out`.
std::optional<std::error_code> ended(const copy_options& options);

/// What a copy without options is given.
const copy_options& default_copy_options() noexcept;

copy_plan explain(source_ref from, sink_ref to, const copy_options& options);

struct copy_run;

/// A pipe of the copy's own, between two descriptors that splice(2) cannot join.
struct private_pipe {
  int reader = -1;
  int writer = -1;
  std::size_t filled = 0;    // bytes in it
  std::size_t capacity = 0;  // bytes it can hold, if each of its slots is full
  int owner = 0;             // the process that made it: after fork(2) the other one must not use it
  bool refused = false;      // there was none to be had

  bool is_open() const noexcept { return reader >= 0; }
};

/// Which open file a source's descriptor stands for, or which section of it. A wrapper may go on to another one, even
/// under the same number.
struct descriptor_mark {
  int fd = -1;
  bool identified = false;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool is_section = false;
  const fd_facts* section = nullptr;  // only compared: sections of one file have facts of their own

  /// Whether the endpoint is the same still; remembers what is known of it by now.
  bool is_still(const fd_endpoint& endpoint) noexcept {
    descriptor_mark now{.fd = endpoint.fd};
    if (endpoint.facts && endpoint.facts->identified)
      now = {.fd = now.fd, .identified = true, .device = endpoint.facts->device, .inode = endpoint.facts->inode};
    now.is_section = endpoint.offset.has_value();
    if (now.is_section) now.section = endpoint.facts;
    const bool same = now.fd == fd && now.is_section == is_section && now.section == section &&
                      (!identified || (now.identified && now.device == device && now.inode == inode));
    *this = now;
    return same;
  }
};

/// The state that outlives one run: what is in flight, what was found out, what has been counted.
class copy_engine {
 public:
  copy_engine(std::uintmax_t limit, const copy_options& options) noexcept;
  copy_engine(copy_engine&& other) noexcept;
  copy_engine& operator=(copy_engine&&) = delete;
  ~copy_engine();

  /// Runs to the end of the source; waits where the options say so. An error carries what was in flight.
  std::expected<std::uintmax_t, copy_error> run_to_end(source_ref from, sink_ref to, const copy_options& options);

  /// Runs until the end, or until a side would block. What is in flight stays.
  std::expected<copy_step, copy_error> run(source_ref from, sink_ref to, const copy_options& options);

  std::vector<std::byte> release();

  const copy_report& report() const noexcept { return report_; }
  std::uintmax_t bytes() const noexcept { return bytes_; }
  std::uintmax_t remaining() const noexcept { return remaining_; }

  bool handoff_offered() const noexcept { return handoff_offered_; }
  void handed_off(std::uintmax_t bytes, bool done) noexcept;

 private:
  friend struct copy_run;

  /// How far the question "may the kernel do it?" has been answered.
  enum class kernel_state : unsigned char { undecided, taken, off };

  std::uintmax_t remaining_;  // how much may still be taken from the source
  std::uintmax_t bytes_ = 0;  // how much the writer has accepted

  // In flight in user space: [begin_, end_) of the scratch buffer.
  std::byte* scratch_ = nullptr;
  std::size_t scratch_size_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::unique_ptr<std::byte[]> owned_scratch_;

  private_pipe pipe_;  // with what is in flight in the kernel
  copy_report report_;

  std::uintmax_t source_left_ = unbounded;  // by the size of a regular source, for the paths that want an exact count
  std::uintmax_t segment_left_ = 0;         // data before the next hole
  std::uintmax_t odd_start_ = 0;            // what the kernel moves first, so that the rest of a file is aligned
  std::chrono::steady_clock::time_point last_tick_ = std::chrono::steady_clock::time_point::min();  // of the progress
  std::array<copy_path, 4> paths_{};  // kernel paths still to be tried, the current one first
  unsigned char path_count_ = 0;
  unsigned char rounds_ = 0;  // rounds through memory, counted up to 2
  bool filled_up_ = false;  // the last round tells nothing of how little there is: it had no room left, or read nothing
  kernel_state kernel_ = kernel_state::undecided;
  bool sparse_ = false;
  bool zeros_to_holes_ = false;
  bool flight_has_holes_ = false;  // of what is in flight, blocks of zeros are to become holes
  bool cut_messages_ = false;      // the destination takes messages of a moderate size only
  bool whole_messages_ = false;    // a message must not be cut by a read that is too small for it
  bool confirming_ = false;        // the kernel said end; a read has the last word
  bool direct_refused_ = false;    // the kernel cannot write to this destination without waiting
  bool ended_ = false;             // the source has; only the last flush may be left
  bool done_ = false;
  bool handoff_offered_ = false;
  descriptor_mark decided_;  // the source that the answers are about
};

}  // namespace detail
}  // namespace sluice

#endif
