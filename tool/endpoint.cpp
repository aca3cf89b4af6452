// SPDX-License-Identifier: BSL-1.0
#include "endpoint.hpp"

#include <sluice/system/socket.hpp>

#include "process.hpp"
#include "text.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <utility>

namespace sluice::tool {

namespace fs = std::filesystem;

namespace {

using std::chrono::steady_clock;

// How often a wait looks whether it has been asked to stop.
constexpr std::chrono::milliseconds stop_interval{50};

// How long the peer of a finished connection may take to end its side.
constexpr std::chrono::seconds peer_patience{5};

std::error_code last_error() noexcept { return {errno, std::system_category()}; }

struct file_identity {
  bool regular = false;
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;

  bool same_file_as(const file_identity& other) const noexcept {
    return regular && other.regular && device == other.device && inode == other.inode;
  }
};

file_identity identity_in(const struct stat& facts) {
  return {S_ISREG(facts.st_mode), facts.st_dev, facts.st_ino, facts.st_size};
}

result<file_identity> identify(int fd) {
  struct stat facts{};
  if (::fstat(fd, &facts) != 0) return fail(last_error());
  return identity_in(facts);
}

/// Waits a moment for the descriptor to be readable; whether it is.
result<bool> readable(int fd) {
  pollfd wanted{.fd = fd, .events = POLLIN, .revents = 0};
  const int ready = ::poll(&wanted, 1, static_cast<int>(stop_interval.count()));
  if (ready < 0 && errno != EINTR) return fail(last_error());
  return ready > 0;
}

result<fd_stream> accept_one(const endpoint_spec& spec, stop_signals& signals) {
  const stop_signals::watch watch(signals);
  result<listener> here = spec.form == endpoint_form::tcp_listen ? listener::listen_tcp(spec.host, spec.port, 1)
                                                                 : listener::listen_unix(spec.path, 1);
  if (!here) return fail(here.error());
  if (spec.form == endpoint_form::tcp_listen && spec.port == 0)
    say(spec.text + ": listening at port " + std::to_string(here->port()));
  if (const result<void> set = here->set_non_blocking(true); !set) return fail(set.error());
  while (!signals.token().stop_requested()) {
    const result<bool> ready = readable(here->fd());
    if (!ready) return fail(ready.error());
    if (!*ready) continue;
    result<socket> connection = here->accept();
    if (connection) return fd_stream(connection->release(), fd_kind::socket);
    if (connection.error() != std::errc::operation_would_block) return fail(connection.error());
  }
  return fail(io_errc::cancelled);
}

result<fd_stream> open_socket(const endpoint_spec& spec, stop_signals& signals) {
  if (spec.form == endpoint_form::tcp_listen || spec.form == endpoint_form::unix_listen)
    return accept_one(spec, signals);
  result<socket> connection =
      spec.form == endpoint_form::tcp ? socket::connect_tcp(spec.host, spec.port) : socket::connect_unix(spec.path);
  if (!connection) return fail(connection.error());
  return fd_stream(connection->release(), fd_kind::socket);
}

result<fd_stream> open_path(const endpoint_spec& spec, const open_options& how) {
  result<file> opened = file::open(spec.path, how);
  if (!opened) return fail(opened.error());
  return fd_stream(opened->release());
}

result<endpoint> as_endpoint(std::string name, result<fd_stream> stream, bool connected) {
  if (!stream) return fail(stream.error());
  endpoint made{.name = std::move(name), .stream = *std::move(stream), .connected = connected};
  made.kind = made.stream.kind();
  return made;
}

/// Reads what the peer still says, until it has nothing more to say.
result<void> wait_for_peer(socket& connection, const std::stop_token& stop) {
  std::array<std::byte, 4096> unwanted;
  const auto deadline = steady_clock::now() + peer_patience;
  while (steady_clock::now() < deadline) {
    if (stop.stop_requested()) return fail(io_errc::cancelled);
    const result<bool> ready = readable(connection.fd());
    if (!ready) return fail(ready.error());
    if (!*ready) continue;
    const result<std::size_t> n = connection.read_some(unwanted);
    if (!n) return fail(n.error());
    if (*n == 0) break;
  }
  return {};
}

}  // namespace

std::string source_name(const endpoint_spec& spec) {
  return spec.form == endpoint_form::standard_stream ? "standard input" : spec.text;
}

std::string destination_name(const endpoint_spec& spec) {
  return spec.form == endpoint_form::standard_stream ? "standard output" : spec.text;
}

std::string_view name(fd_kind kind) noexcept {
  switch (kind) {
    case fd_kind::regular_file: return "regular_file";
    case fd_kind::pipe: return "pipe";
    case fd_kind::socket: return "socket";
    case fd_kind::message_socket: return "message_socket";
    case fd_kind::terminal: return "terminal";
    case fd_kind::character_device: return "character_device";
    case fd_kind::block_device: return "block_device";
    case fd_kind::directory: return "directory";
    case fd_kind::other: return "other";
    case fd_kind::unknown: break;
  }
  return "unknown";
}

std::string_view describe(fd_kind kind) noexcept {
  switch (kind) {
    case fd_kind::regular_file: return "regular file";
    case fd_kind::message_socket: return "message socket";
    case fd_kind::character_device: return "character device";
    case fd_kind::block_device: return "block device";
    default: return name(kind);
  }
}

result<fs::path> resolved(fs::path path) {
  for (int links = 0; links < 40; ++links) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
    const fs::path target = fs::read_symlink(path, error);
    if (error) return fail(error);
    path = path.parent_path() / target;
  }
  return fail(std::make_error_code(std::errc::too_many_symbolic_link_levels));
}

result<endpoint> open_source(const endpoint_spec& spec, stop_signals& signals) {
  if (spec.form == endpoint_form::standard_stream)
    return as_endpoint(source_name(spec), fd_stream(STDIN_FILENO), false);
  if (spec.is_socket()) return as_endpoint(source_name(spec), open_socket(spec, signals), true);

  result<endpoint> opened = as_endpoint(source_name(spec), open_path(spec, {.read = true}), false);
  // A directory can be opened and not read: better known before the destination is emptied.
  if (opened && opened->kind == fd_kind::directory) return fail(std::make_error_code(std::errc::is_a_directory));
  return opened;
}

result<std::optional<std::uintmax_t>> look_at_source(const endpoint_spec& spec) {
  if (spec.form != endpoint_form::path) return std::nullopt;
  struct stat facts{};
  if (::stat(spec.path.c_str(), &facts) != 0) return fail(last_error());
  if (S_ISDIR(facts.st_mode)) return fail(std::make_error_code(std::errc::is_a_directory));
  // Files of procfs and their like have a size of 0.
  if (!S_ISREG(facts.st_mode) || facts.st_size == 0) return std::nullopt;
  return static_cast<std::uintmax_t>(facts.st_size);
}

result<endpoint> open_destination(const endpoint_spec& spec, destination_options how, stop_signals& signals) {
  const std::string name = destination_name(spec);
  if (spec.is_socket()) return as_endpoint(name, open_socket(spec, signals), true);
  if (spec.form == endpoint_form::standard_stream) return as_endpoint(name, fd_stream(STDOUT_FILENO), false);
  if (!how.atomic)
    return as_endpoint(name, open_path(spec, {.write = true, .append = how.append, .create = true}), false);
  result<atomic_file> made = atomic_file::create(spec.path, {.sync = *how.atomic});
  if (!made) return fail(made.error());
  fd_stream writing(::fcntl(made->kernel_endpoint()->fd, F_DUPFD_CLOEXEC, 3), fd_kind::regular_file);
  if (!writing.is_open()) return fail(last_error());
  result<endpoint> opened = as_endpoint(name, std::move(writing), false);
  if (opened) opened->instead = *std::move(made);
  return opened;
}

result<void> check_different(endpoint& source, endpoint& destination) {
  const result<file_identity> from = identify(source.stream.fd());
  const result<file_identity> to = identify(destination.stream.fd());
  if (from && to && from->same_file_as(*to)) return fail(io_errc::same_file);
  return {};
}

result<void> check_different(const endpoint_spec& source, endpoint& destination) {
  if (source.is_socket()) return {};
  struct stat facts{};
  const int answer = source.form == endpoint_form::standard_stream ? ::fstat(STDIN_FILENO, &facts)
                                                                   : ::stat(source.path.c_str(), &facts);
  const result<file_identity> to = identify(destination.stream.fd());
  if (answer == 0 && to && identity_in(facts).same_file_as(*to)) return fail(io_errc::same_file);
  return {};
}

result<void> empty_destination(endpoint& destination) {
  const result<file_identity> facts = identify(destination.stream.fd());
  if (!facts) return fail(facts.error());
  if (!facts->regular || facts->size == 0) return {};
  return destination.stream.resize(0);
}

bool can_sync(const endpoint& destination) noexcept {
  return destination.kind == fd_kind::regular_file || destination.kind == fd_kind::block_device;
}

result<void> sync_destination(endpoint& destination, sync_level level) {
  file written(std::move(destination.stream));
  const result<void> synced = written.sync(level);
  destination.stream = fd_stream(written.release(), destination.kind);
  return synced;
}

result<void> sync_folder_of(const endpoint_spec& spec) {
  const result<fs::path> path = resolved(spec.path);
  if (!path) return fail(path.error());
  result<file> folder = file::open(path->has_parent_path() ? path->parent_path() : ".");
  return folder ? folder->sync() : fail(folder.error());
}

result<void> finish_destination(endpoint& destination, const std::stop_token& stop) {
  if (!destination.connected) return destination.stream.close();
  socket connection(std::move(destination.stream));
  result<void> ended = connection.shutdown_write();
  // What a reset leaves behind, when it has come before we ended the connection.
  if (!ended && ended.error() == std::errc::not_connected) ended = fail({ECONNRESET, std::system_category()});
  if (ended) ended = wait_for_peer(connection, stop);
  const result<void> closed = connection.close();
  return ended ? closed : ended;
}

result<void> commit_destination(endpoint& destination) {
  if (!destination.instead) return {};
  return destination.instead->commit();
}

void abandon_destination(endpoint& destination) noexcept {
  if (destination.connected) {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(destination.stream.fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  (void)destination.stream.close();
  destination.instead.reset();
}

}  // namespace sluice::tool
