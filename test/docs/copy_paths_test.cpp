// SPDX-License-Identifier: BSL-1.0
//
// The table in docs/copy-paths.md is what the selector answers. SLUICE_UPDATE_DOCS=1 in the environment writes it anew.
//
#include "copy/selector.hpp"
#include "support/documented_table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace sluice;
using namespace sluice::detail;

struct end {
  fd_kind kind;
  bool appends;
  const char* name;
};

constexpr end sources[] = {
    {fd_kind::regular_file, false, "regular file"}, {fd_kind::pipe, false, "pipe"},
    {fd_kind::socket, false, "stream socket"},      {fd_kind::message_socket, false, "message socket"},
    {fd_kind::terminal, false, "terminal"},         {fd_kind::character_device, false, "character device"},
    {fd_kind::block_device, false, "block device"},
};

constexpr end destinations[] = {
    {fd_kind::regular_file, false, "regular file"},
    {fd_kind::regular_file, true, "file in append mode"},
    {fd_kind::pipe, false, "pipe"},
    {fd_kind::socket, false, "stream socket"},
    {fd_kind::message_socket, false, "message socket"},
    {fd_kind::terminal, false, "terminal"},
    {fd_kind::character_device, false, "character device"},
    {fd_kind::block_device, false, "block device"},
};

std::string paths(const kernel_choice& choice) {
  std::string text;
  for (unsigned i = 0; i < choice.count; ++i) {
    text += i == 0 ? "" : ", ";
    text += name(choice.paths[i]);
  }
  return text.empty() ? "read and write" : text;
}

std::string table() {
  std::string text = "| from | to | kernel paths, in order | why |\n|---|---|---|---|\n";
  for (const end& from : sources) {
    for (const end& to : destinations) {
      const auto choice = choose_kernel_paths(from.kind, to.kind, to.appends, kernel_policy::automatic);
      const auto lent = choose_kernel_paths(from.kind, to.kind, to.appends, kernel_policy::aliasing);
      text += std::string("| ") + from.name + " | " + to.name + " | " + paths(choice);
      if (lent.count != choice.count) text += "; with `aliasing`: " + paths(lent);
      text += " | " + std::string(choice.reason);
      if (lent.count != choice.count) text += "; with `aliasing`: " + std::string(lent.reason);
      text += " |\n";
    }
  }
  return text;
}

TEST(copy_paths, the_documented_table_is_the_selectors) {
  support::expect_documented(SLUICE_DOCS_PATH "/copy-paths.md", table());
}

TEST(copy_paths, with_never_every_cell_is_read_and_write) {
  for (const end& from : sources)
    for (const end& to : destinations)
      EXPECT_EQ(choose_kernel_paths(from.kind, to.kind, to.appends, kernel_policy::never).count, 0);
}

}  // namespace
