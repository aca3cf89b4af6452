// SPDX-License-Identifier: BSL-1.0
//
// Runs the rows of the benchmarks and prints the table of their ratios: see bench/run, which finds out what this
// machine has and starts it.
//
//   bench_driver --programs=FOLDER [--folder=NAME:PATH]... [--reflink=NAME:PATH]... [--tool=PATH] [--rust=PATH]
//                [--go=PATH] [--rounds=N] [--list] [PART OF A NAME]...
//
#include "contest.hpp"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace sluice::bench;

std::pair<std::string, std::string> named_folder(std::string_view text) {
  const std::size_t colon = text.find(':');
  return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

}  // namespace

int main(int argc, char** argv) {
  setting here;
  unsigned rounds = 11;
  bool list = false;
  std::vector<std::string_view> wanted;
  for (const std::string_view argument : std::vector<std::string_view>(argv + 1, argv + argc)) {
    const std::size_t equals = argument.find('=');
    const std::string_view option = argument.substr(0, equals);
    const std::string value(equals == std::string_view::npos ? "" : argument.substr(equals + 1));
    if (option == "--programs")
      here.programs = value;
    else if (option == "--folder")
      here.folders.push_back(named_folder(value));
    else if (option == "--reflink")
      here.reflinks.push_back(named_folder(value));
    else if (option == "--tool")
      here.tool = value;
    else if (option == "--rust")
      here.rust = value;
    else if (option == "--go")
      here.go = value;
    else if (option == "--rounds")
      rounds = std::max(1U, static_cast<unsigned>(std::atoi(value.c_str())));
    else if (option == "--list")
      list = true;
    else if (option.starts_with("-")) {
      std::fprintf(stderr, "bench_driver: unknown option %s\n", argv[1]);
      return 2;
    } else
      wanted.push_back(argument);
  }
  ::signal(SIGPIPE, SIG_IGN);

  if (!list)
    std::printf(
        "| row | contender | minimum | median | cpu | minimum / limit | median / limit | cpu / limit |\n"
        "|---|---|---|---|---|---|---|---|\n");
  for (const row& work : all_rows(here)) {
    const auto names_it = [&](std::string_view part) { return work.name.find(part) != std::string::npos; };
    if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), names_it)) continue;
    if (list)
      std::printf("%s\n", work.name.c_str());
    else
      run(work, rounds);
  }
}
