// SPDX-License-Identifier: BSL-1.0
#include "replacement.hpp"

#include <sluice/system/file.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>

namespace sluice::tool {

namespace fs = std::filesystem;

namespace {

std::error_code last_error() noexcept { return {errno, std::system_category()}; }

/// Short, as the name of the target may have all the length there is.
std::string temporary_name() {
  std::random_device random;
  return ".sluice-" + std::to_string(random()) + std::to_string(random());
}

}  // namespace

result<fs::path> resolved(fs::path path) {
  for (int links = 0; links < 40; ++links) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
    const fs::path target = fs::read_symlink(path, error);
    if (error) return fail(error);
    path = path.parent_path() / target;
  }
  return fail(std::make_error_code(std::errc::too_many_symbolic_link_levels));
}

result<fd_stream> replacement::create(const std::string& path) {
  const result<fs::path> target = resolved(path);
  if (!target) return fail(target.error());
  struct stat old{};
  const bool exists = ::stat(target->c_str(), &old) == 0;
  if (!exists && errno != ENOENT) return fail(last_error());
  if (exists && S_ISDIR(old.st_mode)) return fail(std::make_error_code(std::errc::is_a_directory));
  if (exists && !S_ISREG(old.st_mode)) return fail(io_errc::unsupported);
  if (!target->has_filename())
    return fail(std::make_error_code(path.empty() ? std::errc::no_such_file_or_directory : std::errc::is_a_directory));

  fs::path temporary = target->parent_path() / temporary_name();
  result<file> made = file::open(temporary, {.write = true, .create = true, .exclusive = true});
  if (!made) return fail(made.error());
  temporary_ = std::move(temporary);
  target_ = *target;
  if (exists && ::fchmod(made->fd(), old.st_mode & 07777U) != 0) {
    const std::error_code why = last_error();
    discard();
    return fail(why);
  }
  return fd_stream(made->release(), fd_kind::regular_file);
}

result<void> replacement::commit() {
  if (temporary_.empty()) return {};
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return fail(last_error());
  temporary_.clear();
  return {};
}

void replacement::discard() noexcept {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

}  // namespace sluice::tool
