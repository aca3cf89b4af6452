// SPDX-License-Identifier: BSL-1.0
//
// Whether a stream can be closed, and whether it can be flushed.
//
//   template <class S> concept closable;
//   template <class S> concept flushable;
//
#ifndef SLUICE_DETAIL_CLOSABLE_HPP
#define SLUICE_DETAIL_CLOSABLE_HPP

#include <sluice/concepts.hpp>

namespace sluice::detail {

template <class S>
concept closable = requires(std::remove_reference_t<S>& s) {
  { s.close() } -> std::same_as<result<void>>;
};

template <class S>
concept flushable = cpo::member_flush<std::remove_reference_t<S>> || cpo::adl_flush<std::remove_reference_t<S>>;

}  // namespace sluice::detail

#endif
