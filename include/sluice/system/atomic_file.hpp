// SPDX-License-Identifier: BSL-1.0
//
// A file that replaces another at once and as a whole, or not at all.
//
//   struct atomic_options { unsigned permissions = 0666; sync_level sync = sync_level::all; };
//   class atomic_file {                                // and the members of file for writing
//     static result<atomic_file> create(const std::string& path, const atomic_options& options = {});
//     result<void> commit();
//     void abandon();
//   };
//
//   auto out = atomic_file::create("settings");
//   ... write_all(*out, ...) ...
//   if (auto done = out->commit(); !done) ...          // without a commit nothing has happened
//
#ifndef SLUICE_SYSTEM_ATOMIC_FILE_HPP
#define SLUICE_SYSTEM_ATOMIC_FILE_HPP

#include <sluice/system/file.hpp>

#include <optional>
#include <string>

namespace sluice {

/// How a file is made and replaced.
struct atomic_options {
  unsigned permissions = 0666;        ///< of a file that is new, before the umask
  sync_level sync = sync_level::all;  ///< what is on the disk once commit has succeeded; of the folder too
};

/// Writes into a temporary beside the target, which `commit` renames onto it. Until then nobody sees a byte of it, and
/// the old file stays as it is; so it does after a failure, and where the program dies.
///
/// The temporary has no name where the file system allows that (O_TMPFILE), else it is called `.NAME.XXXXXX`: only
/// then, and in the moment of the commit, can one remain where the program is killed or the machine stops. Where `path`
/// is a symbolic link, what it points at is replaced or made, as found once in `create`. Other hard links to the old file keep
/// the old content. The right to write the folder is needed, and none to write the old file.
///
/// A buf_writer around it is to be flushed before `commit`; it has no `close` for the buffer to call.
class atomic_file : private file {
 public:
  /// Begins. Errors: `is_a_directory`, or `io_errc::unsupported` for a target that is no regular file; those of
  /// realpath(3), readlink(2) and open(2); `invalid_argument` for a path with a null character in it. realpath(3),
  /// lstat(2), open(2) and another lstat(2); more where a name is needed, or there is nothing at `path` yet.
  static result<atomic_file> create(const std::string& path, const atomic_options& options = {});

  atomic_file(atomic_file&& other) noexcept;

  /// Abandons what is held now.
  atomic_file& operator=(atomic_file&& other) noexcept;

  /// Abandons it unless it was committed.
  ~atomic_file() { abandon(); }

  using file::is_open;
  using file::kernel_advanced;
  using file::kernel_endpoint;
  using file::kind;
  using file::position;
  using file::read_at;
  using file::resize;
  using file::seek;
  using file::size;
  using file::write_at;
  using file::write_some;

  /// Puts the file into the place of the target, and closes it. One that replaces another gets its permissions and, as
  /// far as the process is allowed to, its owner and group; set-user-ID and set-group-ID go where these could not be
  /// kept. What was put at `path` since `create` is replaced too.
  ///
  /// After an error the target is the old file, untouched, and commit may be called again, or the file abandoned; but
  /// where the disk failed (fsync) that error is told again each time, as a second fsync would not repeat it. Only an
  /// error of the folder's fsync, or of the last close, comes after the rename: the new file is in place and whole, and
  /// may not survive a loss of power. Errors: those of fchown(2), fchmod(2), fsync(2), linkat(2), open(2), rename(2),
  /// close(2); `bad_file_descriptor` after a commit that succeeded, or when abandoned.
  [[nodiscard]] result<void> commit();

  /// Removes the temporary; the target stays as it is. Does nothing after a commit.
  void abandon() noexcept;

 private:
  struct replaced_file {
    unsigned mode;
    unsigned owner;
    unsigned group;
  };

  atomic_file(file temporary, std::string target, std::string name, std::optional<replaced_file> old,
              sync_level level) noexcept
      : file(std::move(temporary)), target_(std::move(target)), temporary_(std::move(name)), old_(old), sync_(level) {}

  result<void> take_over_attributes();
  result<void> sync_once(int fd);
  result<void> put_in_place();

  std::string target_;     // absolute, no link
  std::string temporary_;  // the name of the temporary, empty where it has none
  std::optional<replaced_file> old_;
  sync_level sync_ = sync_level::all;
  std::error_code sync_error_ = {};  // the disk failed: for good
  bool in_place_ = false;
};

}  // namespace sluice

#endif
