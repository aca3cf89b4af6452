// SPDX-License-Identifier: BSL-1.0
#include "selector.hpp"

#include "../system/linux/facts.hpp"
#include "kernel_paths.hpp"

#include <algorithm>

namespace sluice::detail {
namespace {

constexpr std::string_view small_reason = "the source is small: one read and one write";

// A fresh file was not opened for appending.
bool appends_now(const fd_endpoint& to) noexcept { return !to.fresh && appends(to.fd); }

// Fills in what fstat(2) says, in the stream's own record where it lends one.
fd_facts know(fd_endpoint& endpoint) noexcept {
  fd_facts unkept;
  fd_facts& facts = endpoint.facts ? *endpoint.facts : unkept;
  if (!facts.identified) learn_facts(endpoint.fd, facts);
  if (facts.kind != fd_kind::unknown) endpoint.kind = facts.kind;
  return facts;
}

}  // namespace

fd_kind know_kind(fd_endpoint& endpoint) noexcept {
  if (endpoint.kind == fd_kind::unknown) know(endpoint);
  return endpoint.kind;
}

bool one_regular_file(fd_endpoint& from, fd_endpoint& to) noexcept {
  if (to.fresh && from.fd != to.fd) return false;
  if (know_kind(to) != fd_kind::regular_file || know_kind(from) != fd_kind::regular_file) return false;
  if (from.fd == to.fd) return true;
  const fd_facts a = know(from);
  const fd_facts b = know(to);
  return a.identified && b.identified && a.device == b.device && a.inode == b.inode;
}

bool refuses_same_file(const fd_endpoint& from, const fd_endpoint& to, std::uintmax_t max) noexcept {
  if (max <= from.buffered) return false;  // all that it wants has been read
  const auto source = extent_of(from.fd, from.offset);
  const auto target = extent_of(to.fd);
  if (!source || !target || max == unbounded) return true;
  const std::uintmax_t wanted = max - from.buffered;
  if (source->left() < wanted) return true;  // it wants what it would itself have to write first
  const std::uintmax_t start = appends(to.fd) ? target->size : target->offset;
  return start < source->offset + wanted && source->offset < start + to.buffered + max;
}

kernel_choice choose_kernel_paths(fd_kind from, fd_kind to, bool appends, kernel_policy policy) noexcept {
  using enum fd_kind;
  using enum copy_path;
  const auto read_and_write = [](std::string_view reason) { return kernel_choice{{}, 0, reason}; };

  if (policy == kernel_policy::never) return read_and_write("kernel paths are forbidden by the options");

  // Ends that no kernel path suits, whatever is on the other side.
  switch (from) {
    case regular_file:
    case pipe:
    case socket: break;
    case message_socket: return read_and_write("each message of the source has to stay whole");
    case terminal: return read_and_write("splicing a terminal would hold the other side's lock while nobody types");
    case character_device: return read_and_write("reading a device into one buffer beats a fresh page for each piece");
    case block_device: return read_and_write("a device gains nothing over read and write");
    default: return read_and_write("this kind of source has read(2) only");
  }
  switch (to) {
    case regular_file:
      if (appends)
        return read_and_write("the kernel moves nothing into a file in append mode but what write(2) gives it");
      break;
    case pipe:
    case socket:
    case character_device: break;
    case message_socket: return read_and_write("each write is a message, whose size is ours to choose");
    case terminal: return read_and_write("a terminal takes little at a time");
    case block_device: return read_and_write("a device gains nothing over read and write");
    default: return read_and_write("this kind of destination has write(2) only");
  }

  switch (from) {
    case regular_file:
      switch (to) {
        case regular_file:
          return {{clone, copy_file_range, sendfile}, 3, "shared blocks, else page cache to page cache in one call"};
        case socket: return {{sendfile}, 1, "the page cache is sent as it is, as web servers do"};
        case pipe:
          if (policy == kernel_policy::aliasing)
            return {{splice}, 1, "by reference: later writes to the file show in the pipe"};
          return read_and_write("spliced pages would change with the file while they wait in the pipe");
        default: return read_and_write("a device shares nothing with the page cache");
      }
    case pipe:
      switch (to) {
        case regular_file: return {{splice}, 1, "the pipe's pages become the file's"};
        case pipe: return {{splice}, 1, "the pages change pipes, uncopied"};
        case socket: return {{splice}, 1, "the pipe's pages are sent as they are"};
        default: return {{splice}, 1, "the pipe's pages are handed to the device"};
      }
    default:
      switch (to) {
        case regular_file: return {{splice}, 1, "through a private pipe"};
        case pipe:
          return {{splice}, 1, "through a private pipe, so that the destination's reader never waits for a lock"};
        case socket: return {{splice}, 1, "through a private pipe"};
        default: return read_and_write("a pipe between would be one step more than read and write");
      }
  }
}

examination examine(fd_endpoint& from, fd_endpoint& to, std::uintmax_t max, const copy_options& options) noexcept {
  examination found;
  max = std::min({max, from.max_bytes, to.max_bytes});
  if (one_regular_file(from, to) && refuses_same_file(from, to, max)) {
    found.same_file = true;
    found.choice.reason = "source and destination are the same file";
    return found;
  }
  const fd_kind from_kind = know_kind(from);
  to.kind = to.fresh ? fd_kind::regular_file : know_kind(to);
  found.choice = choose_kernel_paths(from_kind, to.kind, false, options.kernel);
  const bool wants_holes = options.sparse == sparse_policy::always;
  if (from_kind != fd_kind::regular_file || (found.choice.count == 0 && !wants_holes)) {
    if (to.kind == fd_kind::regular_file && found.choice.count != 0 && appends_now(to))
      found.choice = choose_kernel_paths(from_kind, to.kind, true, options.kernel);
    return found;
  }

  // The size comes first: of a small file nothing else is asked.
  const auto status = size_of(from.fd);
  if (!status || std::min(status->size, max) < small_file) {
    found.choice = {{}, 0, status ? small_reason : "the source does not tell its size"};
    return found;
  }
  const auto offset = from.offset ? from.offset : offset_of(from.fd);
  found.source_offset = offset.value_or(0);
  found.source_left = offset && *offset < status->size ? status->size - *offset : 0;
  if (found.source_left < small_file) {
    found.choice = {{}, 0, small_reason};
    return found;
  }
  if (to.kind == fd_kind::regular_file) {
    const bool to_appends = appends_now(to);
    if (to_appends) found.choice = choose_kernel_paths(from_kind, to.kind, true, options.kernel);
    found.both_regular = !to_appends;
  }
  if (found.both_regular && wants_holes)
    found.choice = {{}, 0, "zeros are to become holes, and only memory shows them"};
  // Asking where the holes are moves the offset of the descriptor, which is not ours to move where it is not used.
  const bool may_ask = !from.offset && options.sparse != sparse_policy::never;
  found.sparse = found.both_regular && may_ask && status->allocated < status->size;
  return found;
}

}  // namespace sluice::detail
