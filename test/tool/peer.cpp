// SPDX-License-Identifier: BSL-1.0
#include "peer.hpp"

#include <poll.h>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace sluice::test {

std::string read_to_end(socket& from) {
  std::string text;
  std::array<std::byte, 65536> buffer;
  for (;;) {
    const result<std::size_t> n = from.read_some(buffer);
    if (!n || *n == 0) return text;
    text.append(reinterpret_cast<const char*>(buffer.data()), *n);
  }
}

void write_as_taken(socket& to, std::string_view text) {
  std::span<const std::byte> left = std::as_bytes(std::span(text));
  while (!left.empty()) {
    const result<std::size_t> n = to.write_some(left);
    if (!n) return;
    left = left.subspan(*n);
  }
}

std::string announced_port(child& tool) {
  const std::string said =
      tool.read_errors_until([](const std::string& text) { return text.find('\n') != std::string::npos; });
  const std::size_t at = said.rfind(' ');
  if (said.find(": listening at port ") == std::string::npos) return "";
  return said.substr(at + 1, said.find('\n') - at - 1);
}

peer::peer(listener at, std::optional<std::string> text)
    : thread_([this, here = std::move(at), sent = std::move(text)]() mutable { serve(std::move(here), sent); }) {}

const std::string& peer::finish() {
  stop_.writer.reset();
  if (thread_.joinable()) thread_.join();
  return received_;
}

void peer::serve(listener at, const std::optional<std::string>& text) {
  std::array<pollfd, 2> wanted{pollfd{.fd = at.fd(), .events = POLLIN, .revents = 0},
                               pollfd{.fd = stop_.reader.get(), .events = POLLIN, .revents = 0}};
  if (::poll(wanted.data(), wanted.size(), -1) <= 0 || wanted[0].revents == 0) return;
  result<socket> connection = at.accept();
  if (!connection) return;
  if (text)
    write_as_taken(*connection, *text);
  else
    received_ = read_to_end(*connection);
}

}  // namespace sluice::test
