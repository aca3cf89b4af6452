// SPDX-License-Identifier: BSL-1.0
//
// SRC and DST, as they are written on the command line.
//
//   enum class endpoint_form { standard_stream, path, tcp, unix_socket, tcp_listen, unix_listen };
//   struct endpoint_spec { endpoint_form form; std::string text, path, host; std::uint16_t port; };
//   std::expected<endpoint_spec, std::string> parse_endpoint(std::string_view text);
//   std::string_view scheme_hint(const endpoint_spec&);
//
#ifndef SLUICE_TOOL_ENDPOINT_SPEC_HPP
#define SLUICE_TOOL_ENDPOINT_SPEC_HPP

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::tool {

enum class endpoint_form : unsigned char {
  standard_stream,  ///< "-"
  path,
  tcp,          ///< "tcp:HOST:PORT": connects
  unix_socket,  ///< "unix:PATH": connects
  tcp_listen,   ///< "tcp-listen:HOST:PORT": accepts one connection; no HOST stands for all addresses
  unix_listen,  ///< "unix-listen:PATH": accepts one connection
};

struct endpoint_spec {
  endpoint_form form = endpoint_form::path;
  std::string text;  ///< as it was given
  std::string path;  ///< of a file or a Unix socket
  std::string host;
  std::uint16_t port = 0;

  bool is_socket() const noexcept { return form >= endpoint_form::tcp; }
};

/// Takes an argument apart; or says what is wrong with it. Anything without one of the prefixes is a
/// path, and "./tcp:x" is the path of a file that has one in its name.
/// A HOST with a colon in it, as IPv6 addresses have, stands in brackets: "tcp:[::1]:7000".
std::expected<endpoint_spec, std::string> parse_endpoint(std::string_view text);

/// What to add to the message that there is no such file, where the path looks as if it was meant to be an address:
/// "tpc:host:80". Else nothing.
std::string_view scheme_hint(const endpoint_spec& spec) noexcept;

}  // namespace sluice::tool

#endif
