// SPDX-License-Identifier: BSL-1.0
//
// Files for the benchmarks.
//
//   temporary_folder folder;                                  // gone with the object
//   kept_file text("lines-12", [](const auto& path) { ... }); // made by the function unless it is there
//
#ifndef SLUICE_BENCH_SUPPORT_FILES_HPP
#define SLUICE_BENCH_SUPPORT_FILES_HPP

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace sluice::bench {

class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "sluice-bench-XXXXXX").string();
    if (!::mkdtemp(name.data())) std::abort();
    path_ = name;
  }
  ~temporary_folder() { std::filesystem::remove_all(path_); }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// A file that takes long to make. In the folder SLUICE_BENCH_FILES of the environment it stays, for the other
/// contenders and turns of a row; without one it is in a temporary folder.
class kept_file {
 public:
  template <class Make>
  kept_file(const std::string& name, Make make) {
    const char* const shared = std::getenv("SLUICE_BENCH_FILES");
    if (!shared) own_.emplace();
    path_ = (shared ? std::filesystem::path(shared) : own_->path()) / name;
    if (std::filesystem::exists(path_)) return;
    const std::filesystem::path part = path_.string() + ".part";
    make(part);
    std::filesystem::rename(part, path_);
  }

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::optional<temporary_folder> own_;
  std::filesystem::path path_;
};

}  // namespace sluice::bench

#endif
