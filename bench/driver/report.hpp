// SPDX-License-Identifier: BSL-1.0
//
// What becomes of outcomes: a table, results that are kept, and the tables and charts of the documentation.
//
//   print_head(); print(outcome);
//   keep(outcome, folder);
//   write_documents(folder, rows, about, "docs/benchmarks.md");
//
#ifndef SLUICE_BENCH_DRIVER_REPORT_HPP
#define SLUICE_BENCH_DRIVER_REPORT_HPP

#include "contest.hpp"

namespace sluice::bench {

/// A group of rows, P1 to P15: one question.
struct question {
  const char* id;
  const char* title;
  const char* unit;  ///< what a call or an allocation is counted for
};

/// Of the row with this name.
const question& question_of(const std::string& row);

void print_head();
void print(const outcome& all);

/// In a file named after the row.
void keep(const outcome& all, const std::string& folder);

/// Puts the tables of all kept results, in the order of the rows, between the lines `<!-- results -->` and
/// `<!-- end of results -->` of the page, and a chart for each question into the folder beside it that is called as the
/// page is. `about`: lines on where they were measured.
void write_documents(const std::string& folder, const std::vector<row>& rows, const std::vector<std::string>& about,
                     const std::string& page);

}  // namespace sluice::bench

#endif
