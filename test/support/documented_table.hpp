// SPDX-License-Identifier: BSL-1.0
//
// A table of the documents that the tests make from the code.
//
//   expect_documented(path, table)     // SLUICE_UPDATE_DOCS in the environment: the page is rewritten instead
//
#ifndef SLUICE_TEST_SUPPORT_DOCUMENTED_TABLE_HPP
#define SLUICE_TEST_SUPPORT_DOCUMENTED_TABLE_HPP

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace support {

/// What stands between the two marks of the page is the table.
inline void expect_documented(const std::string& path, const std::string& table) {
  std::ifstream in(path);
  ASSERT_TRUE(in) << path;
  const std::string page(std::istreambuf_iterator<char>(in), {});
  const std::string first = "<!-- table -->\n";
  const std::string last = "<!-- end of table -->";
  const auto begin = page.find(first);
  const auto end = page.find(last);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  if (std::getenv("SLUICE_UPDATE_DOCS")) {
    std::ofstream(path) << page.substr(0, begin) << first << table << page.substr(end);
    return;
  }
  EXPECT_EQ(page.substr(begin + first.size(), end - begin - first.size()), table);
}

}  // namespace support

#endif
