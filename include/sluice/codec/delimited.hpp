// SPDX-License-Identifier: BSL-1.0
//
// Messages with their length in front, as a varint: what protobuf calls delimited.
//
//   std::expected<bool, transfer_error> read_delimited(reader& r, bytes& message, delimited_options = {});
//   std::expected<void, transfer_error> write_delimited(writer& w, std::span<const std::byte> message);
//   template <reader R> class delimited_reader;      // next(): message for message, in place
//   template <writer W> class delimited_writer;      // write(message), or prepare(n) and commit() in place
//   struct delimited_options { std::size_t max_size = 64 MiB; };
//
// As a range: <sluice/codec/messages.hpp>.
//
// A stream of them ends between two messages and nowhere else. protobuf's readers refuse messages of 2 GiB and more.
//
#ifndef SLUICE_CODEC_DELIMITED_HPP
#define SLUICE_CODEC_DELIMITED_HPP

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/codec/detail/message_cursor.hpp>
#include <sluice/codec/varint.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/resize_for_overwrite.hpp>

#include <concepts>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace sluice {

namespace detail {

std::expected<bool, transfer_error> read_delimited(source_ref from, bytes& message, const delimited_options& options);
std::expected<bool, transfer_error> read_delimited(source_ref from, std::string& message,
                                                   const delimited_options& options);
std::expected<void, transfer_error> write_delimited(sink_ref to, std::span<const std::byte> message);

}  // namespace detail

/// Reads one message into `message`, whose memory is used again, and nothing behind it; false where the stream ends
/// before the first byte of its length. A non-blocking descriptor is waited for.
///
/// Memory is taken as bytes arrive, at most 64 KiB or as much again ahead of them; at once where the reader's size_hint
/// tells that they are there.
///
/// Errors: the reader's; `truncated` where the stream ends inside; `limit_exceeded` where the length is above the
/// limit, before any memory is taken; `invalid_data` where it is no varint of 64 bits. The error's `bytes` have left
/// the stream, and `message` has those of them that are behind the length.
template <reader R, class Message>
  requires std::same_as<Message, bytes> || std::same_as<Message, std::string>
[[nodiscard]] inline std::expected<bool, transfer_error> read_delimited(R&& r, Message& message,
                                                                        const delimited_options& options = {}) {
  if constexpr (buffered_reader<R>) {
    const std::span<const std::byte> in_sight = sluice::window(r);
    if (const auto length = detail::whole_message(in_sight, options.max_size); length.size != 0) [[likely]] {
      const auto size = static_cast<std::size_t>(length.value);
      detail::resize_for_overwrite(message, size);
      if (size != 0) std::memcpy(message.data(), in_sight.data() + length.size, size);
      sluice::consume(r, length.size + size);
      return true;
    }
  }
  return detail::read_delimited(detail::unwrapped_source(r), message, options);
}

/// Writes the length of `message` and `message`: with one call where the writer is vectored. Errors: those of
/// write_all; their `bytes` count the length too.
template <writer W>
[[nodiscard]] inline std::expected<void, transfer_error> write_delimited(W&& w, std::span<const std::byte> message) {
  if constexpr (buffered_writer<W>) {
    const std::size_t size = detail::unsigned_varint_size(message.size());
    if (const auto told = detail::write_bits(w, std::uint64_t{message.size()}, size); !told) [[unlikely]]
      return told;
    auto written = sluice::write_all(w, message);
    if (!written) [[unlikely]]
      written.error().bytes += size;
    return written;
  } else {
    return detail::write_delimited(detail::unwrapped_sink(w), message);
  }
}
/// The same, of text.
template <writer W>
[[nodiscard]] inline std::expected<void, transfer_error> write_delimited(W&& w, std::string_view message) {
  return sluice::write_delimited(w, as_bytes(message));
}

/// Message after message, each in place: where it fits the reader's buffer, nothing is copied and nothing allocated.
/// Another is gathered in memory of this object, taken as for read_delimited and used again for the next.
///
/// The reader belongs to this object as long as it lives. Afterwards it stands right behind the last message that was
/// delivered, or where an error had left it. A reader without a buffer gets one of `default_buffer_size` bytes inside,
/// and what that has read ahead goes with it.
///
/// `R` is a reader type, held by value, or a reference to one. Moving invalidates the last message.
template <reader R>
class delimited_reader {
  using stream = std::conditional_t<buffered_reader<R>, detail::held<R>, buf_reader<R>>;

 public:
  explicit delimited_reader(R&& inner, const delimited_options& options = {})
      : stream_(std::forward<R>(inner)), cursor_(options) {}

  delimited_reader(delimited_reader&&) = default;
  delimited_reader& operator=(delimited_reader&& other) {
    if (this != &other) {
      leave();
      stream_ = std::move(other.stream_);
      cursor_ = std::move(other.cursor_);
    }
    return *this;
  }
  ~delimited_reader() { leave(); }

  /// The next message, valid until the next call of anything here; nothing where the stream has ended before the first
  /// byte of its length, and so after the last one.
  ///
  /// Errors: the reader's, and after one that passes, such as operation_would_block, a next call goes on and nothing is
  /// lost; `truncated` where the stream ends inside; `limit_exceeded` where the length is above the limit, before
  /// anything of it is read, and `invalid_data` where it is no varint of 64 bits: these two leave the reader at the
  /// beginning of that message. `buffer_too_small` where the buffer cannot hold the ten bytes of a length.
  result<std::optional<std::span<const std::byte>>> next() {
    leave();
    if (const auto message = cursor_.take(sluice::window(inner_reader())); message.data()) [[likely]]
      return message;
    return cursor_.find(detail::as_source(inner_reader()));
  }

  /// The reader, or the buffer that was put before it, behind the last message.
  auto& inner() noexcept {
    leave();
    return inner_reader();
  }

  /// Gives back what `inner` is. What had arrived of a message that does not fit the buffer is gone.
  auto into_inner() && {
    leave();
    if constexpr (buffered_reader<R>)
      return static_cast<R>(stream_.release());
    else
      return std::move(stream_);
  }

 private:
  auto& inner_reader() noexcept {
    if constexpr (buffered_reader<R>)
      return stream_.get();
    else
      return stream_;
  }

  void leave() noexcept {
    if (const std::size_t n = cursor_.leave()) sluice::consume(inner_reader(), n);
  }

  stream stream_;
  detail::message_cursor cursor_;
};

template <reader R>
delimited_reader(R&&) -> delimited_reader<R>;
template <reader R>
delimited_reader(R&&, delimited_options) -> delimited_reader<R>;

/// Writes messages. Into a buffered writer without a copy, where the size is known before: `prepare`, then `commit`.
template <writer W>
class delimited_writer {
 public:
  explicit delimited_writer(W&& inner) : inner_(std::forward<W>(inner)) {}

  /// As write_delimited.
  [[nodiscard]] std::expected<void, transfer_error> write(std::span<const std::byte> message) {
    return write_delimited(inner_.get(), message);
  }
  /// The same, of text.
  [[nodiscard]] std::expected<void, transfer_error> write(std::string_view message) {
    return write_delimited(inner_.get(), message);
  }

  /// Room for a message of exactly `n` bytes, behind its length. It counts once it is committed, and not if anything is
  /// called in between. Errors: the writer's, `buffer_too_small` where its buffer cannot hold that: then `write` it.
  result<std::span<std::byte>> prepare(std::size_t n)
    requires buffered_writer<W>
  {
    prepared_ = 0;
    const std::size_t prefix = detail::unsigned_varint_size(n);
    if (n > static_cast<std::size_t>(-1) - prefix) return fail(io_errc::buffer_too_small);
    const auto room = sluice::prepare(inner_.get(), prefix + n);
    if (!room) return fail(room.error());
    detail::put_varint_bytes(room->data(), std::uint64_t{n}, prefix);
    prepared_ = prefix + n;
    return room->subspan(prefix, n);
  }

  /// The message that was prepared is written.
  void commit() noexcept
    requires buffered_writer<W>
  {
    sluice::commit(inner_.get(), std::exchange(prepared_, 0));
  }

  [[nodiscard]] result<void> flush()
    requires buffered_writer<W>
  {
    return sluice::flush(inner_.get());
  }

  std::remove_reference_t<W>& inner() noexcept { return inner_.get(); }

  /// No I/O.
  W into_inner() && { return inner_.release(); }

 private:
  detail::held<W> inner_;
  std::size_t prepared_ = 0;  // bytes, the length's included
};

template <writer W>
delimited_writer(W&&) -> delimited_writer<W>;

}  // namespace sluice

#endif
