// SPDX-License-Identifier: BSL-1.0
#include <sluice/erased/any_reader.hpp>

#include "pieces.hpp"

#include <algorithm>

namespace sluice {
namespace {

std::error_code no_reader() noexcept { return std::make_error_code(std::errc::bad_file_descriptor); }

}  // namespace

constinit const detail::source_ops any_reader::empty_ops{
    .read_some = [](void*, std::span<std::byte>) -> result<std::size_t> { return fail(no_reader()); },
    .read_vectored = nullptr,
    .window = [](void*) noexcept { return std::span<const std::byte>(); },
    .fill = [](void*, std::size_t) -> result<std::span<const std::byte>> { return fail(no_reader()); },
    .consume = [](void*, std::size_t) noexcept {},
    .capacity = [](void*) noexcept { return std::size_t{0}; },
    .skip = [](void*, std::uintmax_t) -> result<std::uintmax_t> { return fail(no_reader()); },
    .size_hint = nullptr,
    .kernel_endpoint = nullptr,
    .kernel_advanced = nullptr,
    .in_memory = false,
    .seek = [](void*, std::intmax_t, whence) -> result<std::uintmax_t> { return fail(no_reader()); },
    .position = [](void*) -> result<std::uintmax_t> { return fail(no_reader()); },
};

any_reader& any_reader::operator=(any_reader&& other) noexcept {
  if (this != &other) {
    sync();
    object_.reset();
    take(other);
  }
  return *this;
}

void any_reader::take(any_reader& other) noexcept {
  // A window may lie inside the object that moves.
  other.sync();
  object_ = std::move(other.object_);
  ops_ = std::exchange(other.ops_, &empty_ops);
}

void any_reader::tell() noexcept {
  if (pos_ == start_) return;
  ops_->consume(object_.get(), static_cast<std::size_t>(pos_ - start_));
  start_ = pos_;
}

void any_reader::mirror() noexcept {
  const std::span<const std::byte> held = ops_->window(object_.get());
  start_ = pos_ = held.data();
  end_ = pos_ + held.size();
}

result<std::size_t> any_reader::read_some_slow(std::span<std::byte> b) {
  if (b.empty()) return std::size_t{0};
  if (const std::size_t n = std::min(buffered().size(), b.size())) {
    std::memcpy(b.data(), pos_, n);
    pos_ += n;
    return n;
  }
  sync();
  const result<std::size_t> n = ops_->read_some(object_.get(), b);
  mirror();
  return n;
}

result<std::size_t> any_reader::read_some(std::span<const mutable_buffer> pieces) {
  if (!buffered().empty()) {
    std::size_t total = 0;
    for (const mutable_buffer& piece : pieces) {
      const std::size_t n = std::min(available(), piece.size);
      if (n == 0) continue;
      std::memcpy(piece.data, pos_, n);
      pos_ += n;
      total += n;
    }
    return total;
  }
  return detail::read_pieces(erased_source(), pieces);
}

result<std::span<const std::byte>> any_reader::fill_slow(std::size_t n) {
  sync();
  const result<std::span<const std::byte>> held = ops_->fill(object_.get(), n);
  if (held) {
    start_ = pos_ = held->data();
    end_ = pos_ + held->size();
  }
  return held;
}

result<std::uintmax_t> any_reader::skip(std::uintmax_t n) {
  if (n <= buffered().size()) {
    pos_ += n;
    return n;
  }
  sync();
  if (!ops_->skip) return fail(io_errc::unsupported);
  const result<std::uintmax_t> passed = ops_->skip(object_.get(), n);
  return passed;
}

result<std::uintmax_t> any_reader::seek(std::intmax_t offset, whence from) {
  return erased_source().seek(offset, from);
}

result<std::uintmax_t> any_reader::position() {
  tell();
  return detail::source_ref{object_.get(), ops_}.position();
}

std::optional<std::uintmax_t> any_reader::size_hint() {
  tell();
  return ops_->size_hint ? ops_->size_hint(object_.get()) : std::nullopt;
}

std::optional<fd_endpoint> any_reader::kernel_endpoint() {
  tell();
  return ops_->kernel_endpoint ? ops_->kernel_endpoint(object_.get()) : std::nullopt;
}

void any_reader::kernel_advanced(std::uintmax_t n) {
  sync();
  if (ops_->kernel_advanced) ops_->kernel_advanced(object_.get(), n);
}

std::size_t any_reader::capacity() noexcept {
  tell();
  return ops_->capacity(object_.get());
}

}  // namespace sluice
