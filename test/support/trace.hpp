// SPDX-License-Identifier: BSL-1.0
//
// All calls that one copy makes, under one counter: the k-th of them, of whatever kind, fails, falls short or says end.
//
//   trace all;                                        // installed until it is destroyed; one at a time
//   all.start({.source = 3, .target = 4, .at = 7, .error = EIO});
//   ... copy ...
//   all.stop();                                       // nothing is changed any more, but still counted
//   all.hits(), all.last_hit()                        // what was changed
//
// Two counters: the transferring calls, which move bytes, and the questions and preparations. A test's own streams join
// in with `all.user_call`. For one thread; compile support/trace.cpp with it.
//
#ifndef SLUICE_TEST_SUPPORT_TRACE_HPP
#define SLUICE_TEST_SUPPORT_TRACE_HPP

#ifndef SLUICE_FAULT_SEAM
#error "link with sluice_faults: sluice_test(... FAULTS)"
#endif

#include "system/linux/calls.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace sluice::test {

/// Which descriptors of the copy a call concerns. A private pipe is neither.
enum class touches : unsigned { none = 0, source = 1, target = 2, both = 3 };

constexpr bool meets(touches a, touches b) { return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0; }

struct trace_plan {
  int source = -1;
  int target = -1;

  // So many of the first transferring calls are cut to so many bytes.
  std::size_t chunk = std::numeric_limits<std::size_t>::max();
  std::size_t chunk_calls = 0;
  touches cut_only = touches::none;  // of these only those that touch this side; none: all
  bool clones = false;               // clone_range works, also where the file system does not have it
  bool whole_reads = false;          // reads are not cut: of a message the rest would be lost

  bool questions = false;        // what `at` counts: the questions, else the transferring calls
  std::size_t at = 0;            // the first call that it happens to, from 1; 0: none
  std::size_t times = 1;         // and to how many in a row
  touches only = touches::none;  // only to those that touch this side; none: to all
  int error = 0;                 // fails with this errno
  bool cut = false;              // moves one byte
  bool zero = false;             // answers 0, if it is a call that moves bytes inside the kernel
};

/// A call that was changed.
struct trace_hit {
  std::string_view call;
  touches what = touches::none;
  bool inside_kernel = false;  // copy_file_range, sendfile, splice
  bool unasked = false;        // a write that is not to wait, which has a way to fall back on
};

class trace {
 public:
  trace();
  ~trace();
  trace(const trace&) = delete;
  trace& operator=(const trace&) = delete;

  void start(const trace_plan& plan) {
    plan_ = plan;
    transfers_ = questions_ = hits_ = 0;
    delivered_ = direct_splices_ = private_splices_ = 0;
    last_hit_ = {};
    active_ = true;
  }
  void stop() { active_ = false; }

  std::size_t transfers() const { return transfers_; }
  std::size_t questions() const { return questions_; }
  std::size_t hits() const { return hits_; }
  const trace_hit& last_hit() const { return last_hit_; }

  /// Bytes that went into the target's descriptor.
  std::size_t delivered() const { return delivered_; }
  std::size_t direct_splices() const { return direct_splices_; }
  std::size_t private_splices() const { return private_splices_; }

  /// What the plan makes of one call.
  struct fate {
    std::size_t limit = std::numeric_limits<std::size_t>::max();
    int error = 0;
    bool zero = false;
  };
  fate transfer(const trace_hit& call);
  int question(std::string_view call);
  void moved(touches what, std::size_t n) {
    if (meets(what, touches::target)) delivered_ += n;
  }
  void spliced(touches what) { ++(what == touches::both ? direct_splices_ : private_splices_); }
  touches side_of(int source, int target) const {
    return static_cast<touches>((source >= 0 && source == plan_.source ? 1U : 0U) |
                                (target >= 0 && target == plan_.target ? 2U : 0U));
  }

  /// The same for a stream of the test's own. EINTR is what a stream of the library never answers: EIO stands in.
  fate user_call(touches what) {
    fate f = transfer({what == touches::source ? "read_some" : "write_some", what, false, false});
    if (f.error == EINTR) f.error = EIO;
    return f;
  }

  bool clones() const { return plan_.clones; }

  static trace* current;

 private:
  bool strikes(std::size_t n, const trace_hit& call);

  trace_plan plan_;
  std::size_t transfers_ = 0;
  std::size_t questions_ = 0;
  std::size_t hits_ = 0;
  std::size_t delivered_ = 0;
  std::size_t direct_splices_ = 0;
  std::size_t private_splices_ = 0;
  trace_hit last_hit_;
  bool active_ = false;
  detail::sys::call_table original_;
};

}  // namespace sluice::test

#endif
