// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/mapped_file.hpp>

#include "system/linux/facts.hpp"
#include "system/linux/transfer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sluice {

namespace sys = detail::sys;

result<mapped_file> mapped_file::open(const std::string& path, const map_options& options) {
  result<file> source = file::open(path);
  if (!source) return fail(source.error());
  return map(*source, 0, unbounded, options);
}

result<mapped_file> mapped_file::map(file& source, std::uintmax_t offset, std::uintmax_t length,
                                     const map_options& options) {
  const int fd = source.fd();
  struct stat64 status;
  if (sys::status_of(fd, status) != 0) return fail(sys::last_error());
  if (!S_ISREG(status.st_mode)) return fail(io_errc::unsupported);
  if (status.st_size == 0 && detail::has_byte(fd, 0) == detail::presence::there) return fail(io_errc::unsupported);

  const auto size = static_cast<std::uintmax_t>(status.st_size);
  length = std::min(length, size - std::min(size, offset));
  if (length == 0) return mapped_file();

  // A mapping begins at a page of the file.
  const std::uintmax_t before = offset % static_cast<std::uintmax_t>(::sysconf(_SC_PAGESIZE));
  if (length > std::numeric_limits<std::size_t>::max() - before) return sys::fail_with(EFBIG);
  const auto whole = static_cast<std::size_t>(before + length);
  const int flags = MAP_SHARED | (options.populate ? MAP_POPULATE : 0);
  void* address = nullptr;
  if (sys::retry([&] {
        return sys::calls.map(&address, whole, PROT_READ, flags, fd, static_cast<off64_t>(offset - before));
      }) != 0)
    return fail(sys::last_error());

  if (options.access != access_advice::none)
    sys::calls.madvise(address, whole, options.access == access_advice::random ? MADV_RANDOM : MADV_SEQUENTIAL);
  if (options.huge_pages) sys::calls.madvise(address, whole, MADV_HUGEPAGE);
  const auto* first = static_cast<const std::byte*>(address) + before;
  return mapped_file(address, whole, std::span(first, static_cast<std::size_t>(length)));
}

mapped_file::mapped_file(mapped_file&& other) noexcept
    : span_reader(std::exchange<span_reader>(other, {})),
      address_(std::exchange(other.address_, nullptr)),
      length_(std::exchange(other.length_, 0)),
      bytes_(std::exchange(other.bytes_, {})) {}

mapped_file& mapped_file::operator=(mapped_file&& other) noexcept {
  if (this != &other) {
    unmap();
    span_reader::operator=(std::exchange<span_reader>(other, {}));
    address_ = std::exchange(other.address_, nullptr);
    length_ = std::exchange(other.length_, 0);
    bytes_ = std::exchange(other.bytes_, {});
  }
  return *this;
}

void mapped_file::unmap() noexcept {
  if (address_ != nullptr) sys::calls.munmap(address_, length_);
}

}  // namespace sluice
