// SPDX-License-Identifier: BSL-1.0
//
// How far a copy is, on standard error.
//
//   class progress {
//     progress(std::optional<std::uintmax_t> total, std::optional<std::chrono::milliseconds> interval);
//     void advance_to(std::uintmax_t bytes);
//     void finish(std::uintmax_t bytes, bool complete);
//   };
//
#ifndef SLUICE_TOOL_PROGRESS_HPP
#define SLUICE_TOOL_PROGRESS_HPP

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace sluice::tool {

/// A bar that is drawn over and over on a terminal; lines elsewhere, and never a carriage return.
/// A thread of its own writes them, so that they keep coming while the copy is blocked. What fails
/// in asking the terminal or in writing to it is ignored.
class progress {
 public:
  /// `total` is the number of bytes expected; 0 and nothing mean that it is unknown: then there is no
  /// percentage. Without `interval`, 0.2 s on a terminal and 1 s elsewhere.
  progress(std::optional<std::uintmax_t> total, std::optional<std::chrono::milliseconds> interval);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress();

  /// So many bytes have arrived. For the copy's thread; costs a store.
  void advance_to(std::uintmax_t bytes) noexcept { bytes_.store(bytes, std::memory_order_relaxed); }

  /// Ends the drawing. After a complete copy one last line tells the sum; a failed one gets its line
  /// from whoever reports the error.
  void finish(std::uintmax_t bytes, bool complete);

 private:
  using clock = std::chrono::steady_clock;

  void run();
  void stop();
  void show();
  std::string line(std::uintmax_t bytes, double rate) const;
  std::string bar(std::uintmax_t bytes, double rate) const;
  std::optional<double> fraction(std::uintmax_t bytes) const;

  std::optional<std::uintmax_t> total_;
  bool terminal_;
  std::chrono::milliseconds interval_;
  clock::time_point start_ = clock::now();

  std::atomic<std::uintmax_t> bytes_ = 0;

  // Of the drawing thread.
  clock::time_point last_time_ = start_;
  std::uintmax_t last_bytes_ = 0;
  std::size_t drawn_ = 0;  // columns of the bar that is on the terminal

  std::mutex mutex_;
  std::condition_variable wake_;
  bool finished_ = false;
  std::thread thread_;
};

}  // namespace sluice::tool

#endif
