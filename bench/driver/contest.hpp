// SPDX-License-Identifier: BSL-1.0
//
// What is compared: a row has one piece of work, and contenders that do it in turns.
//
//   struct contender { name, command, limit };
//   struct row { name, from, to, bytes, how, contenders };
//   std::vector<row> all_rows(const setting&);
//   void run(const row&, unsigned rounds, std::FILE* table);
//
#ifndef SLUICE_BENCH_DRIVER_CONTEST_HPP
#define SLUICE_BENCH_DRIVER_CONTEST_HPP

#include <cstdint>
#include <string>
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

struct contender {
  std::string name;
  std::vector<std::string> command;  ///< "FROM" and "TO" stand for the paths of the row's files
  bool limit = false;                ///< the same work by hand: what the others are measured against
};

struct row {
  std::string name;
  end_kind from = end_kind::none;
  end_kind to = end_kind::none;
  std::uintmax_t bytes = 0;
  std::string folder;  ///< of the files
  timing how = timing::self;
  std::vector<contender> contenders;
};

/// What this machine has.
struct setting {
  std::string programs;                                       ///< the folder of the contenders
  std::vector<std::pair<std::string, std::string>> folders;   ///< name of the file system, folder on it
  std::vector<std::pair<std::string, std::string>> reflinks;  ///< the same, where files can be cloned
  std::string tool;                                           ///< the tool, or empty
  std::string rust, go;                                       ///< the peers' programs, or empty
};

std::vector<row> all_rows(const setting& here);

/// Takes the contenders in turns, each row with one round before that does not count, and prints a line for each:
/// minimum and median, cpu, and the ratios of both to the best of the limits.
void run(const row& work, unsigned rounds);

}  // namespace sluice::bench

#endif
