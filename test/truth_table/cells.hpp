// SPDX-License-Identifier: BSL-1.0
//
// The rows and columns of the table: every kind of source and of destination, opened ready for a copy.
//
//   cell_folders folders;
//   from_end s; open_source(source::pipe, s, folders);
//   to_end t;   t.wanted = s.expected.size();   open_target(target::tcp, t, folders);
//   if (!s.missing.empty()) GTEST_SKIP() << s.missing;
//   ... copy from s.fd() to t.fd(), at most s.most bytes ...
//   t.arrived();                          // all of it, before and behind what was copied
//
#ifndef SLUICE_TEST_TRUTH_TABLE_CELLS_HPP
#define SLUICE_TEST_TRUTH_TABLE_CELLS_HPP

#include "copy/endpoints.hpp"
#include "support/mounted.hpp"
#include "support/temporary_folder.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace sluice::test {

/// Above all thresholds, and more than twice what passes through memory before a kernel path takes over.
inline constexpr std::size_t cell_size = 200'000;
inline constexpr std::size_t seal_size = 65'536;
inline constexpr std::size_t device_size = 204'800;

// clang-format off
#define SLUICE_SOURCES(X) \
  X(file) X(file_at_offset) X(file_at_end) X(small_file) X(empty_file) X(sparse_file) X(other_file_system) \
  X(memory_file) X(procfs) X(procfs_without_splice) X(sysfs) X(zero) X(random) X(null) X(pipe) X(fifo) X(tcp) \
  X(unix_socket) X(seqpacket) X(datagram) X(terminal) X(terminal_master) X(block_device) X(directory)

#define SLUICE_TARGETS(X) \
  X(file) X(file_at_offset) X(append) X(append_late) X(other_file_system) X(memory_file) \
  X(sealed_against_writes) X(sealed_against_growth) X(pipe) X(fifo) X(closed_pipe) X(closed_socket) X(tcp) \
  X(unix_socket) X(seqpacket) X(datagram) X(null) X(full) X(terminal) X(terminal_master) X(block_device) \
  X(read_only)
// clang-format on

#define SLUICE_NAME(n) n,
#define SLUICE_TEXT(n) #n,
enum class source { SLUICE_SOURCES(SLUICE_NAME) };
enum class target { SLUICE_TARGETS(SLUICE_NAME) };
inline constexpr std::array source_names{SLUICE_SOURCES(SLUICE_TEXT)};
inline constexpr std::array target_names{SLUICE_TARGETS(SLUICE_TEXT)};
#undef SLUICE_NAME
#undef SLUICE_TEXT

struct cell_folders {
  temporary_folder disk;
  memory_folder memory;
};

struct from_end {
  two_ends ends;
  std::optional<test::terminal> pty;
  std::unique_ptr<loop_device> device;
  std::optional<feeder> fed;
  std::string expected;
  bool known = true;                // what it holds; else only the size is right
  bool messages = false;            // a read takes one message, and what does not fit of it is gone
  int error = 0;                    // what reading answers
  std::uintmax_t most = unbounded;  // a source without an end is cut
  std::string missing;              // why there is none here

  int fd() const { return device ? device->fd() : ends.reader.get(); }

  // The feeder stops once nobody can read any more.
  ~from_end() { ends.reader.reset(); }
};

struct to_end {
  two_ends ends;
  std::optional<test::terminal> pty;
  std::unique_ptr<loop_device> device;
  std::optional<collector> received;
  std::size_t wanted = 0;  // bytes that will come, to be set before it is opened
  std::string slave_text;  // what came out of the slave, which loses what it holds when its master goes
  std::jthread slave_reader;
  int message_reader = -1;          // of a datagram socket, which knows no end
  std::string path;                 // where a file's content is to be read
  std::string before;               // what it held before the place of the copy
  std::string behind;               // and from there on
  int error = 0;                    // what writing answers when there is no more room
  std::uintmax_t room = unbounded;  // accepted before the error
  bool looks = true;                // what arrives can be seen
  std::string missing;

  int fd() const { return device ? device->fd() : ends.writer.get(); }
  std::string arrived();
};

void open_source(source kind, from_end& s, const cell_folders& folders);
void open_target(target kind, to_end& t, const cell_folders& folders);

}  // namespace sluice::test

#endif
