// SPDX-License-Identifier: BSL-1.0
#include "endpoint_spec.hpp"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace sluice::tool {

namespace {

struct prefix {
  std::string_view text;
  endpoint_form form;
};

constexpr std::array prefixes{
    prefix{"tcp:", endpoint_form::tcp},
    prefix{"unix:", endpoint_form::unix_socket},
    prefix{"tcp-listen:", endpoint_form::tcp_listen},
    prefix{"unix-listen:", endpoint_form::unix_listen},
};

std::expected<endpoint_spec, std::string> parse_tcp(endpoint_spec spec, std::string_view address) {
  const bool listens = spec.form == endpoint_form::tcp_listen;
  const auto wrong = [&](std::string_view what) { return std::unexpected(spec.text + ": " + std::string(what)); };
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return wrong("a PORT is missing, as in tcp:HOST:PORT");

  std::string_view host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']') && host.size() > 2) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find_first_of(":[]") != std::string_view::npos) {
    return wrong("an IPv6 address has to stand in brackets, as in tcp:[::1]:PORT");
  }
  if (host.empty() && !listens) return wrong("the HOST is missing, as in tcp:HOST:PORT");

  const std::string_view port = address.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), spec.port);
  if (error != std::errc() || end != port.data() + port.size() || (spec.port == 0 && !listens))
    return wrong("PORT has to be a number from 1 to 65535");
  spec.host = host;
  return spec;
}

}  // namespace

std::expected<endpoint_spec, std::string> parse_endpoint(std::string_view text) {
  endpoint_spec spec{.text = std::string(text), .path = std::string(text), .host = {}};
  if (text == "-") {
    spec.form = endpoint_form::standard_stream;
    return spec;
  }
  for (const prefix& p : prefixes) {
    if (!text.starts_with(p.text)) continue;
    const std::string_view address = text.substr(p.text.size());
    spec.form = p.form;
    spec.path = address;
    if (p.form == endpoint_form::tcp || p.form == endpoint_form::tcp_listen) return parse_tcp(std::move(spec), address);
    if (address.empty()) return std::unexpected(spec.text + ": the PATH is missing");
    return spec;
  }
  return spec;
}

std::string_view scheme_hint(const endpoint_spec& spec) noexcept {
  if (spec.form != endpoint_form::path) return "";
  const std::size_t end = spec.path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
  if (end == std::string::npos || end == 0 || spec.path[end] != ':') return "";
  return "; an address starts with tcp:, unix:, tcp-listen: or unix-listen:";
}

}  // namespace sluice::tool
