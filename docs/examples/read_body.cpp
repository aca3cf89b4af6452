// SPDX-License-Identifier: BSL-1.0
//
// Reads a message of head and body from a connection: the head is lines up to an empty one, none longer than 1 KiB, and
// tells how long the body is; the body is read into one allocation, and a peer that sends too little is found out.
//
#include <sluice/sluice.hpp>

#include <charconv>
#include <iostream>
#include <thread>

using namespace sluice;
using namespace sluice::literals;

// The head's lines give the length; everything else in it is passed over.
template <buffered_reader R>
result<std::size_t> read_head(R& from) {
  std::size_t length = 0;
  for (std::string line; /**/; line.clear()) {
    const auto n = read_until(from, std::byte{'\n'}, line, 1_KiB);
    if (!n) return fail(n.error());
    if (!line.ends_with('\n')) return fail(io_errc::truncated);
    if (line == "\n") return length;
    constexpr std::string_view name = "length: ";
    if (line.starts_with(name)) std::from_chars(line.data() + name.size(), line.data() + line.size(), length);
  }
}

template <buffered_reader R>
result<std::string> read_message(R& from) {
  const result<std::size_t> length = read_head(from);
  if (!length) return fail(length.error());
  auto body = read_to_string(limit(from, *length), 1_MiB);
  if (!body) return fail(body.error());
  if (body->size() < *length) return fail(io_errc::truncated);
  return *std::move(body);
}

int main() {
  pipe_ends ends = or_throw(make_pipe());
  std::jthread peer([to = std::move(ends.writer)]() mutable {
    const std::string_view head = "length: 5\nkind: greeting\n\n";
    const const_buffer pieces[]{as_bytes(head), as_bytes("hello"), as_bytes("length: 9\n\ntoo short")};
    or_throw(write_all(to, pieces));
  });
  buf_reader from(std::move(ends.reader));
  const std::string body = or_throw(read_message(from));
  std::cout << body << '\n';
  const std::string second = or_throw(read_message(from));
  std::cout << second << '\n';
  return body == "hello" && second == "too short" ? 0 : 1;
}
