// SPDX-License-Identifier: BSL-1.0
//
// Holes of sparse files, with lseek(2) SEEK_DATA and SEEK_HOLE. What they say is believed of the moment only: another
// process may fill or punch meanwhile (systemd#35569), so nothing here assumes that two answers fit together.
//
#include "kernel_paths.hpp"

namespace sluice::detail {

using sys::calls;

namespace {

// Where the reader's offset cannot be set, nothing can be said of what comes next.
step at(int fd, off64_t offset, step done) noexcept {
  if (sys::seek(fd, offset, SEEK_SET) == offset) return done;
  done.what = step::outcome::reader_failed;
  done.code = sys::last_error();
  return done;
}

}  // namespace

step skip_hole(const kernel_pair& pair, std::uintmax_t max, std::uintmax_t& data) {
  const auto source = extent_of(pair.from);
  if (!source) return step::gives_way(sys::last_error());
  if (source->left() == 0) return step::ended();

  const auto here = static_cast<off64_t>(source->offset);
  std::uintmax_t data_start = source->size;
  const off64_t next_data = sys::seek(pair.from, here, SEEK_DATA);
  // A file that ends in a hole answers ENXIO (systemd#22288).
  if (next_data < 0 && errno != ENXIO) return step::gives_way(sys::last_error());
  if (next_data >= here) data_start = static_cast<std::uintmax_t>(next_data);

  if (data_start > source->offset) {
    const std::uintmax_t length = std::min({data_start - source->offset, max, source->left()});
    if (!make_hole(pair.to, length)) {
      const std::error_code why = sys::last_error();
      return at(pair.from, here, step::gives_way(why));
    }
    return at(pair.from, here + static_cast<off64_t>(length), step::moved(length));
  }

  const off64_t next_hole = sys::seek(pair.from, here, SEEK_HOLE);
  if (next_hole < 0) {
    const std::error_code why = sys::last_error();
    return at(pair.from, here, step::gives_way(why));
  }
  // An empty segment is a change that came between the two questions: go on by a block, and ask again.
  data = next_hole > here ? static_cast<std::uintmax_t>(next_hole - here) : 4096;
  return at(pair.from, here, {});
}

bool make_hole(int fd, std::uintmax_t length) noexcept {
  const auto target = extent_of(fd);
  if (!target) return false;
  const auto start = static_cast<off64_t>(target->offset);
  const auto end = start + static_cast<off64_t>(length);
  const std::uintmax_t old_bytes = std::min(target->left(), length);
  if (old_bytes != 0 && sys::retry([&] {
                          return calls.fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, start,
                                                 static_cast<off64_t>(old_bytes));
                        }) != 0)
    return false;
  // The file is only ever made longer, as a write of zeros would have made it.
  if (old_bytes < length && sys::retry([&] { return calls.ftruncate(fd, end); }) != 0) return false;
  return sys::seek(fd, end, SEEK_SET) == end;
}

}  // namespace sluice::detail
