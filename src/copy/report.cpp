// SPDX-License-Identifier: BSL-1.0
#include <sluice/copy_options.hpp>

#include <utility>

namespace sluice {
namespace {

std::string describe(const copy_error& error) {
  std::string text = error.side == copy_side::reader   ? "copy: reading failed after "
                     : error.side == copy_side::writer ? "copy: writing failed after "
                                                       : "copy: ended after ";
  return text + std::to_string(error.bytes) + " bytes";
}

}  // namespace

std::string_view name(copy_path path) noexcept {
  switch (path) {
    case copy_path::handoff: return "handoff";
    case copy_path::memory: return "memory";
    case copy_path::drain: return "drain";
    case copy_path::fill: return "fill";
    case copy_path::scratch: return "scratch";
    case copy_path::hole: return "hole";
    case copy_path::clone: return "clone";
    case copy_path::copy_file_range: return "copy_file_range";
    case copy_path::sendfile: return "sendfile";
    case copy_path::splice: return "splice";
  }
  return "unknown";
}

std::string_view name(copy_side side) noexcept {
  switch (side) {
    case copy_side::none: return "none";
    case copy_side::reader: return "reader";
    case copy_side::writer: return "writer";
  }
  return "unknown";
}

copy_failure::copy_failure(copy_error error)
    : std::system_error(error.code, describe(error)), error_(std::move(error)) {}

void detail::throw_copy_failure(copy_error&& error) { throw copy_failure(std::move(error)); }

}  // namespace sluice
