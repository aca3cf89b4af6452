// SPDX-License-Identifier: BSL-1.0
//
// The smallest program that needs both the headers and the compiled library.
#include <sluice/result.hpp>

#include <string_view>
#include <system_error>

int main() {
  const std::error_code code = make_error_code(sluice::io_errc::unexpected_eof);
  return std::string_view(code.category().name()) == "sluice" ? 0 : 1;
}
