// SPDX-License-Identifier: BSL-1.0
//
// A folder for one test, removed with all that is in it.
//
//   temporary_folder folder;
//   std::string path = folder / "name";
//   folder.write("name", "content");
//   EXPECT_EQ(folder.read("name"), "content");
//
#ifndef SLUICE_TEST_SUPPORT_TEMPORARY_FOLDER_HPP
#define SLUICE_TEST_SUPPORT_TEMPORARY_FOLDER_HPP

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice::test {

class temporary_folder {
 public:
  temporary_folder() : path_((std::filesystem::temp_directory_path() / "sluice-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("mkdtemp");
  }

  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  const std::string& path() const { return path_; }

  friend std::string operator/(const temporary_folder& folder, std::string_view name) {
    return folder.path_ + '/' + std::string(name);
  }

  /// Writes a file, past the library that is under test.
  void write(std::string_view name, std::string_view content) const {
    std::ofstream(*this / name, std::ios::binary) << content;
  }

  /// Reads a file, past the library that is under test.
  std::string read(std::string_view name) const {
    std::ifstream in(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::string path_;
};

}  // namespace sluice::test

#endif
