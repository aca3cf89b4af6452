// SPDX-License-Identifier: BSL-1.0
//
// Words that stand for values, on a command line.
//
#ifndef SLUICE_TOOL_WORDS_HPP
#define SLUICE_TOOL_WORDS_HPP

#include <CLI/Error.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace sluice::tool {

/// One of several words for the values of an enumeration.
template <class E, std::size_t N>
E word_of(const std::string& option, const std::string& text, const std::pair<std::string_view, E> (&words)[N]) {
  std::string all;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    all += (all.empty() ? "" : ", ") + std::string(word);
  }
  throw CLI::ValidationError(option, "'" + text + "' is none of " + all);
}

}  // namespace sluice::tool

#endif
