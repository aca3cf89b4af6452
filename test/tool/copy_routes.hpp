// SPDX-License-Identifier: BSL-1.0
//
// sluice copy from here to there with a fault in its system calls, and what has to be true of it afterwards: the tool
// ends with 0 exactly when every byte has arrived, and else names the side and the number of bytes that have.
//
//   class my_faults : public copy_routes {};
//   TEST_P(my_faults, of_reading) {
//     for (const arguments& mode : modes()) {
//       count(mode);                                    // calls(preload::call::read)
//       EXPECT_EQ(check(mode, "read@1=e4", EINTR), 0);
//     }
//   }
//
#ifndef SLUICE_TEST_TOOL_COPY_ROUTES_HPP
#define SLUICE_TEST_TOOL_COPY_ROUTES_HPP

#include "preload.hpp"
#include "run.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace sluice::test {

enum class source { file, sparse, standard_file, pipe, socket, unix_peer, tcp_peer, tcp_listen };
enum class destination { file, other_file_system, standard_file, pipe, socket, unix_peer, tcp_peer };

struct route {
  const char* name;
  source from;
  destination to;
};

inline void PrintTo(const route& r, std::ostream* out) { *out << r.name; }

/// The parameter names the two sides.
class copy_routes : public ::testing::TestWithParam<route> {
 protected:
  copy_routes();
  ~copy_routes() override;

  void SetUp() override;

  bool into_path() const {
    return GetParam().to == destination::file || GetParam().to == destination::other_file_system;
  }
  bool into_output() const {
    return GetParam().to == destination::standard_file || GetParam().to == destination::pipe ||
           GetParam().to == destination::socket;
  }

  /// The options that the route is tried with, one at a time.
  std::vector<arguments> modes() const;

  /// Runs the tool, and looks at what became of every byte. The exit status; -1 where a signal has ended it.
  int check(const arguments& mode, const std::string& fault, int error = 0);

  /// Runs the tool without a fault; how often it makes each call is known then.
  void count(const arguments& mode);
  std::size_t calls(preload::call c) const { return counts[static_cast<std::size_t>(c)]; }

  /// For the calls of the last count, at most so many of each: f(call, k).
  template <class F>
  void for_each_call(std::size_t most, F f) {
    for (std::size_t i = 0; i != counts.size(); ++i)
      for (std::size_t k = 1; k <= std::min(counts[i], most); ++k) f(static_cast<preload::call>(i), k);
  }

  temporary_folder folder;
  preload_faults trace{folder};
  const std::string from = folder / "from";
  std::string to;
  std::string elsewhere;
  std::string content;
  std::array<std::size_t, preload::call_names.size()> counts{};

 private:
  struct finished {
    outcome how;
    std::string arrived;
    std::string source_name;
    std::string destination_name;
  };

  finished run_tool(const arguments& mode, const std::string& fault);
  void check_failure(const finished& done, bool append, int error);
};

}  // namespace sluice::test

#endif
