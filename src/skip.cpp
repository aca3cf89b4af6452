// SPDX-License-Identifier: BSL-1.0
#include <sluice/skip.hpp>

#include <algorithm>

namespace sluice::detail {
namespace {

result<std::uintmax_t> read_and_drop(source_ref from, std::uintmax_t n) {
  std::byte dropped[std::size_t{16} << 10];
  std::uintmax_t passed = 0;
  while (passed < n) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uintmax_t>(n - passed, sizeof dropped));
    const auto got = from.read_some({dropped, wanted});
    if (!got) return fail(got.error());
    if (*got == 0) break;
    passed += *got;
  }
  return passed;
}

}  // namespace

result<std::uintmax_t> skip(source_ref from, std::uintmax_t n) {
  std::uintmax_t passed = 0;
  bool may_skip = from.ops->skip != nullptr;
  while (passed < n) {
    if (from.is_buffered() && !from.window().empty()) {
      const auto held = static_cast<std::size_t>(std::min<std::uintmax_t>(from.window().size(), n - passed));
      from.consume(held);
      passed += held;
      continue;
    }
    if (may_skip) {
      const auto further = from.ops->skip(from.object, n - passed);
      if (further) return passed + *further;
      // A stream that cannot skip where it stands, such as a pipe behind a descriptor, is read.
      if (further.error() != io_errc::unsupported) return further;
      may_skip = false;
    }
    if (from.is_buffered()) {
      const auto filled = from.fill(1);
      if (!filled) return fail(filled.error());
      if (filled->empty()) break;
      continue;
    }
    const auto dropped = read_and_drop(from, n - passed);
    if (!dropped) return dropped;
    return passed + *dropped;
  }
  return passed;
}

}  // namespace sluice::detail
