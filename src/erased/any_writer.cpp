// SPDX-License-Identifier: BSL-1.0
#include <sluice/erased/any_writer.hpp>

#include "pieces.hpp"

namespace sluice {
namespace {

std::error_code no_writer() noexcept { return std::make_error_code(std::errc::bad_file_descriptor); }

}  // namespace

constinit const detail::sink_ops any_writer::empty_ops{
    .write_some = [](void*, std::span<const std::byte>) -> result<std::size_t> { return fail(no_writer()); },
    .write_vectored = nullptr,
    .prepare = nullptr,
    .commit = nullptr,
    .flush = nullptr,
    .kernel_endpoint = nullptr,
    .kernel_advanced = nullptr,
    .seek = [](void*, std::intmax_t, whence) -> result<std::uintmax_t> { return fail(no_writer()); },
    .position = [](void*) -> result<std::uintmax_t> { return fail(no_writer()); },
};

any_writer& any_writer::operator=(any_writer&& other) noexcept {
  if (this != &other) {
    sync();
    object_.reset();
    take(other);
  }
  return *this;
}

void any_writer::take(any_writer& other) noexcept {
  // What is prepared may lie inside the object that moves.
  other.sync();
  object_ = std::move(other.object_);
  ops_ = std::exchange(other.ops_, &empty_ops);
  close_ = std::exchange(other.close_, nullptr);
}

void any_writer::tell() noexcept {
  ops_->commit(object_.get(), static_cast<std::size_t>(pos_ - start_));
  start_ = pos_ = end_ = nullptr;
}

result<bool> any_writer::make_room(std::size_t n) {
  // More than this is not worth a detour around the wrapped writer's own ways with large requests.
  constexpr std::size_t small = 4096;
  sync();
  if (!ops_->prepare || n > small) return false;
  const result<std::span<std::byte>> free = ops_->prepare(object_.get(), n);
  if (!free) {
    if (free.error() == io_errc::buffer_too_small) return false;
    return fail(free.error());
  }
  // What would fill it is passed on directly by most.
  if (free->size() <= n) return false;
  start_ = pos_ = free->data();
  end_ = pos_ + free->size();
  return true;
}

void any_writer::put(const_buffer piece) noexcept {
  if (piece.size == 0) return;
  std::memcpy(pos_, piece.data, piece.size);
  pos_ += piece.size;
}

result<std::size_t> any_writer::write_some_slow(std::span<const std::byte> b) {
  if (b.empty()) return std::size_t{0};
  const result<bool> fits = make_room(b.size());
  if (!fits) return fail(fits.error());
  if (!*fits) return ops_->write_some(object_.get(), b);
  put(b);
  return b.size();
}

result<std::size_t> any_writer::write_some(std::span<const const_buffer> pieces) {
  const std::size_t total = detail::cpo::total_size(pieces);
  if (total == 0) return total;
  if (total >= room()) {
    const result<bool> fits = make_room(total);
    if (!fits) return fail(fits.error());
    if (!*fits) return detail::write_pieces(erased_sink(), pieces);
  }
  for (const const_buffer& piece : pieces) put(piece);
  return total;
}

result<void> any_writer::flush() {
  sync();
  return ops_->flush ? ops_->flush(object_.get()) : result<void>{};
}

result<void> any_writer::close() {
  if (!close_) return flush();
  sync();
  return close_(object_.get());
}

result<std::uintmax_t> any_writer::seek(std::intmax_t offset, whence from) {
  return erased_sink().seek(offset, from);
}

result<std::uintmax_t> any_writer::position() { return erased_sink().position(); }

std::optional<fd_endpoint> any_writer::kernel_endpoint() {
  sync();
  return ops_->kernel_endpoint ? ops_->kernel_endpoint(object_.get()) : std::nullopt;
}

void any_writer::kernel_advanced(std::uintmax_t n) {
  sync();
  if (ops_->kernel_advanced) ops_->kernel_advanced(object_.get(), n);
}

}  // namespace sluice
