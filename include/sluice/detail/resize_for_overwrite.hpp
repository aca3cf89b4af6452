// SPDX-License-Identifier: BSL-1.0
//
// Resizing a container of bytes without filling the new room.
//
#ifndef SLUICE_DETAIL_RESIZE_FOR_OVERWRITE_HPP
#define SLUICE_DETAIL_RESIZE_FOR_OVERWRITE_HPP

#include <cstddef>

namespace sluice::detail {

/// Sets the size to `n` and leaves new bytes as they are: within the capacity, what was written behind the old size is
/// still there. For a std::string, or a vector whose `resize` does not fill.
template <class Container>
void resize_for_overwrite(Container& c, std::size_t n) {
  if constexpr (requires { c.resize_and_overwrite(n, [](auto*, std::size_t k) { return k; }); })
    c.resize_and_overwrite(n, [](auto*, std::size_t k) { return k; });
  else
    c.resize(n);
}

}  // namespace sluice::detail

#endif
