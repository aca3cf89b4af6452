// SPDX-License-Identifier: BSL-1.0
#include "text.hpp"

#include <string.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>

namespace sluice::tool {

namespace {

/// The length of the UTF-8 sequence that `text` starts with, by table 3-7 of the Unicode Standard;
/// 0 if it is not one.
std::size_t utf8_length(std::string_view text) noexcept {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned>(static_cast<unsigned char>(text[i])) : 0U;
  };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return at(i) >= low && at(i) <= high;
  };
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = lead == 0xE0 ? follows(1, 0xA0) : lead == 0xED ? follows(1, 0x80, 0x9F) : follows(1);
    return second && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = lead == 0xF0 ? follows(1, 0x90) : lead == 0xF4 ? follows(1, 0x80, 0x8F) : follows(1);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The power of two that a suffix stands for.
std::optional<unsigned> suffix_shift(std::string_view suffix) noexcept {
  if (suffix.empty()) return 0;
  const char first = lower(suffix.front());
  if (first == 'b') return suffix.size() == 1 ? std::optional(0U) : std::nullopt;
  const std::size_t unit = std::string_view("kmgtpe").find(first);
  if (unit == std::string_view::npos) return std::nullopt;
  const std::string_view rest = suffix.substr(1);
  const bool fits = rest.empty() || (rest.size() == 1 && lower(rest[0]) == 'b') ||
                    (rest.size() == 2 && lower(rest[0]) == 'i' && lower(rest[1]) == 'b');
  if (!fits) return std::nullopt;
  return static_cast<unsigned>(unit + 1) * 10;
}

}  // namespace

std::string byte_count(std::uintmax_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

std::string fixed(double value, int decimals) {
  std::array<char, 400> digits;  // the largest double has 309 before the point
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, decimals);
  return error == std::errc() ? std::string(digits.data(), end) : std::string("0");
}

std::string human_size(double n) {
  static constexpr std::array<std::string_view, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (n >= 1023.95 && unit + 1 < units.size()) {
    n /= 1024;
    ++unit;
  }
  return fixed(n, unit == 0 || n >= 99.95 ? 0 : 1) + " " + std::string(units[unit]);
}

std::string human_time(std::chrono::nanoseconds time) {
  const double seconds = std::chrono::duration<double>(time).count();
  if (seconds < 60) return fixed(seconds, seconds < 10 ? 3 : 1) + " s";
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  const auto two_digits = [](std::int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const std::string minutes_on = two_digits(whole % 60);
  if (whole < 3600) return std::to_string(whole / 60) + ":" + minutes_on;
  return std::to_string(whole / 3600) + ":" + two_digits(whole / 60 % 60) + ":" + minutes_on;
}

std::string printable(std::string_view name) {
  std::string shown;
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n')
      shown += "\\n";
    else if (c == '\t')
      shown += "\\t";
    else if (code < 0x20 || code == 0x7F) {
      shown += '\\';
      for (const unsigned shift : {6U, 3U, 0U}) shown += static_cast<char>('0' + ((code >> shift) & 7U));
    } else {
      shown += c;
    }
  }
  return shown;
}

std::string json_string(std::string_view text) {
  static constexpr std::string_view hex = "0123456789abcdef";
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    const auto code = static_cast<unsigned char>(c);
    if (length == 0)
      quoted += "\xEF\xBF\xBD";
    else if (c == '"' || c == '\\')
      (quoted += '\\') += c;
    else if (code < 0x20 || code == 0x7F)
      ((quoted += "\\u00") += hex[code >> 4U]) += hex[code & 15U];
    else
      quoted += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return quoted += '"';
}

std::string message(std::error_code code) { return code.message(); }

std::string symbol(std::error_code code) {
  if (code.category() == std::system_category() || code.category() == std::generic_category()) {
#ifdef __GLIBC__
    if (const char* name = ::strerrorname_np(code.value())) return name;
#endif
  }
  return std::string(code.category().name()) + ":" + std::to_string(code.value());
}

std::optional<std::uintmax_t> parse_size(std::string_view text) noexcept {
  std::uintmax_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  const auto shift = suffix_shift(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!shift || number > (std::numeric_limits<std::uintmax_t>::max() >> *shift)) return std::nullopt;
  return number << *shift;
}

}  // namespace sluice::tool
