// SPDX-License-Identifier: BSL-1.0
//
// Numbers and names as text.
//
//   std::string byte_count(std::uintmax_t n);                  // 1048576 bytes
//   std::string human_size(double n);                          // 1.0 MiB
//   std::string human_time(std::chrono::nanoseconds);          // 0.123 s, 2:05, 1:02:05
//   std::string fixed(double value, int decimals);
//   std::string printable(std::string_view name);              // on one line, whatever is in it
//   std::string json_string(std::string_view text);            // with its quotes
//   std::string message(std::error_code);                      // No space left on device
//   std::string symbol(std::error_code);                       // ENOSPC
//   std::optional<std::uintmax_t> parse_size(std::string_view);  // 64K, 64KiB, 1M
//
#ifndef SLUICE_TOOL_TEXT_HPP
#define SLUICE_TOOL_TEXT_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice::tool {

/// "1 byte", "1048576 bytes".
std::string byte_count(std::uintmax_t n);

/// Three digits or so and a power of 1024: "17 B", "1.5 MiB".
std::string human_size(double n);

std::string human_time(std::chrono::nanoseconds time);

/// The number with so many decimals and a point, whatever the locale is.
std::string fixed(double value, int decimals);

/// A name for a message: control characters as \n, \t or \ooo, so that it stays on its line and
/// sends nothing to a terminal.
std::string printable(std::string_view name);

/// A string of JSON. Bytes that are not UTF-8, which a path may have, become U+FFFD.
std::string json_string(std::string_view text);

/// What the code means, without the name of its category.
std::string message(std::error_code code);

/// The name of a system error, "EXDEV"; "category:number" for any other.
std::string symbol(std::error_code code);

/// A number of bytes: digits and, optionally, K, M, G, T, P or E, which may be followed by iB or B,
/// for a power of 1024; capital or small. Nothing for anything else, and for what 64 bits don't hold.
std::optional<std::uintmax_t> parse_size(std::string_view text) noexcept;

}  // namespace sluice::tool

#endif
