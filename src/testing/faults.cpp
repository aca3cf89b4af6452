// SPDX-License-Identifier: BSL-1.0
#include <sluice/testing/faults.hpp>

namespace sluice {

bool fault_plan::fails() noexcept {
  if (in_a_row_ == 0) {
    const bool first = failed_ == 0 && (calls_ == faults_.fail_at || bytes_ >= faults_.fail_at_byte);
    const bool again = failed_ != 0 && faults_.every != 0 && since_ >= faults_.every;
    if (!first && !again) return false;
    in_a_row_ = faults_.failures;
    since_ = 0;
  }
  if (in_a_row_ != forever) --in_a_row_;
  ++failed_;
  return true;
}

std::size_t fault_plan::cut(std::size_t n, std::uintmax_t position) const noexcept {
  if (position <= bytes_ || position - bytes_ >= n) return n;
  return static_cast<std::size_t>(position - bytes_);
}

result<std::size_t> fault_plan::next(std::size_t request) {
  if (request == 0) return std::size_t{0};
  if (calls_ != 0 && faults_.between) faults_.between();
  ++calls_;
  if (fails()) {
    if (faults_.error) return fail(faults_.error);
    return std::size_t{0};
  }
  ++since_;
  std::size_t n = std::min(request, faults_.most);
  if (!faults_.chunks.empty())
    n = std::min(n, std::max<std::size_t>(faults_.chunks[turn_++ % faults_.chunks.size()], 1));
  if (faults_.seed != 0) {
    random_ = random_ * 1664525U + 1013904223U;
    const std::size_t most = faults_.most == std::numeric_limits<std::size_t>::max() ? 64 : faults_.most;
    n = std::min(n, 1 + (random_ >> 8) % most);
  }
  n = cut(n, faults_.fail_at_byte);
  for (const std::uintmax_t split : faults_.splits) n = cut(n, split);
  return n;
}

std::size_t fault_plan::moved(std::size_t n, std::size_t request) noexcept {
  bytes_ += n;
  return faults_.excess == 0 || n == 0 ? n : request + faults_.excess;
}

}  // namespace sluice
