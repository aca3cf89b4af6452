// SPDX-License-Identifier: BSL-1.0
//
// Standard input and output of a contender, and who is on the other side of them.
//
//   ends both(row, false);          // files opened, pipes and sockets with a thread that feeds or reads them
//   both.from(), both.to()          // descriptors for the contender
//   both.leave_to_child();          // closes them here
//   both.arrived();                 // waits for the other side; how many bytes got there
//
#ifndef SLUICE_BENCH_DRIVER_ENDS_HPP
#define SLUICE_BENCH_DRIVER_ENDS_HPP

#include "contest.hpp"

#include <optional>
#include <thread>

namespace sluice::bench {

class ends {
 public:
  /// `check`: compares what arrives with what was sent; /dev/null is then a pipe.
  ends(const row& work, bool check);
  ~ends();

  ends(const ends&) = delete;
  ends& operator=(const ends&) = delete;

  int from() const noexcept { return from_; }
  int to() const noexcept { return to_; }

  /// To be called once the contender has them.
  void leave_to_child() noexcept;

  /// Bytes at the destination, where they can be counted.
  std::optional<std::uintmax_t> arrived();

  /// Whether it was what the other side sent, where that was asked for. After `arrived`.
  bool intact() const noexcept { return intact_; }

  static std::string from_path(const row& work) { return work.folder + "/from-" + std::to_string(work.bytes); }
  static std::string to_path(const row& work) { return work.folder + "/to"; }

 private:
  int from_ = -1;
  int to_ = -1;
  std::string written_path_;
  std::thread feeder_;
  std::thread sink_;
  std::uintmax_t read_by_sink_ = 0;
  bool check_ = false;
  bool intact_ = true;
};

}  // namespace sluice::bench

#endif
