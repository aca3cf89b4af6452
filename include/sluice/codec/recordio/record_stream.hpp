// SPDX-License-Identifier: BSL-1.0
//
// What the readers and writers of all record formats have in common.
//
//   concept record_reader;   // next() -> result<std::optional<std::span<const std::byte>>>
//   concept record_writer;   // write(std::span<const std::byte>) -> result<void>, flush() -> result<void>
//   std::expected<std::uintmax_t, transfer_error> copy_records(record_reader& from, record_writer& to,
//                                                              std::uintmax_t most = unbounded);
//
#ifndef SLUICE_CODEC_RECORDIO_RECORD_STREAM_HPP
#define SLUICE_CODEC_RECORDIO_RECORD_STREAM_HPP

#include <sluice/kernel_endpoint.hpp>
#include <sluice/transfer_error.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

namespace sluice {

/// A record, or nothing at the end. The bytes are valid until the reader is used again.
using next_record = result<std::optional<std::span<const std::byte>>>;

/// Delivers records, one a call.
template <class R>
concept record_reader = requires(std::remove_reference_t<R>& r) {
  { r.next() } -> std::same_as<next_record>;
};

namespace detail {
/// Has records at hand, which it gives without a result: bool try_next(std::span<const std::byte>&).
template <class R>
concept ready_record_reader =
    record_reader<R> && requires(std::remove_reference_t<R>& r, std::span<const std::byte>& record) {
      { r.try_next(record) } noexcept -> std::same_as<bool>;
    };
}  // namespace detail

/// Takes records, one a call; `flush` passes on all that were taken.
template <class W>
concept record_writer = requires(std::remove_reference_t<W>& w, std::span<const std::byte> record) {
  { w.write(record) } -> std::same_as<result<void>>;
  { w.flush() } -> std::same_as<result<void>>;
};

/// Writes the records of `from` to `to`, up to `most` of them, and flushes nothing: so one format becomes another, or a
/// file gets other chunks. Returns how many; the error's `bytes` counts them, too. No record is copied but by `to`.
template <record_reader R, record_writer W>
[[nodiscard]] std::expected<std::uintmax_t, transfer_error> copy_records(R&& from, W&& to,
                                                                         std::uintmax_t most = unbounded) {
  std::uintmax_t copied = 0;
  for (; copied != most; ++copied) {
    if constexpr (detail::ready_record_reader<R>) {
      if (std::span<const std::byte> ready; from.try_next(ready)) {
        if (const result<void> written = to.write(ready); !written) return fail(written.error(), copied);
        continue;
      }
    }
    const next_record record = from.next();
    if (!record) return fail(record.error(), copied);
    if (!*record) break;
    if (const result<void> written = to.write(**record); !written) return fail(written.error(), copied);
  }
  return copied;
}

}  // namespace sluice

#endif
