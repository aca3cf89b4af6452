// SPDX-License-Identifier: BSL-1.0
#include "targets.hpp"

#include <netinet/tcp.h>

namespace sluice::test {
namespace {

constexpr std::string_view buffered_header = "header";
constexpr std::size_t buffer_size = 8192;

handle readable_file(const std::string& path, int flags = 0) { return new_file(path, O_RDWR | flags); }

bool is_file(target_kind k) {
  return k == target_kind::file || k == target_kind::created_file || k == target_kind::other_file ||
         k == target_kind::append || k == target_kind::memfd;
}

// Reads until there are `size` bytes, and then what comes without waiting: nothing, if all is well.
void receive(int fd, std::string& text, std::size_t size) {
  static std::array<char, 1 << 18> piece;
  for (;;) {
    pollfd one{.fd = fd, .events = POLLIN, .revents = 0};
    if (text.size() >= size || ::poll(&one, 1, 10'000) != 1) break;
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(n));
  }
  for (;;) {
    pollfd one{.fd = fd, .events = POLLIN, .revents = 0};
    if (::poll(&one, 1, 0) != 1) break;
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

target_set::target_set(const source_set& folders) : folders_(folders) {
  ends(target_kind::file).writer = readable_file(folders.fast("to"));
  ends(target_kind::other_file).writer = readable_file(folders.other("to"));
  ends(target_kind::append).writer = readable_file(folders.fast("appended"), O_APPEND);
  ends(target_kind::memfd).writer = memory_file();
  ends(target_kind::null).writer = handle(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  for (const target_kind k : {target_kind::pipe, target_kind::tcp, target_kind::unix_stream, target_kind::seqpacket})
    renew(k);
}

void target_set::renew(target_kind k) {
  switch (k) {
    case target_kind::pipe: ends(k) = make_pipe_ends(1 << 20); break;
    case target_kind::tcp: {
      ends(k) = make_tcp_pair();
      make_roomy(ends(k).writer.get());
      const int on = 1;
      ::setsockopt(ends(k).writer.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      break;
    }
    case target_kind::unix_stream: ends(k) = make_socket_pair(); break;
    case target_kind::seqpacket: ends(k) = make_socket_pair(SOCK_SEQPACKET); break;
    default: break;
  }
}

target::target(target_set& set, target_kind kind, target_wrap w) : set_(set), kind_(kind) {
  switch (kind) {
    case target_kind::created_file: {
      const std::string path = set.folders_.fast("created");
      ::unlink(path.c_str());
      file_.emplace(or_throw(file::create(path)));
      fd_ = file_->stream.kernel_endpoint()->fd;
      set.ends(kind).writer = handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
      wrap(file_, w);
      return;
    }
    case target_kind::string:
      string_.emplace(string_writer());
      wrap(string_, w);
      return;
    case target_kind::user:
      user_.emplace(plain_writer());
      wrap(user_, w);
      return;
    default: break;
  }
  fd_ = set.ends(kind).writer.get();
  if (is_file(kind)) {
    ::lseek(fd_, 0, SEEK_SET);
    if (::ftruncate(fd_, 0) != 0) throw std::runtime_error("ftruncate");
  }
  descriptor_.emplace(fd_ref(fd_));
  wrap(descriptor_, w);
}

template <class S>
void target::wrap(std::optional<wrapped_target<S>>& streams, target_wrap w) {
  wrapped_target<S>& s = *streams;
  if ((w == target_wrap::buffered || w == target_wrap::erased_buffered) && !buffered_writer<S>) {
    header_ = buffered_header;
    if (s.buffered.emplace(s.stream, buffer_size).write_some(as_bytes(header_)) != header_.size())
      throw std::runtime_error("header");
  }
  stream_.emplace(s.stream);
  switch (w) {
    case target_wrap::none: break;
    case target_wrap::buffered:
      if (s.buffered) stream_.emplace(*s.buffered);
      break;
    case target_wrap::erased: stream_.emplace(s.erased.emplace(s.stream)); break;
    case target_wrap::erased_buffered:
      if (s.buffered) stream_.emplace(s.erased.emplace(*s.buffered));
      break;
    case target_wrap::own:
      if constexpr (kernel_writer<S>) stream_.emplace(s.own.emplace(s.stream));
      break;
  }
}

target::~target() {
  // What a failed test has left is not to be flushed into the descriptor of the next one.
  const auto drop = [](auto& streams) {
    if (!streams) return;
    streams->erased.reset();
    if (streams->buffered) static_cast<void>(std::move(*streams->buffered).into_inner());
  };
  drop(descriptor_);
  drop(file_);
  drop(user_);
}

std::optional<std::string_view> target::arrived(std::size_t delivered) {
  if (kind_ == target_kind::null) return std::nullopt;
  if (string_) return string_->stream.str();
  if (user_) return user_->stream.data;
  if (!is_file(kind_)) {
    receive(set_.ends(kind_).reader.get(), received_, delivered);
    return received_;
  }
  const int fd = set_.ends(kind_).writer.get();
  struct stat status;
  if (::fstat(fd, &status) != 0) throw std::runtime_error("fstat");
  received_.resize(static_cast<std::size_t>(status.st_size));
  const ssize_t n = ::pread(fd, received_.data(), received_.size(), 0);
  if (n != status.st_size) throw std::runtime_error("pread");
  return received_;
}

any_writer* target::erased() {
  const auto of = [](auto& streams) { return streams && streams->erased ? &*streams->erased : nullptr; };
  if (file_) return of(file_);
  if (string_) return of(string_);
  if (user_) return of(user_);
  return of(descriptor_);
}

std::string_view target::pending() {
  if (any_writer* const handle = erased()) handle->sync();
  const auto of = [](const auto& streams) -> std::string_view {
    if (!streams || !streams->buffered) return {};
    const auto held = streams->buffered->pending();
    return {reinterpret_cast<const char*>(held.data()), held.size()};
  };
  if (file_) return of(file_);
  if (user_) return of(user_);
  return of(descriptor_);
}

std::optional<std::uintmax_t> target::given() const {
  if (file_ && file_->own) return file_->own->count;
  if (descriptor_ && descriptor_->own) return descriptor_->own->count;
  return std::nullopt;
}

}  // namespace sluice::test
