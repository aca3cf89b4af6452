// SPDX-License-Identifier: BSL-1.0
//
// The function objects behind the customisation points: member first, then argument-dependent lookup, then a default.
// The objects themselves, with their contracts, are in <sluice/concepts.hpp>.
//
#ifndef SLUICE_DETAIL_CUSTOMISATION_HPP
#define SLUICE_DETAIL_CUSTOMISATION_HPP

#include <sluice/detail/detection.hpp>

namespace sluice {

namespace detail::cpo {

template <class B>
constexpr size_t total_size(span<const B> pieces) noexcept {
  size_t n = 0;
  for (const B& piece : pieces) n += piece.size;
  return n;
}

/// The count that a stream returns, believed only where it fits the request. It is one object from the stream to the
/// caller, as a copy of it would go through memory and cost more than a small request does.
template <class Move>
result<size_t> checked(size_t limit, Move move) {
  result<size_t> count = move();
  if (count && *count > limit) [[unlikely]]
    count = fail(io_errc::bad_count);
  return count;
}

struct read_some_fn {
  template <class R>
    requires member_read_some<R, span<byte>> || adl_read_some<R, span<byte>>
  result<size_t> operator()(R& r, span<byte> b) const {
    if (b.empty()) return size_t{0};
    return checked(b.size(), [&] {
      if constexpr (member_read_some<R, span<byte>>)
        return r.read_some(b);
      else
        return read_some(r, b);
    });
  }

  template <class R>
    requires member_read_some<R, span<const mutable_buffer>> || adl_read_some<R, span<const mutable_buffer>>
  result<size_t> operator()(R& r, span<const mutable_buffer> pieces) const {
    const size_t total = total_size(pieces);
    if (total == 0) return size_t{0};
    return checked(total, [&] {
      if constexpr (member_read_some<R, span<const mutable_buffer>>)
        return r.read_some(pieces);
      else
        return read_some(r, pieces);
    });
  }
};

struct write_some_fn {
  template <class W>
    requires member_write_some<W, span<const byte>> || adl_write_some<W, span<const byte>>
  result<size_t> operator()(W& w, span<const byte> b) const {
    if (b.empty()) return size_t{0};
    return checked(b.size(), [&] {
      if constexpr (member_write_some<W, span<const byte>>)
        return w.write_some(b);
      else
        return write_some(w, b);
    });
  }

  template <class W>
    requires member_write_some<W, span<const const_buffer>> || adl_write_some<W, span<const const_buffer>>
  result<size_t> operator()(W& w, span<const const_buffer> pieces) const {
    const size_t total = total_size(pieces);
    if (total == 0) return size_t{0};
    return checked(total, [&] {
      if constexpr (member_write_some<W, span<const const_buffer>>)
        return w.write_some(pieces);
      else
        return write_some(w, pieces);
    });
  }
};

struct window_fn {
  template <class R>
    requires member_buffered<R> || adl_buffered<R>
  span<const byte> operator()(R& r) const noexcept {
    if constexpr (member_buffered<R>)
      return r.buffered();
    else
      return buffered(r);
  }
};

struct fill_fn {
  template <class R>
    requires member_fill<R> || adl_fill<R>
  result<span<const byte>> operator()(R& r, size_t n) const {
    if constexpr (member_fill<R>)
      return r.fill(n);
    else
      return fill(r, n);
  }
};

struct consume_fn {
  template <class R>
    requires member_consume<R> || adl_consume<R>
  void operator()(R& r, size_t n) const noexcept {
    if constexpr (member_consume<R>)
      r.consume(n);
    else
      consume(r, n);
  }
};

struct prepare_fn {
  template <class W>
    requires member_prepare<W> || adl_prepare<W>
  result<span<byte>> operator()(W& w, size_t n) const {
    if constexpr (member_prepare<W>)
      return w.prepare(n);
    else
      return prepare(w, n);
  }
};

struct commit_fn {
  template <class W>
    requires member_commit<W> || adl_commit<W>
  void operator()(W& w, size_t n) const noexcept {
    if constexpr (member_commit<W>)
      w.commit(n);
    else
      commit(w, n);
  }
};

struct free_space_fn {
  template <class W>
  span<byte> operator()(W& w) const noexcept {
    if constexpr (member_free_space<W>)
      return w.free_space();
    else if constexpr (adl_free_space<W>)
      return free_space(w);
    else
      return {};
  }
};

struct flush_fn {
  template <class W>
    requires member_flush<W> || adl_flush<W>
  [[nodiscard]] result<void> operator()(W& w) const {
    if constexpr (member_flush<W>)
      return w.flush();
    else
      return flush(w);
  }
};

struct skip_fn {
  template <class R>
    requires member_skip<R> || adl_skip<R>
  result<std::uintmax_t> operator()(R& r, std::uintmax_t n) const {
    result<std::uintmax_t> passed = [&] {
      if constexpr (member_skip<R>)
        return r.skip(n);
      else
        return skip(r, n);
    }();
    if (passed && *passed > n) [[unlikely]]
      return fail(io_errc::bad_count);
    return passed;
  }
};

struct seek_fn {
  template <class S>
    requires member_seek<S> || adl_seek<S>
  result<std::uintmax_t> operator()(S& s, std::intmax_t offset, whence from = whence::begin) const {
    if constexpr (member_seek<S>)
      return s.seek(offset, from);
    else
      return seek(s, offset, from);
  }
};

struct position_fn {
  template <class S>
    requires member_position<S> || adl_position<S>
  result<std::uintmax_t> operator()(S& s) const {
    if constexpr (member_position<S>)
      return s.position();
    else
      return position(s);
  }
};

struct size_hint_fn {
  template <class R>
  std::optional<std::uintmax_t> operator()(R& r) const {
    if constexpr (member_size_hint<R>)
      return r.size_hint();
    else if constexpr (adl_size_hint<R>)
      return size_hint(r);
    else
      return std::nullopt;
  }
};

struct kernel_endpoint_fn {
  template <class S>
  std::optional<fd_endpoint> operator()(S& s) const {
    if constexpr (member_kernel_endpoint<S>)
      return s.kernel_endpoint();
    else if constexpr (adl_kernel_endpoint<S>)
      return kernel_endpoint(s);
    else
      return std::nullopt;
  }
};

struct kernel_advanced_fn {
  template <class S>
  void operator()(S& s, std::uintmax_t n) const {
    if constexpr (member_kernel_advanced<S>)
      s.kernel_advanced(n);
    else if constexpr (adl_kernel_advanced<S>)
      kernel_advanced(s, n);
  }
};

}  // namespace detail::cpo

}  // namespace sluice

#endif
