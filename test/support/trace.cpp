// SPDX-License-Identifier: BSL-1.0
#include "support/trace.hpp"

#include <utility>

namespace sluice::test {

using detail::sys::call_table;
using detail::sys::calls;
using detail::sys::real_calls;

trace* trace::current = nullptr;

namespace {

constexpr std::size_t most_pieces = 16;

// A call that moves bytes: which argument is the descriptor that is read from, which the one that is written to, and
// which says how many bytes. -1: none.
struct shape {
  std::string_view name;
  int source;
  int target;
  int size;
  bool inside_kernel;
};

enum shape_index { read, readv, write, writev, pwritev2, send, sendmsg, copy_file_range, sendfile, splice };

constexpr std::array<shape, 10> shapes{{{"read", 0, -1, 2, false},
                                        {"readv", 0, -1, -1, false},
                                        {"write", -1, 0, 2, false},
                                        {"writev", -1, 0, -1, false},
                                        {"pwritev2", -1, 0, -1, false},
                                        {"send", -1, 0, 2, false},
                                        {"sendmsg", -1, 0, -1, false},
                                        {"copy_file_range", 0, 2, 4, true},
                                        {"sendfile", 1, 0, 3, true},
                                        {"splice", 0, 2, 4, true}}};

template <int Argument, class Tuple>
int descriptor(const Tuple& arguments) {
  if constexpr (Argument < 0)
    return -1;
  else
    return std::get<static_cast<std::size_t>(Argument)>(arguments);
}

std::size_t cut(const iovec* pieces, std::size_t count, std::size_t limit, std::array<iovec, most_pieces>& kept) {
  std::size_t used = 0;
  for (std::size_t i = 0; i != count && limit != 0 && used != most_pieces; ++i) {
    const std::size_t n = std::min(pieces[i].iov_len, limit);
    kept[used++] = {pieces[i].iov_base, n};
    limit -= n;
  }
  return used;
}

template <auto Entry, shape_index Index>
struct transferring;

template <class... A, ssize_t (*call_table::*Entry)(A...), shape_index Index>
struct transferring<Entry, Index> {
  static constexpr const shape& form = shapes[Index];

  static ssize_t call(A... a) {
    std::tuple<A...> arguments(a...);
    trace& t = *trace::current;
    const touches what = t.side_of(descriptor<form.source>(arguments), descriptor<form.target>(arguments));
    const trace::fate fate = t.transfer({form.name, what, form.inside_kernel, is_unasked(arguments)});
    if (fate.error != 0) {
      errno = fate.error;
      return -1;
    }
    if (fate.zero) return 0;
    const ssize_t n = perform(arguments, fate.limit);
    if (n > 0) {
      t.moved(what, static_cast<std::size_t>(n));
      if constexpr (Index == splice) t.spliced(what);
    }
    return n;
  }

  static bool is_unasked(const std::tuple<A...>& arguments) {
    if constexpr (Index == send)
      return (std::get<3>(arguments) & MSG_DONTWAIT) != 0;
    else
      return Index == pwritev2;
  }

  static ssize_t perform(std::tuple<A...>& arguments, std::size_t limit) {
    std::array<iovec, most_pieces> kept;
    msghdr message{};
    if (limit != std::numeric_limits<std::size_t>::max()) {
      if constexpr (form.size >= 0) {
        auto& size = std::get<static_cast<std::size_t>(form.size)>(arguments);
        size = std::min(size, limit);
      } else if constexpr (Index == sendmsg) {
        message = *std::get<1>(arguments);
        message.msg_iovlen = cut(message.msg_iov, message.msg_iovlen, limit, kept);
        message.msg_iov = kept.data();
        std::get<1>(arguments) = &message;
      } else {
        const auto count = static_cast<std::size_t>(std::get<2>(arguments));
        std::get<2>(arguments) = static_cast<int>(cut(std::get<1>(arguments), count, limit, kept));
        std::get<1>(arguments) = kept.data();
      }
    }
    return std::apply(real_calls.*Entry, arguments);
  }
};

enum question_index {
  clone_range,
  poll,
  pipe2,
  set_pipe_size,
  fstat,
  lseek,
  ftruncate,
  fallocate,
  get_flags,
  getsockopt
};

constexpr std::array<std::string_view, 10> questions{"clone_range", "poll",      "pipe2",     "set_pipe_size",
                                                     "fstat",       "lseek",     "ftruncate", "fallocate",
                                                     "get_flags",   "getsockopt"};

// What FICLONERANGE would have done, on a file system that does not have it.
int copied_as_a_clone(int from, int to, off64_t offset, off64_t length, off64_t to_offset) {
  std::array<char, 65536> piece;
  while (length > 0) {
    const ssize_t n = ::pread64(from, piece.data(), std::min(piece.size(), static_cast<std::size_t>(length)), offset);
    if (n <= 0 || ::pwrite64(to, piece.data(), static_cast<std::size_t>(n), to_offset) != n) {
      errno = EIO;
      return -1;
    }
    offset += n;
    to_offset += n;
    length -= n;
  }
  return 0;
}

template <auto Entry, question_index Index>
struct asking;

template <class R, class... A, R (*call_table::*Entry)(A...), question_index Index>
struct asking<Entry, Index> {
  static R call(A... a) {
    trace& t = *trace::current;
    if (const int error = t.question(questions[Index]); error != 0) {
      errno = error;
      return static_cast<R>(-1);
    }
    if constexpr (Index == clone_range) {
      if (t.clones()) return copied_as_a_clone(a...);
    }
    return (real_calls.*Entry)(a...);
  }
};

}  // namespace

trace::trace() : original_(calls) {
  if (std::exchange(current, this) != nullptr) throw std::logic_error("one trace at a time");
  using t = call_table;
  calls.read = &transferring<&t::read, read>::call;
  calls.readv = &transferring<&t::readv, readv>::call;
  calls.write = &transferring<&t::write, write>::call;
  calls.writev = &transferring<&t::writev, writev>::call;
  calls.pwritev2 = &transferring<&t::pwritev2, pwritev2>::call;
  calls.send = &transferring<&t::send, send>::call;
  calls.sendmsg = &transferring<&t::sendmsg, sendmsg>::call;
  calls.copy_file_range = &transferring<&t::copy_file_range, copy_file_range>::call;
  calls.sendfile = &transferring<&t::sendfile, sendfile>::call;
  calls.splice = &transferring<&t::splice, splice>::call;
  calls.clone_range = &asking<&t::clone_range, clone_range>::call;
  calls.poll = &asking<&t::poll, poll>::call;
  calls.pipe2 = &asking<&t::pipe2, pipe2>::call;
  calls.set_pipe_size = &asking<&t::set_pipe_size, set_pipe_size>::call;
  calls.fstat = &asking<&t::fstat, fstat>::call;
  calls.lseek = &asking<&t::lseek, lseek>::call;
  calls.ftruncate = &asking<&t::ftruncate, ftruncate>::call;
  calls.fallocate = &asking<&t::fallocate, fallocate>::call;
  calls.get_flags = &asking<&t::get_flags, get_flags>::call;
  calls.getsockopt = &asking<&t::getsockopt, getsockopt>::call;
}

trace::~trace() {
  calls = original_;
  current = nullptr;
}

bool trace::strikes(std::size_t n, const trace_hit& call) {
  if (!active_ || plan_.at == 0 || n < plan_.at || n - plan_.at >= plan_.times) return false;
  if (plan_.only != touches::none && !meets(call.what, plan_.only)) return false;
  if (plan_.zero && !call.inside_kernel) return false;
  if (plan_.cut && plan_.whole_reads && call.what == touches::source) return false;
  ++hits_;
  last_hit_ = call;
  return true;
}

trace::fate trace::transfer(const trace_hit& call) {
  const std::size_t n = ++transfers_;
  fate f;
  if (!active_) return f;
  const bool may_be_cut = !(plan_.whole_reads && call.what == touches::source) &&
                          (plan_.cut_only == touches::none || meets(call.what, plan_.cut_only));
  if (n <= plan_.chunk_calls && may_be_cut) f.limit = plan_.chunk;
  if (plan_.questions || !strikes(n, call)) return f;
  f.error = plan_.error;
  f.zero = plan_.zero;
  if (plan_.cut) f.limit = 1;
  return f;
}

int trace::question(std::string_view call) {
  const std::size_t n = ++questions_;
  if (!plan_.questions || !strikes(n, {call, touches::none, false, false})) return 0;
  return plan_.error;
}

}  // namespace sluice::test
