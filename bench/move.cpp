// SPDX-License-Identifier: BSL-1.0
//
// Moves standard input to standard output once, in the way that is named, and says on descriptor 3 how long it took.
// The driver starts it with files, pipes and sockets; the ways by hand are the limits that the library is held to.
//
//   bench_move sluice [WRAPPER]                  copy; WRAPPER: buf_reader, limit, counted, any_reader, user, buf_writer
//   bench_move read_write BYTES                  read(2) and write(2) with a buffer of so many bytes
//   bench_move sendfile | copy_file_range | splice
//   bench_move splice_through BYTES              splice(2) through a pipe of so many bytes
//
#include <sluice/sluice.hpp>

#include "support/metered.hpp"
#include "support/self_report.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace {

using namespace sluice;
using namespace sluice::literals;

constexpr int in = 0;
constexpr int out = 1;
constexpr std::size_t most = 1_GiB;

std::uintmax_t counted_or_abort(ssize_t n) {
  if (n < 0) {
    std::perror("bench_move");
    std::_Exit(1);
  }
  return static_cast<std::uintmax_t>(n);
}

// Repeats a call that moves bytes until it answers 0.
template <class Call>
std::uintmax_t to_the_end(Call call) {
  std::uintmax_t total = 0;
  while (const std::uintmax_t n = counted_or_abort(call())) total += n;
  return total;
}

std::uintmax_t read_write(std::size_t size) {
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(size);
  return to_the_end([&] {
    const ssize_t n = ::read(in, memory.get(), size);
    for (ssize_t written = 0; written < n;)
      written += static_cast<ssize_t>(
          counted_or_abort(::write(out, memory.get() + written, static_cast<std::size_t>(n - written))));
    return n;
  });
}

std::uintmax_t splice_through(std::size_t size) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) std::abort();
  ::fcntl(pipe[1], F_SETPIPE_SZ, static_cast<int>(size));
  return to_the_end([&] {
    const ssize_t n = ::splice(in, nullptr, pipe[1], nullptr, size, SPLICE_F_MOVE);
    for (ssize_t passed = 0; passed < n;)
      passed += static_cast<ssize_t>(counted_or_abort(
          ::splice(pipe[0], nullptr, out, nullptr, static_cast<std::size_t>(n - passed), SPLICE_F_MOVE)));
    return n;
  });
}

std::uintmax_t by_sluice(std::string_view wrapper) {
  fd_ref from(in);
  fd_ref to(out);
  if (wrapper == "buf_reader") return or_throw(copy(buf_reader(from, 256_KiB), to));
  if (wrapper == "limit") return or_throw(copy(from | limit(unbounded - 1), to));
  if (wrapper == "counted") return or_throw(copy(from | counted(), to));
  if (wrapper == "any_reader") return or_throw(copy(any_reader(from), to));
  if (wrapper == "user") return or_throw(copy(bench::metered<fd_ref>{from}, to));
  if (wrapper == "buf_writer") {
    buf_writer buffered(to, 256_KiB);
    const auto n = or_throw(copy(from, buffered));
    or_throw(buffered.flush());
    return n;
  }
  return or_throw(copy(from, to));
}

std::uintmax_t move(std::string_view way, const char* argument) {
  const std::size_t size = argument ? std::strtoul(argument, nullptr, 10) : 0;
  if (way == "sluice") return by_sluice(argument ? argument : "");
  if (way == "read_write") return read_write(size);
  if (way == "splice_through") return splice_through(size);
  if (way == "sendfile") return to_the_end([] { return ::sendfile(out, in, nullptr, most); });
  if (way == "splice") return to_the_end([] { return ::splice(in, nullptr, out, nullptr, most, SPLICE_F_MOVE); });
  if (way == "copy_file_range") return to_the_end([] { return ::copy_file_range(in, nullptr, out, nullptr, most, 0); });
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const bench::stopwatch watch;
  const std::uintmax_t bytes = move(argv[1], argc > 2 ? argv[2] : nullptr);
  watch.report(bytes);
}
