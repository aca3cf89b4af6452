// SPDX-License-Identifier: BSL-1.0
//
// The other side of a connection with the tool, in a thread of its own.
//
//   peer server(*listener::listen_tcp("127.0.0.1", 0), text);   // sends it
//   peer server(*listener::listen_unix(path));                  // takes what the tool sends
//   run(...);
//   server.finish();
//
#ifndef SLUICE_TEST_TOOL_PEER_HPP
#define SLUICE_TEST_TOOL_PEER_HPP

#include <sluice/system/socket.hpp>

#include "run.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace sluice::test {

std::string read_to_end(socket& from);

/// Writes it all, or what somebody takes of it.
void write_as_taken(socket& to, std::string_view text);

/// The port that "tcp-listen:...:0" has got; empty where the tool failed before it had one.
std::string announced_port(child& tool);

class peer {
 public:
  /// Accepts one connection, and sends the text or receives.
  explicit peer(listener at, std::optional<std::string> text = std::nullopt);
  peer(const peer&) = delete;
  peer& operator=(const peer&) = delete;
  ~peer() { finish(); }

  /// Waits for the connection's end, or no longer for a connection; what was received.
  const std::string& finish();

 private:
  void serve(listener at, const std::optional<std::string>& text);

  pipe_pair stop_ = make_pipe();
  std::string received_;
  std::thread thread_;
};

}  // namespace sluice::test

#endif
