// SPDX-License-Identifier: BSL-1.0
//
// Runs the rows of the benchmarks and prints the table of their ratios: see bench/compare, which finds out what this
// machine has and starts it.
//
//   bench_driver --programs=FOLDER [--folder=NAME:PATH]... [--reflink=NAME:PATH]... [--tool=PATH]
//                [--peer=NAME:PATH]... [--results=FOLDER] [--page=PATH] [--about=LINE]... [--rounds=N] [--list]
//                [PART OF A NAME | P1 ... P15]...
//
#include "contest.hpp"
#include "counting.hpp"
#include "report.hpp"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace sluice::bench;

std::pair<std::string, std::string> named_path(std::string_view text) {
  const std::size_t colon = text.find(':');
  return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

}  // namespace

int main(int argc, char** argv) {
  setting here;
  unsigned rounds = 11;
  bool list = false;
  std::string results;
  std::string page;
  std::vector<std::string> about;
  std::vector<std::string_view> wanted;
  for (const std::string_view argument : std::vector<std::string_view>(argv + 1, argv + argc)) {
    const std::size_t equals = argument.find('=');
    const std::string_view option = argument.substr(0, equals);
    const std::string value(equals == std::string_view::npos ? "" : argument.substr(equals + 1));
    if (option == "--programs")
      here.programs = value;
    else if (option == "--folder")
      here.folders.push_back(named_path(value));
    else if (option == "--reflink")
      here.reflinks.push_back(named_path(value));
    else if (option == "--tool")
      here.tool = value;
    else if (option == "--peer")
      here.peers.insert(named_path(value));
    else if (option == "--results")
      results = value;
    else if (option == "--page")
      page = value;
    else if (option == "--about")
      about.push_back(value);
    else if (option == "--rounds")
      rounds = std::max(1U, static_cast<unsigned>(std::atoi(value.c_str())));
    else if (option == "--list")
      list = true;
    else if (option.starts_with("-")) {
      std::fprintf(stderr, "bench_driver: unknown option %s\n", std::string(argument).c_str());
      return 2;
    } else
      wanted.push_back(argument);
  }
  ::signal(SIGPIPE, SIG_IGN);

  count_memory_by(here.programs + "/bench_memory_counter.so");
  if (!list) print_head();
  const std::vector<row> rows = all_rows(here);
  for (const row& work : rows) {
    const std::string_view id = question_of(work.name).id;
    const auto names_it = [&](std::string_view part) {
      return part == id || work.name.find(part) != std::string::npos;
    };
    if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), names_it)) continue;
    if (list) {
      std::printf("%-4s %s\n", std::string(id).c_str(), work.name.c_str());
      continue;
    }
    const outcome all = run(work, rounds);
    print(all);
    if (!results.empty()) keep(all, results);
  }
  if (!page.empty()) write_documents(results, rows, about, page);
}
