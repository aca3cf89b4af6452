// SPDX-License-Identifier: BSL-1.0
//
// The rows of the benchmarks, with the synchronous streams of kj (Cap'n Proto); see peer.hpp.
//
#include "peer.hpp"

#include <kj/array.h>
#include <kj/io.h>

namespace {

using namespace sluice::bench;

kj::AutoCloseFd opened(const char* path, int flags) {
  const int fd = ::open(path, flags | O_CLOEXEC, 0666);
  require(fd >= 0);
  return kj::AutoCloseFd(fd);
}

// Lends the buffer of the reader to the writer, the way kj's own pumps do.
std::uintmax_t lend(kj::BufferedInputStreamWrapper& from, kj::OutputStream& to, std::uintmax_t most) {
  std::uintmax_t total = 0;
  while (total != most) {
    const auto window = from.tryGetReadBuffer();
    if (window.size() == 0) break;
    const std::size_t n = std::min<std::uintmax_t>(window.size(), most - total);
    to.write(window.begin(), n);
    from.skip(n);
    total += n;
  }
  return total;
}

void move(const arguments&) {
  once([] {
    kj::FdInputStream in(0);
    kj::FdOutputStream out(1);
    auto room = kj::heapArray<kj::byte>(buffer_size);
    kj::BufferedInputStreamWrapper from(in, room.asPtr());
    return lend(from, out, UINTMAX_MAX);
  });
}

void zero_to_null(const arguments& given) {
  require(!given.empty());
  constexpr std::uintmax_t amount = std::uintmax_t{1} << 20;
  kj::FdInputStream zero(opened("/dev/zero", O_RDONLY));
  kj::FdOutputStream null(opened("/dev/null", O_WRONLY));
  auto room = kj::heapArray<kj::byte>(buffer_size);
  kj::BufferedInputStreamWrapper from(zero, room.asPtr());
  repeat([&] { return lend(from, null, amount); });
}

void read_file(const arguments& given) {
  const input_file file(given[1], std::string(std::stoul(given[0]), 'x'));
  repeat([&] {
    kj::FdInputStream from(opened(file.path().c_str(), O_RDONLY));
    return std::uintmax_t{from.readAllBytes().size()};
  });
}

void read_pipe(const arguments& given) {
  const std::uintmax_t bytes = std::stoull(given[0]);
  repeat([&] {
    const fed_pipe pipe(bytes);
    kj::FdInputStream from(pipe.fd());
    return std::uintmax_t{from.readAllBytes().size()};
  });
}

constexpr std::size_t batch = 16384;

template <class Request>
void repeat_requests(std::size_t bytes, Request request) {
  using clock = std::chrono::steady_clock;
  constexpr std::size_t rounds = 200;
  for (std::size_t i = 0; i != 20 * batch; ++i) request();
  const auto begin = clock::now();
  for (std::size_t i = 0; i != rounds * batch; ++i) request();
  const std::chrono::duration<double, std::nano> all = clock::now() - begin;
  ::dprintf(3, "%.3f 0 %zu\n", all.count() / static_cast<double>(rounds * batch), bytes);
}

// The compiler knows the size, or does not.
std::size_t size_of_request(const arguments& given) {
  std::size_t n = std::stoul(given[0]);
  asm volatile("" : "+r"(n));
  return n;
}

void small_writes(const arguments& given) {
  const std::size_t n = size_of_request(given);
  kj::FdOutputStream null(opened("/dev/null", O_WRONLY));
  auto room = kj::heapArray<kj::byte>(small_buffer_size);
  kj::BufferedOutputStreamWrapper to(null, room.asPtr());
  const std::string text(64, 'x');
  repeat_requests(n, [&] { to.write(text.data(), n); });
}

void small_reads(const arguments& given) {
  const std::size_t n = size_of_request(given);
  kj::FdInputStream zero(opened("/dev/zero", O_RDONLY));
  auto room = kj::heapArray<kj::byte>(small_buffer_size);
  kj::BufferedInputStreamWrapper from(zero, room.asPtr());
  char got[64];
  repeat_requests(n, [&] {
    from.read(got, n);
    asm volatile("" ::"r"(got) : "memory");
  });
}

}  // namespace

int main(int argc, char** argv) {
  return run_peer(argc, argv,
                  {{"move", &move},
                   {"zero_to_null", &zero_to_null},
                   {"read_all file", &read_file},
                   {"read_all pipe", &read_pipe},
                   {"small_writes", &small_writes},
                   {"small_reads", &small_reads}});
}
