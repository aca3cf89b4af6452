// SPDX-License-Identifier: BSL-1.0
//
// A file as memory.
//
//   enum class access_advice { none, sequential, random };
//   struct map_options { bool populate = false; access_advice access = access_advice::none; bool huge_pages = false; };
//   class mapped_file {                                // and all members of span_reader
//     static result<mapped_file> open(const std::string& path, const map_options& options = {});
//     static result<mapped_file> map(file& source, std::uintmax_t offset, std::uintmax_t length = unbounded,
//                                    const map_options& options = {});
//     std::span<const std::byte> bytes() const;
//   };
//
#ifndef SLUICE_SYSTEM_MAPPED_FILE_HPP
#define SLUICE_SYSTEM_MAPPED_FILE_HPP

#include <sluice/memory/span_reader.hpp>
#include <sluice/system/file.hpp>

#include <string>

namespace sluice {

/// How the mapping will be read; a hint to the kernel's reading ahead, see madvise(2).
enum class access_advice { none, sequential, random };

/// What of a file is mapped, and how it will be read.
struct map_options {
  bool populate = false;                       ///< reads all of it in at once: MAP_POPULATE
  access_advice access = access_advice::none;  ///< advice to the kernel, see madvise(2)
  bool huge_pages = false;                     ///< MADV_HUGEPAGE, for the file systems that can
};

/// Reads a regular file from its pages in the page cache, by one window. Models what span_reader does; a copy of it is
/// one write. Nothing else in the library maps a file.
///
/// Where somebody truncates the file, or the disk fails, looking at the bytes beyond raises SIGBUS, and what others
/// write into the file may show: read files that are not yours instead. It has no kernel endpoint, as its bytes are in
/// memory already and the descriptor is not kept.
class mapped_file : private span_reader {
 public:
  static constexpr bool in_memory = true;

  /// Empty.
  mapped_file() noexcept = default;

  /// Maps the whole file. Errors: as `map`; those of open(2). open(2), fstat(2), mmap(2), close(2).
  static result<mapped_file> open(const std::string& path, const map_options& options = {});

  /// Maps `length` bytes from `offset` on, any offset, or as many as the file has now. `source` may be closed after.
  /// Errors: `io_errc::unsupported` for what is no regular file, or has content and claims to be empty, as in procfs;
  /// those of fstat(2) and mmap(2). Where the kernel does not take an advice it does without.
  /// fstat(2) and mmap(2); one madvise(2) for each advice; for an empty file pread(2) in the place of mmap.
  static result<mapped_file> map(file& source, std::uintmax_t offset, std::uintmax_t length = unbounded,
                                 const map_options& options = {});

  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file() { unmap(); }

  using span_reader::buffered;
  using span_reader::consume;
  using span_reader::fill;
  using span_reader::position;
  using span_reader::read_some;
  using span_reader::remaining;
  using span_reader::seek;
  using span_reader::size_hint;
  using span_reader::skip;

  /// All that is mapped, wherever the position is. Valid as long as this object is.
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  mapped_file(void* address, std::size_t length, std::span<const std::byte> bytes) noexcept
      : span_reader(bytes), address_(address), length_(length), bytes_(bytes) {}

  void unmap() noexcept;

  void* address_ = nullptr;  // of the mapping, which begins at a page
  std::size_t length_ = 0;
  std::span<const std::byte> bytes_;
};

}  // namespace sluice

#endif
