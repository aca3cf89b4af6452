// SPDX-License-Identifier: BSL-1.0
//
// What is compared: a row has one piece of work, and contenders that do it in turns.
//
//   struct contender { name, command, limit };
//   struct row { name, from, to, bytes, how, contenders };
//   std::vector<row> all_rows(const setting&);
//   outcome run(const row&, unsigned rounds);
//
#ifndef SLUICE_BENCH_DRIVER_CONTEST_HPP
#define SLUICE_BENCH_DRIVER_CONTEST_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::bench {

/// What standard input and standard output of a contender are.
enum class end_kind { none, file, pipe, tcp, unix_socket, null };

/// How a contender's time is learnt.
enum class timing {
  self,     ///< it reports on descriptor 3: the move alone, without the start of the program
  process,  ///< from its start to its end
  loop,     ///< Google Benchmark's answer on standard output, or a report on descriptor 3: one turn of a loop
};

/// Which colour a contender has in the charts.
enum class side { ours, by_hand, peer };

struct contender {
  std::string name;
  std::vector<std::string> command;  ///< "FROM", "TO" and "FOLDER" stand for the paths of the row's files
  side whose = side::ours;
  bool limit = false;  ///< the same work by hand: what the others are measured against
};

struct row {
  std::string name;
  end_kind from = end_kind::none;
  end_kind to = end_kind::none;
  std::uintmax_t bytes = 0;
  std::string folder;  ///< of the files
  timing how = timing::self;
  std::vector<contender> contenders;
  std::string needs = {};                  ///< a file in the folder
  std::vector<std::string> makes_it = {};  ///< the command that makes it, in a loop's program
};

/// What this machine has.
struct setting {
  std::string programs;                                       ///< the folder of the contenders
  std::vector<std::pair<std::string, std::string>> folders;   ///< name of the file system, folder on it
  std::vector<std::pair<std::string, std::string>> reflinks;  ///< the same, where files can be cloned
  std::string tool;                                           ///< the tool, or empty
  std::map<std::string, std::string> peers;                   ///< name and program of those that are there
};

std::vector<row> all_rows(const setting& here);

/// What one turn of a loop, or one move, takes besides time. Where it could be counted.
struct counts {
  std::optional<double> calls;        ///< system calls
  std::optional<double> allocations;  ///< from the C library, or Go's own
  std::optional<double> allocated;    ///< bytes of those
};

/// How a contender did: nanoseconds.
struct standing {
  std::string name;
  side whose = side::ours;
  bool limit = false;
  double lowest = 0;
  double median = 0;
  double cpu = 0;  ///< the median; 0: not known
  counts used;
};

struct outcome {
  std::string row;
  std::vector<standing> standings;
};

/// Takes the contenders in turns. One round before the others does not count: there it is checked that what arrives is
/// what was sent. After them system calls and allocations are counted.
outcome run(const row& work, unsigned rounds);

/// The best of those by hand, which the ratios refer to.
const standing& limit_of(const outcome& all);

}  // namespace sluice::bench

#endif
