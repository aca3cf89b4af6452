// SPDX-License-Identifier: BSL-1.0
//
// System calls that fail, fall short or are counted, for tests that are linked with the fault seam.
//
//   fault broken({.call = "read", .at = 2, .error = EIO});      // the second read(2) from here on fails
//   fault slow({.call = "write", .times = always, .shorten = 1});  // every write(2) moves one byte
//   fault lost({.call = "close", .error = EIO, .perform = true});  // closes, and says that it failed
//   fault seen({.call = "fstat"});                              // only counts: seen.calls()
//   call_counter all;                                           // counts every call: all.total(), all["read"]
//   replaced_call put(&call_table::read, function);             // a function of the test's own
//
// What is installed is taken out again by the destructor. Several may be alive, also for the same call: then all count,
// and the oldest that has something to do in a call does it. To be made and destroyed while no other thread makes
// system calls through the table; calls in between may come from any thread.
//
#ifndef SLUICE_TEST_SUPPORT_FAULTS_HPP
#define SLUICE_TEST_SUPPORT_FAULTS_HPP

#ifndef SLUICE_FAULT_SEAM
#error "link with sluice_faults: sluice_test(... FAULTS)"
#endif

#include "system/linux/calls.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::test {

using detail::sys::call_table;

inline constexpr std::size_t always = std::numeric_limits<std::size_t>::max();

/// What is to happen to which calls. With none of error, shorten and answer the calls are only counted.
struct fault_plan {
  std::string_view call;           ///< the name of the entry in the call table
  std::size_t at = 1;              ///< the first call it happens to, counted from 1
  std::size_t times = 1;           ///< and to how many in a row; `always`
  int fd = -1;                     ///< only calls with this first argument count; -1: all
  int error = 0;                   ///< fails with this errno
  std::size_t shorten = 0;         ///< moves at most so many bytes; for calls that return how many they moved
  std::optional<int> answer = {};  ///< returns this without making the call
  bool perform = false;            ///< with error or answer: makes the call all the same, and hides its outcome
};

namespace fault_detail {

struct state {
  explicit state(const fault_plan& p) : plan(p) {}

  bool acts() const { return plan.error != 0 || plan.shorten != 0 || plan.answer; }

  fault_plan plan;
  std::atomic<std::size_t> calls{0};
  std::atomic<std::size_t> hits{0};
};

inline std::vector<iovec> cut(const iovec* pieces, std::size_t count, std::size_t limit) {
  std::vector<iovec> kept;
  for (std::size_t i = 0; i != count && limit != 0; ++i) {
    const std::size_t n = std::min(pieces[i].iov_len, limit);
    kept.push_back({pieces[i].iov_base, n});
    limit -= n;
  }
  return kept;
}

template <auto Entry>
struct hook;

// Stands in for one entry of the table while some fault concerns it.
template <class R, class... A, R (*call_table::*Entry)(A...)>
struct hook<Entry> {
  static inline std::vector<state*> active;
  static inline R (*original)(A...) = nullptr;

  static void install(state* s) {
    if (active.empty()) {
      original = detail::sys::calls.*Entry;
      detail::sys::calls.*Entry = &call;
    }
    active.push_back(s);
  }

  static void remove(state* s) {
    std::erase(active, s);
    if (active.empty()) detail::sys::calls.*Entry = original;
  }

  static R call(A... a) {
    state* chosen = nullptr;
    for (state* s : active) {
      if (s->plan.fd >= 0 && !starts_with(s->plan.fd, a...)) continue;
      const std::size_t n = ++s->calls;
      if (chosen == nullptr && s->acts() && n >= s->plan.at && n - s->plan.at < s->plan.times) {
        chosen = s;
        ++s->hits;
      }
    }
    if (chosen == nullptr) return original(a...);
    const fault_plan& plan = chosen->plan;
    if (plan.error == 0 && !plan.answer) return shortened(plan.shorten, a...);
    if (plan.perform) original(a...);
    if (plan.error != 0) errno = plan.error;
    if constexpr (std::is_pointer_v<R>)
      return nullptr;
    else
      return static_cast<R>(plan.answer.value_or(-1));
  }

  template <class First, class... Rest>
  static bool starts_with(int fd, First first, Rest...) {
    if constexpr (std::is_same_v<First, int>)
      return first == fd;
    else
      return false;
  }

  static R shortened(std::size_t limit, A... a) {
    std::tuple<A...> arguments(a...);
    std::vector<iovec> pieces;
    msghdr message{};
    if constexpr ((std::is_same_v<A, const iovec*> || ...)) {
      pieces = cut(std::get<1>(arguments), static_cast<std::size_t>(std::get<2>(arguments)), limit);
      std::get<1>(arguments) = pieces.data();
      std::get<2>(arguments) = static_cast<int>(pieces.size());
    } else if constexpr ((std::is_same_v<A, const msghdr*> || ...)) {
      message = *std::get<1>(arguments);
      pieces = cut(message.msg_iov, message.msg_iovlen, limit);
      message.msg_iov = pieces.data();
      message.msg_iovlen = pieces.size();
      std::get<1>(arguments) = &message;
    } else if constexpr (std::is_same_v<R, ssize_t> && (std::is_same_v<A, std::size_t> || ...)) {
      auto& size = std::get<std::size_t>(arguments);
      size = std::min(size, limit);
    }
    return std::apply(original, arguments);
  }
};

struct entry {
  std::string_view name;
  void (*install)(state*);
  void (*remove)(state*);
};

template <auto Entry>
constexpr entry make_entry(std::string_view name) {
  return {name, &hook<Entry>::install, &hook<Entry>::remove};
}

inline constexpr std::array entries{
    make_entry<&call_table::open>("open"),
    make_entry<&call_table::close>("close"),
    make_entry<&call_table::realloc>("realloc"),
    make_entry<&call_table::aligned_alloc>("aligned_alloc"),
    make_entry<&call_table::madvise>("madvise"),
    make_entry<&call_table::read>("read"),
    make_entry<&call_table::write>("write"),
    make_entry<&call_table::readv>("readv"),
    make_entry<&call_table::writev>("writev"),
    make_entry<&call_table::pread>("pread"),
    make_entry<&call_table::preadv>("preadv"),
    make_entry<&call_table::pwrite>("pwrite"),
    make_entry<&call_table::pwritev2>("pwritev2"),
    make_entry<&call_table::recv>("recv"),
    make_entry<&call_table::send>("send"),
    make_entry<&call_table::sendmsg>("sendmsg"),
    make_entry<&call_table::lseek>("lseek"),
    make_entry<&call_table::fstat>("fstat"),
    make_entry<&call_table::lstat>("lstat"),
    make_entry<&call_table::isatty>("isatty"),
    make_entry<&call_table::unlink>("unlink"),
    make_entry<&call_table::linkat>("linkat"),
    make_entry<&call_table::rename>("rename"),
    make_entry<&call_table::readlink>("readlink"),
    make_entry<&call_table::real_path>("real_path"),
    make_entry<&call_table::fchmod>("fchmod"),
    make_entry<&call_table::fchown>("fchown"),
    make_entry<&call_table::map>("map"),
    make_entry<&call_table::remap>("remap"),
    make_entry<&call_table::munmap>("munmap"),
    make_entry<&call_table::get_flags>("get_flags"),
    make_entry<&call_table::set_flags>("set_flags"),
    make_entry<&call_table::ftruncate>("ftruncate"),
    make_entry<&call_table::fallocate>("fallocate"),
    make_entry<&call_table::fsync>("fsync"),
    make_entry<&call_table::fdatasync>("fdatasync"),
    make_entry<&call_table::poll>("poll"),
    make_entry<&call_table::pipe2>("pipe2"),
    make_entry<&call_table::set_pipe_size>("set_pipe_size"),
    make_entry<&call_table::clone_range>("clone_range"),
    make_entry<&call_table::copy_file_range>("copy_file_range"),
    make_entry<&call_table::sendfile>("sendfile"),
    make_entry<&call_table::splice>("splice"),
    make_entry<&call_table::socket>("socket"),
    make_entry<&call_table::socketpair>("socketpair"),
    make_entry<&call_table::connect>("connect"),
    make_entry<&call_table::bind>("bind"),
    make_entry<&call_table::listen>("listen"),
    make_entry<&call_table::accept4>("accept4"),
    make_entry<&call_table::shutdown>("shutdown"),
    make_entry<&call_table::getsockopt>("getsockopt"),
    make_entry<&call_table::setsockopt>("setsockopt"),
    make_entry<&call_table::getsockname>("getsockname"),
    make_entry<&call_table::getaddrinfo>("getaddrinfo"),
    make_entry<&call_table::sigpending>("sigpending"),
    make_entry<&call_table::pthread_sigmask>("pthread_sigmask"),
    make_entry<&call_table::sigtimedwait>("sigtimedwait"),
};
static_assert(entries.size() * sizeof(void (*)()) == sizeof(call_table), "a call of the table is missing here");

inline const entry& find(std::string_view name) {
  const auto* found = std::ranges::find(entries, name, &entry::name);
  if (found == entries.end()) throw std::invalid_argument("no such call: " + std::string(name));
  return *found;
}

}  // namespace fault_detail

/// A plan in force.
class fault {
 public:
  explicit fault(const fault_plan& plan) : entry_(fault_detail::find(plan.call)), state_(plan) {
    entry_.install(&state_);
  }
  ~fault() { entry_.remove(&state_); }

  fault(const fault&) = delete;
  fault& operator=(const fault&) = delete;

  /// How many calls there were, of the plan's descriptor if it names one.
  std::size_t calls() const { return state_.calls; }

  /// How many of them the plan has changed.
  std::size_t hits() const { return state_.hits; }

 private:
  const fault_detail::entry& entry_;
  fault_detail::state state_;
};

/// Counts every call.
class call_counter {
 public:
  call_counter() {
    for (const auto& e : fault_detail::entries) counts_.push_back(std::make_unique<fault>(fault_plan{.call = e.name}));
  }

  std::size_t operator[](std::string_view call) const {
    return counts_[static_cast<std::size_t>(&fault_detail::find(call) - fault_detail::entries.data())]->calls();
  }

  std::size_t total() const {
    std::size_t sum = 0;
    for (const auto& count : counts_) sum += count->calls();
    return sum;
  }

 private:
  std::vector<std::unique_ptr<fault>> counts_;
};

/// Puts a function of the test's own into the table.
template <class Function>
class replaced_call {
 public:
  replaced_call(Function call_table::* entry, Function function)
      : entry_(entry), original_(std::exchange(detail::sys::calls.*entry, function)) {}
  ~replaced_call() { detail::sys::calls.*entry_ = original_; }

  replaced_call(const replaced_call&) = delete;
  replaced_call& operator=(const replaced_call&) = delete;

 private:
  Function call_table::* entry_;
  Function original_;
};

template <class Function>
replaced_call(Function call_table::*, std::type_identity_t<Function>) -> replaced_call<Function>;

}  // namespace sluice::test

#endif
