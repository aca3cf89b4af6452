// SPDX-License-Identifier: BSL-1.0
#include "selector.hpp"

#include "../system/linux/facts.hpp"
#include "kernel_paths.hpp"

#include <algorithm>

namespace sluice::detail {
namespace {

bool follows_offset(fd_kind kind, bool appends) noexcept { return kind == fd_kind::regular_file && !appends; }

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
  const auto source = extent_of(from.fd);
  const auto target = extent_of(to.fd);
  if (!source || !target || max == unbounded) return true;
  const std::uintmax_t start = appends(to.fd) ? target->size : target->offset;
  const std::uintmax_t length = std::min(max, source->left());
  if (length < max) return true;  // it wants what it would itself have to write first
  return start < source->offset + length && source->offset < start + length;
}

kernel_choice choose_kernel_paths(fd_kind from, fd_kind to, bool appends, kernel_policy policy) noexcept {
  using enum fd_kind;
  using enum copy_path;
  if (policy == kernel_policy::never) return {{}, 0, "kernel paths are forbidden by the options"};

  switch (from) {
    case regular_file:
      switch (to) {
        case regular_file:
          if (appends) return {{}, 0, "the kernel refuses to move bytes into a file in append mode"};
          return {{clone, copy_file_range, sendfile}, 3, "file to file: shared blocks, or page cache to page cache"};
        case socket: return {{sendfile}, 1, "file to socket: the page cache is sent as it is"};
        case pipe:
          if (policy == kernel_policy::aliasing)
            return {{splice}, 1, "file to pipe, by reference: later writes to the file show in the pipe"};
          return {{}, 0, "file to pipe: spliced pages would change with the file"};
        default: return {{}, 0, "file to device: read and write"};
      }
    case pipe:
      switch (to) {
        case regular_file:
          if (appends) return {{}, 0, "the kernel refuses to move bytes into a file in append mode"};
          return {{splice}, 1, "pipe to file: the pages are moved"};
        case pipe: return {{splice}, 1, "pipe to pipe: the pages are moved"};
        case socket: return {{splice}, 1, "pipe to socket: the pages are sent as they are"};
        case character_device: return {{splice}, 1, "pipe to device: the pages are handed over"};
        default: return {{}, 0, "pipe to terminal or message socket: read and write"};
      }
    case socket:
      switch (to) {
        case regular_file:
          if (appends) return {{}, 0, "the kernel refuses to move bytes into a file in append mode"};
          return {{splice}, 1, "socket to file: through a private pipe"};
        case pipe: return {{splice}, 1, "socket to pipe: through a private pipe, which shares no lock with its reader"};
        case socket: return {{splice}, 1, "socket to socket: through a private pipe"};
        default: return {{}, 0, "socket to device: read and write"};
      }
    case message_socket: return {{}, 0, "a message socket: read and write keep each message whole"};
    case terminal: return {{}, 0, "a terminal: splicing it would hold the other side's lock"};
    case character_device: return {{}, 0, "a device: reading it is faster than a page for each pipe slot"};
    default: return {{}, 0, "this kind of descriptor has read and write only"};
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
  const fd_kind to_kind = to.fresh ? fd_kind::regular_file : know_kind(to);
  to.kind = to_kind;
  const bool to_appends = to_kind == fd_kind::regular_file && !to.fresh && appends(to.fd);
  found.choice = choose_kernel_paths(from_kind, to_kind, to_appends, options.kernel);

  if (from_kind != fd_kind::regular_file) return found;
  if (found.choice.count == 0 && options.sparse != sparse_policy::always) return found;
  const auto extent = extent_of(from.fd);
  if (!extent) {
    found.choice = {{}, 0, "the source does not tell its size"};
    return found;
  }
  found.source_left = extent->left();
  found.both_regular = follows_offset(to_kind, to_appends);
  if (std::min(found.source_left, max) < small_file) {
    found.choice = {{}, 0, "the source is small: one read and one write"};
    return found;
  }
  found.sparse = found.both_regular && options.sparse != sparse_policy::never && extent->allocated < extent->size;
  return found;
}

}  // namespace sluice::detail
