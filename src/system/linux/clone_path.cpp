// SPDX-License-Identifier: BSL-1.0
//
// ioctl_ficlonerange(2): both files share the blocks, on XFS, btrfs and others; the time does not depend on the size.
//
#include "kernel_paths.hpp"

namespace sluice::detail::sys {

// The length is the exact rest of the source: only then may it end inside a block. The ioctl moves no offsets.
step clone_step(const kernel_pair& pair, std::uintmax_t max) {
  const auto source = extent_of(pair.from, pair.from_offset);
  const off64_t to_offset = seek(pair.to, 0, SEEK_CUR);
  if (!source || to_offset < 0) return step::gives_way(last_error());
  const std::uintmax_t length = source->left();
  if (length == 0) return step::ended();

  constexpr std::uintmax_t block = 4096;  // the smallest that such file systems have: others refuse with EINVAL
  const auto from_offset = static_cast<off64_t>(source->offset);
  if (length > max || source->offset % block != 0 || static_cast<std::uintmax_t>(to_offset) % block != 0)
    return step::gives_way(std::make_error_code(std::errc::invalid_argument));
  if (retry([&] {
        return calls.clone_range(pair.from, pair.to, from_offset, static_cast<off64_t>(length), to_offset);
      }) != 0)
    return step::gives_way(last_error());
  step done = step::moved(length);
  if (!pair.from_offset && seek(pair.from, from_offset + static_cast<off64_t>(length), SEEK_SET) < 0) {
    done.what = step::outcome::reader_failed;
    done.code = last_error();
  }
  if (seek(pair.to, to_offset + static_cast<off64_t>(length), SEEK_SET) < 0) {
    done.what = step::outcome::writer_failed;
    done.code = last_error();
  }
  return done;
}

}  // namespace sluice::detail::sys
