// SPDX-License-Identifier: BSL-1.0
#include "rounds.hpp"

#include <algorithm>
#include <cstring>

namespace sluice::detail {

step write_in_flight(sink_ref to, scratch_area scratch, std::size_t max) {
  const auto offered = scratch.memory.subspan(scratch.begin, std::min(scratch.end - scratch.begin, max));
  const auto written = to.write_some(offered);
  if (!written) return writer_error(written.error());
  if (*written == 0) return writer_error(io_errc::write_zero);
  scratch.begin += *written;
  if (scratch.begin == scratch.end) scratch.begin = scratch.end = 0;
  step done;
  done.given = *written;
  return done;
}

step read_round(source_ref from, scratch_area scratch, std::size_t max) {
  const auto got = from.read_some(scratch.memory.first(std::min(scratch.memory.size(), max)));
  if (!got) return reader_error(got.error());
  if (*got == 0) return step::ended();
  scratch.begin = 0;
  scratch.end = *got;
  step done;
  done.taken = *got;
  return done;
}

zero_run find_zero_blocks(std::span<const std::byte> bytes) noexcept {
  constexpr std::size_t block = 4096;
  const auto is_zero = [](std::span<const std::byte> b) {
    return b[0] == std::byte{0} && std::memcmp(b.data(), b.data() + 1, b.size() - 1) == 0;
  };
  zero_run run;
  while (run.before + block <= bytes.size() && !is_zero(bytes.subspan(run.before, block))) run.before += block;
  if (run.before + block > bytes.size()) return {bytes.size(), 0};
  std::size_t end = run.before;
  while (end + block <= bytes.size() && is_zero(bytes.subspan(end, block))) end += block;
  run.length = end - run.before;
  return run;
}

}  // namespace sluice::detail
