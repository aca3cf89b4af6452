// SPDX-License-Identifier: BSL-1.0
//
// The destinations of the sweep: each has room for everything, and can be looked at in the middle of a copy.
//
//   target_set targets(sources);                         // the descriptors, made once and emptied for each copy
//   target t(targets, kind, wrap);
//   t.stream(), t.fd(), t.begins_with()
//   t.arrived(delivered)                                 // what the descriptor has been given, if that can be seen
//   t.pending()                                          // what the wrapper still holds
//
#ifndef SLUICE_TEST_SWEEP_TARGETS_HPP
#define SLUICE_TEST_SWEEP_TARGETS_HPP

#include "sources.hpp"

namespace sluice::test {

constexpr bool can_wait(target_kind k) {
  return k == target_kind::pipe || k == target_kind::tcp || k == target_kind::unix_stream ||
         k == target_kind::seqpacket;
}

class target_set {
 public:
  explicit target_set(const source_set& folders);

  bool has(target_kind k) const { return k != target_kind::other_file || folders_.has_other_file_system(); }

  /// Makes a pipe or a socket anew, after something has gone wrong with its bytes.
  void renew(target_kind k);

 private:
  friend class target;

  two_ends& ends(target_kind k) { return ends_.at(static_cast<std::size_t>(k)); }

  const source_set& folders_;
  std::array<two_ends, target_names.size()> ends_;  // of files only the writer
};

template <class S>
struct wrapped_target {
  S stream;
  std::optional<buf_writer<S&>> buffered = {};
  std::optional<own_wrapper<S>> own = {};
  std::optional<any_writer> erased = {};
};

class target {
 public:
  target(target_set& set, target_kind kind, target_wrap wrap);
  target(const target&) = delete;
  target& operator=(const target&) = delete;
  ~target();

  writer_ref stream() const { return *stream_; }
  int fd() const { return fd_; }

  /// What comes before the bytes of the copy: a header that a buffered writer held when the copy began.
  std::string_view header() const { return header_; }

  /// What the destination has been given, `delivered` bytes by the count of the calls; nothing where that cannot be
  /// seen.
  std::optional<std::string_view> arrived(std::size_t delivered);

  /// What a buffer in between holds.
  std::string_view pending();

  /// The erased handle, where there is one: copy sees through it, if it is given that itself.
  any_writer* erased();

  /// How much has gone past, where the wrapper keeps count.
  std::optional<std::uintmax_t> given() const;

 private:
  template <class S>
  void wrap(std::optional<wrapped_target<S>>& streams, target_wrap w);

  target_set& set_;
  target_kind kind_;
  int fd_ = -1;
  std::string_view header_;
  std::string received_;

  std::optional<wrapped_target<fd_ref>> descriptor_;
  std::optional<wrapped_target<file>> file_;
  std::optional<wrapped_target<string_writer>> string_;
  std::optional<wrapped_target<plain_writer>> user_;
  std::optional<writer_ref> stream_;
};

}  // namespace sluice::test

#endif
