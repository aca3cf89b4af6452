// SPDX-License-Identifier: BSL-1.0
#include "kernel_paths.hpp"

namespace sluice::detail {

step kernel_move(copy_path path, const kernel_pair& pair, std::uintmax_t max) {
  switch (path) {
    case copy_path::clone: return sys::clone_step(pair, max);
    case copy_path::copy_file_range: return sys::copy_file_range_step(pair, max);
    case copy_path::sendfile: return sys::sendfile_step(pair, max);
    case copy_path::splice: return sys::splice_step(pair, max);
    default: return step::gives_way(std::make_error_code(std::errc::operation_not_supported));
  }
}

}  // namespace sluice::detail
