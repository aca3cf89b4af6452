// SPDX-License-Identifier: BSL-1.0
//
// A new file that takes the place of an older one when it is complete.
//
//   class replacement {
//     result<fd_stream> create(const std::string& path);
//     result<void> commit();
//   };
//   result<std::filesystem::path> resolved(std::filesystem::path);
//
#ifndef SLUICE_TOOL_REPLACEMENT_HPP
#define SLUICE_TOOL_REPLACEMENT_HPP

#include <sluice/system/fd_stream.hpp>

#include <filesystem>
#include <string>
#include <utility>

namespace sluice::tool {

/// Where open(2) would find or create a file: the last link of the path followed, also one that leads to nothing.
/// Errors: those of readlink(2); `too_many_symbolic_link_levels`.
result<std::filesystem::path> resolved(std::filesystem::path path);

/// Removes the new file again, unless it has been committed.
class replacement {
 public:
  replacement() = default;
  replacement(replacement&& other) noexcept { *this = std::move(other); }
  replacement& operator=(replacement&& other) noexcept {
    std::swap(temporary_, other.temporary_);
    std::swap(target_, other.target_);
    return *this;
  }
  ~replacement() { discard(); }

  /// Makes the file under another name in the folder of `path`. It gets the permissions of the file that is there, or
  /// 0666 less the umask. Errors: those of open(2), also for a path that could not be written to in place: a directory;
  /// `unsupported` for what is there and is no regular file.
  result<fd_stream> create(const std::string& path);

  /// Renames the file, if one was made. Errors: those of rename(2).
  result<void> commit();

 private:
  void discard() noexcept;

  std::filesystem::path temporary_;  // empty: there is none
  std::filesystem::path target_;
};

}  // namespace sluice::tool

#endif
