// SPDX-License-Identifier: BSL-1.0
//
// The next bytes of a message: a window of two pointers into a stream's buffer, and the slow paths behind it. Every
// read says whether it did; `error()` tells why not.
//
#ifndef SLUICE_CODEC_THRIFT_DETAIL_INPUT_HPP
#define SLUICE_CODEC_THRIFT_DETAIL_INPUT_HPP

#include <sluice/codec/endian.hpp>
#include <sluice/codec/thrift/detail/extent.hpp>
#include <sluice/codec/thrift/limits.hpp>
#include <sluice/codec/thrift/types.hpp>
#include <sluice/detail/source_ops.hpp>
#include <sluice/memory/bytes.hpp>

#include <string>
#include <string_view>

namespace sluice::thrift::detail {

using sluice::detail::source_ref;

/// What may be taken from memory before the bytes that it is for have arrived.
inline constexpr std::size_t ahead_of_arrival = std::size_t{32} << 10;

/// The highest byte first, as all numbers here.
template <fixed_width T>
T load(const std::byte* from) noexcept {
  return load_be<T>(std::span<const std::byte, sizeof(T)>(from, sizeof(T)));
}

/// Of a field, as one number: the type before the id.
constexpr std::uint32_t packed(field_header field) noexcept {
  return std::uint32_t{static_cast<std::uint8_t>(field.type)} << 16 | static_cast<std::uint16_t>(field.id);
}
inline std::uint32_t load_packed(const std::byte* from) noexcept {
  return std::to_integer<std::uint32_t>(*from) << 16 | load<std::uint16_t>(from + 1);
}

class input {
 public:
  input(source_ref source, const limits& most) noexcept
      : allowed_(most.max_message_size), source_(source), limits_(sane(most)) {}

  /// Of memory alone.
  input(std::span<const std::byte> memory, const limits& most) noexcept
      : allowed_(most.max_message_size), limits_(sane(most)) {
    show(memory);
  }

  input(const input&) = delete;
  input& operator=(const input&) = delete;

  std::error_code error() const noexcept { return error_; }
  /// For good: nothing is left to take then.
  [[gnu::cold, gnu::noinline]] bool fail(std::error_code why) noexcept {
    error_ = why;
    failed_ = true;
    end_ = pos_;
    return false;
  }

  /// What the window holds and has not been taken.
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - pos_); }
  const std::byte* pos() const noexcept { return pos_; }
  void advance(std::size_t n) noexcept { pos_ += n; }

  /// The next n <= 16 bytes in one piece, valid until the next call; null after an error.
  const std::byte* take(std::size_t n) {
    if (left() >= n) [[likely]] {
      const std::byte* const at = pos_;
      pos_ += n;
      return at;
    }
    return take_slow(n);
  }

  template <fixed_width T>
  bool get(T& value) {
    const std::byte* const at = take(sizeof(T));
    if (!at) [[unlikely]]
      return false;
    value = load<T>(at);
    return true;
  }

  bool get_bool(bool& value) {
    std::uint8_t byte = 0;
    if (!get(byte)) [[unlikely]]
      return false;
    if (byte > 1) [[unlikely]]
      return fail(io_errc::invalid_data);
    value = byte != 0;
    return true;
  }

  bool get_type(ttype& type) { return get(type); }

  /// The id is not there at the end of a struct.
  bool get_field(field_header& field) {
    if (left() >= 3) [[likely]] {
      field.type = load<ttype>(pos_);
      if (field.type == ttype::stop) {
        field.id = 0;
        pos_ += 1;
      } else {
        field.id = load<std::int16_t>(pos_ + 1);
        pos_ += 3;
      }
      return true;
    }
    return get_field_slow(field);
  }

  /// Elements that are there have a type, are not more than allowed, and may all be in the message.
  bool get_list(list_header& header) {
    const std::byte* const at = take(5);
    if (!at) [[unlikely]]
      return false;
    header = {load<ttype>(at), load<std::uint32_t>(at + 1)};
    return check_size(header.size, smallest_size(header.element), is_value(header.element));
  }
  bool get_map(map_header& header) {
    const std::byte* const at = take(6);
    if (!at) [[unlikely]]
      return false;
    header = {load<ttype>(at), load<ttype>(at + 1), load<std::uint32_t>(at + 2)};
    return check_size(header.size, smallest_size(header.key) + smallest_size(header.mapped),
                      is_value(header.key) && is_value(header.mapped));
  }

  /// The length of a string, and that so many bytes may be in the message.
  bool get_length(std::uint32_t& length) {
    if (!get(length)) [[unlikely]]
      return false;
    if (length > limits_.max_string_size) [[unlikely]]
      return fail(length > largest_size ? io_errc::invalid_data : io_errc::limit_exceeded);
    return true;
  }

  /// A string that is in the window as a whole and within the limit; otherwise nothing is taken, and it is for
  /// `get_string` or `get_view` to say why.
  bool try_view(std::string_view& out) noexcept {
    const std::size_t there = left();
    if (there < 4) [[unlikely]]
      return false;
    const auto length = load<std::uint32_t>(pos_);
    if (length > there - 4 || length > limits_.max_string_size) [[unlikely]]
      return false;
    out = {reinterpret_cast<const char*>(pos_ + 4), length};
    pos_ += 4 + std::size_t{length};
    return true;
  }

  /// Container: std::string, sluice::bytes or std::vector<std::byte>. One allocation at most where the bytes are there.
  template <class Container>
  bool get_string(Container& out) {
    std::string_view there;
    if (!try_view(there)) [[unlikely]]
      return get_string_slow(out);
    const auto* const first = reinterpret_cast<const typename Container::value_type*>(there.data());
    if constexpr (std::same_as<Container, std::string>) {
      // A new one is made with less ado than an old one is enlarged.
      if (out.capacity() >= there.size())
        out.assign(first, there.size());
      else
        out = std::string(first, there.size());
    } else {
      out.assign(first, first + there.size());
    }
    return true;
  }

  /// Valid until the next call.
  bool get_view(std::string_view& out) {
    if (try_view(out)) [[likely]]
      return true;
    return get_view_slow(out);
  }

  /// Moves past n bytes.
  bool pass(std::uint64_t n) {
    if (n <= left()) [[likely]] {
      pos_ += n;
      return true;
    }
    return pass_slow(n);
  }

  /// One more level of nesting.
  bool enter() {
    if (depth_ >= limits_.max_depth) [[unlikely]]
      return fail(io_errc::limit_exceeded);
    ++depth_;
    return true;
  }
  void leave() noexcept { --depth_; }
  std::size_t depth() const noexcept { return depth_; }
  void set_depth(std::size_t depth) noexcept { depth_ = depth; }
  std::size_t levels_left() const noexcept { return limits_.max_depth - depth_; }
  std::size_t max_depth() const noexcept { return limits_.max_depth; }

  /// Moves past a value, or past elements or entries whose header was read.
  bool skip(ttype type);
  bool skip_elements(list_header header);
  bool skip_entries(map_header header);

  /// The same, and the extents of what has no size of its own; then all bytes are appended to `copy`.
  bool record(ttype type, std::vector<extent>& index, bytes& copy);
  /// The same without a copy.
  bool index(ttype type, std::vector<extent>& index);

  /// Bytes since the beginning of what is recorded or indexed.
  std::uint64_t offset() const noexcept {
    return (copy_ ? copy_->size() : 0) + static_cast<std::size_t>(pos_ - copied_);
  }

  /// How many elements of `size` bytes to make room for at once, when `count` of them are announced.
  std::size_t room_for(std::size_t count, std::size_t size) const noexcept {
    return std::min(count, std::max(ahead_of_arrival, left()) / size);
  }

  /// At least `n` bytes in the window, fewer only at the end: what there is.
  bool peek(std::size_t n, std::span<const std::byte>& seen);
  bool at_end(bool& ended);

  void start_message() noexcept {
    if (failed_) [[unlikely]]
      return;
    body_follows_ = false;
    allowed_ = limits_.max_message_size;
    base_ = pos_;
    end_ = pos_ + std::min<std::uintmax_t>(static_cast<std::size_t>(shown_end_ - pos_), allowed_);
  }

  /// A struct begins. Outside of any other value, and without an envelope before it, it is a message.
  bool begin_value() {
    if (depth_ != 0) return true;
    if (!body_follows_) return begin_message();
    body_follows_ = false;
    return true;
  }

  /// There has to be one.
  bool begin_message() {
    start_message();
    return left() != 0 || find_beginning();
  }

  /// The envelope was read.
  void expect_body() noexcept { body_follows_ = true; }

  /// Has the stream stand behind what was taken.
  void sync() noexcept;
  void rebind(source_ref source) noexcept { source_ = source; }

  const limits& most() const noexcept { return limits_; }

 private:
  // Sizes are signed on the wire, so one compare with these finds the negative ones too.
  static constexpr limits sane(limits most) noexcept {
    most.max_string_size = std::min(most.max_string_size, largest_size);
    most.max_container_size = std::min(most.max_container_size, largest_size);
    return most;
  }

  std::uintmax_t still_allowed() const noexcept { return allowed_ - static_cast<std::size_t>(pos_ - base_); }
  bool from_memory() const noexcept { return !source_.ops || source_.ops->in_memory; }

  bool check_size(std::uint32_t size, std::size_t smallest, bool known) {
    if (std::uint64_t{size} * smallest <= left() && size <= limits_.max_container_size && (known || size == 0))
        [[likely]]
      return true;
    return check_size_slow(size, smallest, known);
  }

  bool find_beginning();
  const std::byte* take_slow(std::size_t n);
  const std::byte* gather(std::size_t n);
  bool get_field_slow(field_header& field);
  bool check_size_slow(std::uint32_t size, std::size_t smallest, bool known);
  template <class Container>
  bool get_string_slow(Container& out);
  bool get_view_slow(std::string_view& out);
  bool widen(std::size_t n);
  bool pass_slow(std::uint64_t n);
  bool pass_windows(std::uint64_t n);
  bool read_exactly(std::span<std::byte> out);
  bool refill(std::size_t n);
  std::error_code fill(std::size_t n);
  void show(std::span<const std::byte> window) noexcept;

  const std::byte* pos_ = nullptr;    // the next byte
  const std::byte* end_ = nullptr;    // of the window, or of the message where that is less
  const std::byte* base_ = nullptr;   // allowed_ counts from here
  const std::byte* shown_ = nullptr;  // the window of the stream
  const std::byte* shown_end_ = nullptr;
  std::uintmax_t allowed_;  // bytes of the message from base_ on
  std::size_t depth_ = 0;
  bool body_follows_ = false;
  bool failed_ = false;
  source_ref source_;  // null where all is in memory from the start
  limits limits_;
  std::error_code error_;
  bytes* copy_ = nullptr;              // what is taken goes there too,
  const std::byte* copied_ = nullptr;  // up to here already
  std::array<std::byte, 16> scratch_{};
};

extern template bool input::get_string_slow(std::string&);
extern template bool input::get_string_slow(bytes&);
extern template bool input::get_string_slow(std::vector<std::byte>&);

}  // namespace sluice::thrift::detail

#endif
