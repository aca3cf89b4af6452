// SPDX-License-Identifier: BSL-1.0
#include "cells.hpp"

#include <fstream>

namespace sluice::test {
namespace {

constexpr std::size_t terminal_size = 2000;  // a terminal holds less than 4 KiB

handle open_at(const std::string& path) { return handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); }

void pseudo_file(from_end& s, const char* path) {
  std::ifstream in(path, std::ios::binary);
  s.expected.assign(std::istreambuf_iterator<char>(in), {});
  s.ends.reader = open_at(path);
}

void send_messages(from_end& s, int type, std::string_view text) {
  s.ends = make_socket_pair(type);
  s.messages = true;
  for (const std::size_t n : {std::size_t{10}, std::size_t{5000}, std::size_t{30'000}}) {
    if (::send(s.ends.writer.get(), text.data() + s.expected.size(), n, 0) != static_cast<ssize_t>(n))
      throw std::runtime_error("send");
    s.expected = text.substr(0, s.expected.size() + n);
  }
  if (type == SOCK_DGRAM)
    s.most = s.expected.size();
  else
    s.ends.writer.reset();
}

two_ends named_pipe(const std::string& path) {
  if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("mkfifo");
  two_ends ends;
  ends.reader = handle(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  ends.writer = handle(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  ::fcntl(ends.reader.get(), F_SETFL, 0);
  ::unlink(path.c_str());
  return ends;
}

}  // namespace

void open_source(source kind, from_end& s, const cell_folders& folders) {
  const std::string text = some_text(cell_size);
  const std::string path = folders.disk / "from";
  switch (kind) {
    case source::file: s.ends.reader = file_with(path, s.expected = text); break;
    case source::file_at_offset:
      s.ends.reader = file_with(path, text);
      ::lseek(s.fd(), 1001, SEEK_SET);
      s.expected = text.substr(1001);
      break;
    case source::file_at_end:
      s.ends.reader = file_with(path, text);
      ::lseek(s.fd(), 0, SEEK_END);
      break;
    case source::small_file: s.ends.reader = file_with(path, s.expected = "abc"); break;
    case source::empty_file: s.ends.reader = file_with(path, ""); break;
    case source::sparse_file:
      s.ends.reader = file_with(path, text.substr(0, 4096), O_RDWR);
      if (::ftruncate(s.fd(), cell_size) != 0) throw std::runtime_error("ftruncate");
      s.expected = text.substr(0, 4096) + std::string(cell_size - 4096, '\0');
      break;
    case source::other_file_system:
      if (!folders.memory)
        s.missing = "no second file system at /dev/shm";
      else
        s.ends.reader = file_with(folders.memory / "from", s.expected = text);
      break;
    case source::memory_file: s.ends.reader = memory_file(s.expected = text); break;
    case source::procfs: pseudo_file(s, "/proc/version"); break;
    case source::procfs_without_splice: pseudo_file(s, "/proc/self/limits"); break;
    case source::sysfs: pseudo_file(s, "/sys/devices/system/cpu/possible"); break;
    case source::zero:
      s.ends.reader = open_at("/dev/zero");
      s.expected.assign(s.most = cell_size, '\0');
      break;
    case source::random:
      s.ends.reader = open_at("/dev/urandom");
      s.expected.assign(s.most = cell_size, '?');
      s.known = false;
      break;
    case source::null: s.ends.reader = open_at("/dev/null"); break;
    case source::pipe: s.ends = make_pipe_ends(); break;
    case source::fifo: s.ends = named_pipe(folders.disk / "from_fifo"); break;
    case source::tcp: s.ends = make_tcp_pair(); break;
    case source::unix_socket: s.ends = make_socket_pair(); break;
    case source::seqpacket: send_messages(s, SOCK_SEQPACKET, text); break;
    case source::datagram: send_messages(s, SOCK_DGRAM, text); break;
    case source::terminal:
    case source::terminal_master: {
      s.pty.emplace();
      const bool slave = kind == source::terminal;
      s.expected = text.substr(0, s.most = terminal_size);
      write_text(slave ? s.pty->master.get() : s.pty->slave.get(), s.expected);
      std::swap(s.ends.reader, slave ? s.pty->slave : s.pty->master);
      break;
    }
    case source::block_device: {
      const handle backing = memory_file(s.expected = some_text(device_size));
      s.device = loop_device::over(backing.get(), s.missing);
      if (s.device) s.missing.clear();
      break;
    }
    case source::directory:
      s.ends.reader = open_at(folders.disk.path());
      s.error = EISDIR;
      break;
  }
  if (s.ends.writer.get() >= 0 && !s.messages) s.fed.emplace(std::move(s.ends.writer), s.expected = text);
}

}  // namespace sluice::test
