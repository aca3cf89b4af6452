// SPDX-License-Identifier: BSL-1.0
//
// Every test that docs/guarantees.md names is there, in the file that it names.
//
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace {

std::string content_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(docs, guarantees_name_tests_that_exist) {
  const std::string folder = SLUICE_DOCS_PATH;
  const std::string text = content_of(folder + "/guarantees.md");
  const std::regex link("\\[`([a-z_0-9]+)\\.([a-z_0-9]+)`\\]\\(([^)]+)\\)");
  std::size_t found = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i, ++found) {
    const std::smatch& m = *i;
    const std::string source = content_of(folder + '/' + m[3].str());
    const std::regex definition("TEST(_P|_F)?\\(\\s*" + m[1].str() + "\\s*,\\s*" + m[2].str() + "\\s*\\)");
    EXPECT_TRUE(std::regex_search(source, definition)) << m[0];
  }
  EXPECT_GT(found, 50U);
}

}  // namespace
