// SPDX-License-Identifier: BSL-1.0
//
// The two sides of a copy, opened.
//
//   struct endpoint { std::string name; fd_stream stream; ... };
//   result<endpoint> open_source(const endpoint_spec&, stop_signals&);
//   result<std::optional<std::uintmax_t>> look_at_source(const endpoint_spec&);
//   struct destination_options { bool append, atomic; };
//   result<endpoint> open_destination(const endpoint_spec&, destination_options, stop_signals&);
//   result<void> check_different(source, endpoint& destination);
//   result<void> empty_destination(endpoint&);
//   result<void> sync_destination(endpoint&, sync_level);
//   result<void> sync_folder_of(const endpoint_spec&);
//   result<void> finish_destination(endpoint&, std::stop_token);
//   void abandon_destination(endpoint&);
//   std::string_view name(fd_kind);
//
#ifndef SLUICE_TOOL_ENDPOINT_HPP
#define SLUICE_TOOL_ENDPOINT_HPP

#include <sluice/system/atomic_file.hpp>
#include <sluice/system/fd_stream.hpp>
#include <sluice/system/file.hpp>

#include "endpoint_spec.hpp"
#include "stop_signals.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace sluice::tool {

struct endpoint {
  std::string name;  ///< for messages: the path, the address, or "standard input"
  fd_stream stream;
  fd_kind kind = fd_kind::unknown;
  bool connected = false;                     ///< a socket that we have connected or accepted
  std::optional<atomic_file> instead = {};  ///< what the stream writes is to take the place of another file
};

/// Where open(2) would find or create a file: the last link of the path followed, also one that leads to nothing.
/// Errors: those of readlink(2); `too_many_symbolic_link_levels`.
result<std::filesystem::path> resolved(std::filesystem::path path);

/// How messages name a side.
std::string source_name(const endpoint_spec& spec);
std::string destination_name(const endpoint_spec& spec);

/// "regular_file": the name of a kind in JSON. "regular file" in prose.
std::string_view name(fd_kind kind) noexcept;
std::string_view describe(fd_kind kind) noexcept;

/// Opens, connects or accepts. Waits for the other side of a FIFO or a connection. Errors: those of
/// open(2) and the sockets; `is_a_directory`; `cancelled`.
result<endpoint> open_source(const endpoint_spec& spec, stop_signals& signals);

/// What can be known of a source whose turn has not come, without opening it: its size, if it is a regular file that
/// has one. Errors: those of stat(2) for a path; `is_a_directory`.
result<std::optional<std::uintmax_t>> look_at_source(const endpoint_spec& spec);

struct destination_options {
  bool append = false;
  std::optional<sync_level> atomic = {};  ///< a new file in the place of the old one, once it is synced so
};

/// The same for the other side. A path is created if there is nothing, with the permissions
/// 0666 less the umask. Nothing is emptied. Errors: as `open_source`; those of `atomic_file` where it is atomic.
result<endpoint> open_destination(const endpoint_spec& spec, destination_options how, stop_signals& signals);

/// The error of a copy from one onto the other, if both are one regular file: device and inode are
/// equal, however they were named.
result<void> check_different(endpoint& source, endpoint& destination);
result<void> check_different(const endpoint_spec& source, endpoint& destination);

/// Empties a regular file. Errors: those of ftruncate(2).
result<void> empty_destination(endpoint& destination);

/// Whether the destination is a file or a disk, which can be synced.
bool can_sync(const endpoint& destination) noexcept;

/// Waits until what was written is on the disk. Errors: those of fsync(2).
result<void> sync_destination(endpoint& destination, sync_level level);

/// Waits until the name of the file is on the disk. Errors: those of open(2) and fsync(2) of the folder.
result<void> sync_folder_of(const endpoint_spec& spec);

/// Ends the destination after everything was written, and closes it. A connection is ended for our
/// direction, and its peer has five seconds to end the other one: a peer that resets the connection
/// instead has lost bytes. Errors: those of close(2), and of the connection.
result<void> finish_destination(endpoint& destination, const std::stop_token& stop);

/// Puts the destination in the place of another file, where it is to take that. Errors: those of atomic_file::commit.
result<void> commit_destination(endpoint& destination);

/// Closes the destination of a copy that has failed; a file that was to take another one's place is removed. A TCP
/// connection is reset, so that its peer does not take what it has got for the whole; a Unix socket knows no such
/// thing.
void abandon_destination(endpoint& destination) noexcept;

}  // namespace sluice::tool

#endif
