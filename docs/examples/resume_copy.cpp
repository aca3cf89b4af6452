// SPDX-License-Identifier: BSL-1.0
//
// A copy onto something that is full after a while, and is taken up again: no byte is lost or repeated.
//
#include <sluice/sluice.hpp>

#include <iostream>
#include <string>

using namespace sluice;

namespace {

/// Takes `room` bytes and then no more, until somebody makes room.
struct small_disk {
  std::string content;
  std::size_t room = 0;

  result<std::size_t> write_some(std::span<const std::byte> b) {
    const std::size_t n = std::min(b.size(), room);
    if (n == 0) return fail(std::make_error_code(std::errc::no_space_on_device));
    content.append(reinterpret_cast<const char*>(b.data()), n);
    room -= n;
    return n;
  }
};

}  // namespace

int main() {
  std::string text;
  for (int i = 0; i != 10'000; ++i) text += "line " + std::to_string(i) + '\n';

  pipe_ends source = or_throw(make_pipe({.size = 1 << 20}));
  or_throw(write_all(source.writer, text));
  or_throw(source.writer.close());

  small_disk disk;
  const copy_options options{.buffer_size = 16 << 10};
  auto copied = copy(source.reader, disk, options);
  while (!copied && copied.error().code == std::errc::no_space_on_device) {
    const copy_error& why = copied.error();
    std::cout << name(why.side) << ": " << why.code.message() << " after " << why.bytes << " bytes, "
              << why.unwritten.size() << " in hand\n";
    disk.room += 64 << 10;
    or_throw(write_all(disk, why.unwritten));
    copied = copy(source.reader, disk, options);
  }
  return copied && disk.content == text ? 0 : 1;
}
