// SPDX-License-Identifier: BSL-1.0
//
// A reader that follows a script.
//
//   class scripted_reader;
//
//   scripted_reader in{{step::data("he"), step::would_block(), step::data("llo"), step::fail(std::errc::io_error)}};
//
#ifndef SLUICE_TESTING_SCRIPTED_READER_HPP
#define SLUICE_TESTING_SCRIPTED_READER_HPP

#include <sluice/buffer.hpp>
#include <sluice/result.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

namespace sluice {

/// Answers each call with the next step of a list, and after the last with the end of the stream.
struct scripted_reader {
  /// What one call answers. Bytes that do not fit stay for the next call; an error that comes with bytes fails the call
  /// after it has moved them, as no correct stream does.
  struct step {
    std::vector<std::byte> bytes = {};  ///< what the call delivers
    std::error_code error = {};         ///< or how it fails

    static step data(std::string_view text) {
      const std::span<const std::byte> view = as_bytes(text);
      return {{view.begin(), view.end()}, {}};
    }
    /// A call that fails as a descriptor that is not ready.
    static step would_block() { return fail(std::errc::operation_would_block); }
    /// A call that fails.
    static step fail(std::errc error) { return {{}, std::make_error_code(error)}; }
    static step end() { return {}; }
  };

  std::deque<step> steps = {};  ///< what is still to come
  std::size_t calls = 0;        ///< so far

  result<std::size_t> read_some(std::span<std::byte> b) {
    ++calls;
    if (steps.empty()) return std::size_t{0};
    step& now = steps.front();
    const std::error_code error = now.error;
    const std::size_t n = std::min(b.size(), now.bytes.size());
    std::copy_n(now.bytes.begin(), n, b.begin());
    now.bytes.erase(now.bytes.begin(), now.bytes.begin() + static_cast<std::ptrdiff_t>(n));
    if (now.bytes.empty()) steps.pop_front();
    if (error) return sluice::fail(error);
    return n;
  }
};

}  // namespace sluice

#endif
