// SPDX-License-Identifier: BSL-1.0
#include "cells.hpp"

namespace sluice::test {
namespace {

handle sealed(std::size_t size, int seal) {
  handle made = memory_file();
  if (::ftruncate(made.get(), static_cast<off_t>(size)) != 0 || ::fcntl(made.get(), F_ADD_SEALS, seal) != 0)
    throw std::runtime_error("seal");
  return made;
}

two_ends named_pipe(const std::string& path) {
  if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("mkfifo");
  two_ends ends;
  ends.reader = handle(::open(path.c_str(), O_RDWR | O_CLOEXEC));  // does not wait for a writer
  ends.writer = handle(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  ends.reader = handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  ::unlink(path.c_str());
  return ends;
}

void refuses(to_end& t, int error, std::uintmax_t room = 0) {
  t.error = error;
  t.room = room;
}

}  // namespace

void open_target(target kind, to_end& t, const cell_folders& folders) {
  const std::string path = folders.disk / "to";
  switch (kind) {
    case target::file: t.ends.writer = new_file(t.path = path); break;
    case target::file_at_offset: {
      const std::string old(2 * cell_size, 'x');
      t.before = old.substr(0, 777);
      t.behind = old.substr(777);
      t.ends.writer = file_with(t.path = path, old, O_RDWR);
      ::lseek(t.fd(), 777, SEEK_SET);
      break;
    }
    case target::append: t.ends.writer = file_with(t.path = path, t.before = "before", O_WRONLY | O_APPEND); break;
    case target::append_late:
      t.ends.writer = file_with(t.path = path, t.before = "before", O_WRONLY);
      ::fcntl(t.fd(), F_SETFL, O_APPEND);
      break;
    case target::other_file_system:
      if (!folders.memory)
        t.missing = "no second file system at /dev/shm";
      else
        t.ends.writer = new_file(t.path = folders.memory / "to");
      break;
    case target::memory_file: t.ends.writer = memory_file(); break;
    case target::sealed_against_writes:
      t.ends.writer = sealed(0, F_SEAL_WRITE);
      refuses(t, EPERM);
      break;
    case target::sealed_against_growth:
      t.ends.writer = sealed(seal_size, F_SEAL_GROW);
      t.behind.assign(seal_size, '\0');
      refuses(t, EPERM, seal_size);
      break;
    case target::pipe: t.ends = make_pipe_ends(); break;
    case target::fifo: t.ends = named_pipe(folders.disk / "to_fifo"); break;
    case target::closed_pipe:
    case target::closed_socket:
      t.ends = kind == target::closed_pipe ? make_pipe_ends() : make_socket_pair();
      t.ends.reader.reset();
      t.looks = false;
      refuses(t, EPIPE);
      break;
    case target::tcp: t.ends = make_tcp_pair(); break;
    case target::unix_socket: t.ends = make_socket_pair(); break;
    case target::seqpacket: t.ends = make_socket_pair(SOCK_SEQPACKET); break;
    case target::datagram:
      t.ends = make_socket_pair(SOCK_DGRAM);
      t.message_reader = t.ends.reader.get();
      break;
    case target::null:
    case target::full:
      t.ends.writer = handle(::open(kind == target::null ? "/dev/null" : "/dev/full", O_WRONLY | O_CLOEXEC));
      t.looks = false;
      if (kind == target::full) refuses(t, ENOSPC);
      break;
    case target::terminal:
      t.pty.emplace();
      std::swap(t.ends.writer, t.pty->slave);
      std::swap(t.ends.reader, t.pty->master);
      break;
    case target::terminal_master:
      t.pty.emplace();
      std::swap(t.ends.writer, t.pty->master);
      t.slave_reader = std::jthread([&t, fd = t.pty->slave.get()] {
        char piece[4096];
        ssize_t n = 1;
        while (n > 0 && t.slave_text.size() < t.wanted) {
          n = ::read(fd, piece, sizeof piece);
          if (n > 0) t.slave_text.append(piece, static_cast<std::size_t>(n));
        }
      });
      break;
    case target::block_device: {
      const handle backing = memory_file(t.behind = std::string(2 * device_size, 'x'));
      t.device = loop_device::over(backing.get(), t.missing);
      if (t.device) t.missing.clear();
      break;
    }
    case target::read_only:
      t.ends.writer = file_with(path, "");
      refuses(t, EBADF);
      break;
  }
  if (t.ends.reader.get() >= 0) t.received.emplace(t.ends.reader.get());
}

std::string to_end::arrived() {
  if (slave_reader.joinable()) {
    slave_reader.join();
    return slave_text;
  }
  if (received) {
    // What the master has not read yet may be lost when the slave goes.
    if (pty) received->await(wanted);
    ends.writer.reset();
    if (message_reader >= 0) ::shutdown(message_reader, SHUT_RD);
    return received->text();
  }
  if (!path.empty()) return content_of(path);
  ::lseek(fd(), 0, SEEK_SET);
  return everything(fd());
}

}  // namespace sluice::test
