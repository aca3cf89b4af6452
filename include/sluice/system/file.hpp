// SPDX-License-Identifier: BSL-1.0
//
// Files, by path.
//
//   struct open_options { bool read, write, append, truncate, create, exclusive; unsigned permissions; };
//   enum class sync_level { none, data, all };
//   class file {                                       // and all members of fd_stream
//     static result<file> open(const std::string& path);
//     static result<file> open(const std::string& path, const open_options& options);
//     static result<file> create(const std::string& path, unsigned permissions = 0666);
//     static result<file> append(const std::string& path, unsigned permissions = 0666);
//     result<std::size_t> read_at(std::uintmax_t offset, std::span<std::byte>);
//     result<std::size_t> write_at(std::uintmax_t offset, std::span<const std::byte>);
//     result<std::uintmax_t> size();
//     result<void> resize(std::uintmax_t size);
//     result<void> sync(sync_level level = sync_level::all);
//   };
//
// A path is a `const std::string&`, to which literals and std::filesystem::path convert.
//
#ifndef SLUICE_SYSTEM_FILE_HPP
#define SLUICE_SYSTEM_FILE_HPP

#include <sluice/system/fd_stream.hpp>

#include <string>

namespace sluice {

/// How a file is opened. At least one of read, write and append has to be set.
struct open_options {
  bool read = false;            ///< for reading
  bool write = false;           ///< for writing
  bool append = false;          ///< every write goes to the end of the file; implies write
  bool truncate = false;        ///< empties the file; needs write or append
  bool create = false;          ///< makes the file if there is none; needs write or append
  bool exclusive = false;       ///< with create: fails with `file_exists` if there is one, a dangling link included
  unsigned permissions = 0666;  ///< of a new file, before the umask
};

/// What has to be on the disk.
enum class sync_level {
  none,  ///< whatever the system has come to; no call
  data,  ///< the bytes and what is needed to read them back: fdatasync(2)
  all,   ///< the times and the other attributes too: fsync(2)
};

/// An open file, or whatever else the path names: a FIFO, a device. Programs started later do not inherit it.
class file : private fd_stream {
 public:
  /// A closed file.
  file() noexcept = default;

  /// Takes over a descriptor. No system call.
  explicit file(fd_stream stream) noexcept : fd_stream(std::move(stream)) {}

  /// Opens for reading. Errors: those of open(2); `invalid_argument` for a path with a null character in it.
  /// One open(2), retried after EINTR.
  static result<file> open(const std::string& path);

  /// Opens as told. Errors: those of open(2); `invalid_argument` for a path with a null character in it and for
  /// options that exclude one another. One open(2), retried after EINTR.
  static result<file> open(const std::string& path, const open_options& options);

  /// Opens for writing a file that is new or is emptied, even if somebody else has it open as a source: see `copy`.
  /// `permissions` are those of a new one, before the umask. Errors: those of open(2); `invalid_argument` for a path
  /// with a null character in it. One open(2) for a new file; two and fstat(2) for one that exists.
  static result<file> create(const std::string& path, unsigned permissions = 0666);

  /// Opens for writing at the end, wherever that is by then; makes the file if there is none. Errors: as `create`.
  /// One open(2), retried after EINTR.
  static result<file> append(const std::string& path, unsigned permissions = 0666);

  using fd_stream::close;
  using fd_stream::is_open;
  using fd_stream::kind;
  using fd_stream::position;
  using fd_stream::read_some;
  using fd_stream::set_non_blocking;
  using fd_stream::size_hint;
  using fd_stream::skip;

  /// The descriptor, lent. Whoever has it may write through it, so the file is not `fresh` any more.
  int fd() noexcept;

  /// As fd_stream's.
  [[nodiscard]] int release() noexcept;

  /// As fd_ref's.
  [[gnu::hot]] result<std::size_t> write_some(std::span<const std::byte> b);
  result<std::size_t> write_some(std::span<const const_buffer> pieces);
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin);

  /// As fd_ref's. `fresh` holds for a file that `create`, or `open` with `create` and `exclusive`, has made or found
  /// empty, until something is written or sought here, or the descriptor is lent.
  std::optional<fd_endpoint> kernel_endpoint() noexcept;
  void kernel_advanced(std::uintmax_t n) noexcept;

  /// Reads at `offset`, in bytes from the beginning, and leaves the position alone; otherwise as `read_some`.
  /// Errors: those of pread(2); `invalid_argument` for an offset that the system cannot count. One pread(2).
  result<std::size_t> read_at(std::uintmax_t offset, std::span<std::byte> b);

  /// Writes at `offset`, in bytes from the beginning, and leaves the position alone; otherwise as `write_some`.
  /// Errors: those of pwrite(2); `invalid_argument` for an offset that the system cannot count, and on a file that is
  /// open for appending, where Linux would append: see BUGS in pwrite(2). One fcntl(2) and one pwrite(2).
  result<std::size_t> write_at(std::uintmax_t offset, std::span<const std::byte> b);

  /// The size of a regular file in bytes. Errors: those of fstat(2); `io_errc::unsupported` for other kinds, which
  /// have none. One fstat(2).
  result<std::uintmax_t> size();

  /// As fd_stream's.
  [[nodiscard]] result<void> resize(std::uintmax_t size);

  /// Waits until what was written is on the disk. An error means that some of it may never be: a later `sync` does not
  /// repeat it, see fsync(2). Errors: those of fsync(2); `invalid_argument` for a pipe or socket.
  /// One fsync(2) or fdatasync(2), or none.
  [[nodiscard]] result<void> sync(sync_level level = sync_level::all);

 private:
  friend class atomic_file;

  // What a path was opened as; never a socket, which open(2) refuses.
  struct opened {};
  file(opened, fd_stream stream, bool fresh) noexcept : fd_stream(std::move(stream)), by_path_(true), fresh_(fresh) {}

  bool by_path_ = false;
  bool fresh_ = false;
};

}  // namespace sluice

#endif
