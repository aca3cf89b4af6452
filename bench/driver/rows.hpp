// SPDX-License-Identifier: BSL-1.0
//
// What the rows are made of; a source for each topic makes the rows of it.
//
//   contestants who(setting);
//   row work{...};  work.contenders.push_back(who.by_hand(...));  who.add_peers(work, {...});
//
#ifndef SLUICE_BENCH_DRIVER_ROWS_HPP
#define SLUICE_BENCH_DRIVER_ROWS_HPP

#include "contest.hpp"

namespace sluice::bench {

inline constexpr std::uintmax_t MiB = std::uintmax_t{1} << 20;

using command = std::vector<std::string>;

/// A row of one of the Google Benchmark programs, and the name that the table shows.
struct loop_row {
  std::string name;
  std::string shown;
  side whose = side::ours;
};

class contestants {
 public:
  explicit contestants(const setting& here) : here(here), move(here.programs + "/bench_move") {}

  static contender by_hand(std::string name, command how) {
    return {std::move(name), std::move(how), side::by_hand, true};
  }
  static contender peer(std::string name, command how) { return {std::move(name), std::move(how), side::peer}; }

  /// bench_move, through a wrapper.
  contender sluice(const char* wrapper = nullptr) const;

  contender loop(const std::string& program, const loop_row& which, bool limit = false) const;

  /// Whether that program has been built with such a row.
  bool has_loop(const std::string& program, const std::string& name) const;

  /// A row of one turn of a loop: by hand, which is the limit, and others of the same program.
  row loops(std::string name, std::uintmax_t bytes, const std::string& program, const loop_row& by_hand,
            const std::vector<loop_row>& others) const;

  /// Those of the peers that this machine has and that can do such a row, all with the same arguments.
  void add_peers(row& work, const command& arguments) const;

  const setting& here;
  const std::string move;
};

/// Whether this machine has such a program.
bool has_command(const std::string& name);

using row_list = std::vector<row>;

void add_small_copy_rows(const contestants& who, row_list& rows);
void add_transfer_rows(const contestants& who, row_list& rows);
void add_memory_rows(const contestants& who, row_list& rows);
void add_algorithm_rows(const contestants& who, row_list& rows);
void add_codec_rows(const contestants& who, row_list& rows);

}  // namespace sluice::bench

#endif
