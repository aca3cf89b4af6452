// SPDX-License-Identifier: BSL-1.0
#include "sources.hpp"

namespace sluice::test {
namespace {

// Of a large file one round through memory leaves enough for a kernel path; of a stream as much as makes a flush worth
// while is followed by some more.
constexpr std::size_t file_size = 101'307;
constexpr std::size_t stream_size = 71'003;
constexpr std::size_t small_size = 9'001;
constexpr std::size_t user_size = 40'009;
constexpr std::size_t message_size = 3'000;
constexpr std::size_t read_ahead = 10;  // what is consumed of a buffered source before the copy
constexpr std::size_t left_out = 101;   // of a source with a limit

const std::string& whole() {
  static const std::string text = some_text(file_size);
  return text;
}

std::string_view text_of(std::size_t n) { return std::string_view(whole()).substr(0, n); }

// Data, a hole, data and a hole again.
const std::string& sparse_text() {
  static const std::string text = [] {
    std::string made = some_text(180'224, 5);
    std::fill(made.begin() + 8192, made.begin() + 65536, '\0');
    std::fill(made.begin() + 131072, made.end(), '\0');
    return made;
  }();
  return text;
}

const std::string& zeros() {
  static const std::string text(stream_size, '\0');
  return text;
}

handle make_sparse(const std::string& path) {
  const std::string& text = sparse_text();
  const handle made = new_file(path);
  bool right = ::pwrite(made.get(), text.data(), 8192, 0) == 8192;
  right = right && ::pwrite(made.get(), text.data() + 65536, 65536, 65536) == 65536;
  right = right && ::ftruncate(made.get(), static_cast<off_t>(text.size())) == 0;
  if (!right) throw std::runtime_error("sparse file");
  return handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

dev_t device_of(int fd) {
  struct stat status;
  ::fstat(fd, &status);
  return status.st_dev;
}

// Resets instead of waiting in TIME_WAIT: the sweep makes more connections than there are ports.
void close_at_once(int fd) {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace

result<std::size_t> plain_reader::read_some(std::span<std::byte> b) {
  const trace::fate fate = trace::current->user_call(touches::source);
  if (fate.error != 0) return fail(std::error_code(fate.error, std::system_category()));
  const std::size_t n = std::min({b.size(), data.size(), fate.limit});
  if (n != 0) std::memcpy(b.data(), data.data(), n);
  data.remove_prefix(n);
  return n;
}

result<std::size_t> plain_writer::write_some(std::span<const std::byte> b) {
  const trace::fate fate = trace::current->user_call(touches::target);
  if (fate.error != 0) return fail(std::error_code(fate.error, std::system_category()));
  const std::size_t n = std::min(b.size(), fate.limit);
  data.append(reinterpret_cast<const char*>(b.data()), n);
  return n;
}

source_set::source_set() {
  file_ = file_with(fast("from"), whole());
  small_ = file_with(fast("small"), text_of(small_size));
  other_ = file_with(other("other"), whole());
  memfd_ = memory_file(whole());
  sparse_ = make_sparse(fast("sparse"));
  zero_ = handle(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  other_file_system_ = device_of(file_.get()) != device_of(other_.get());
}

source::source(source_set& set, source_kind kind, source_wrap w) : kind_(kind) {
  const auto rewound = [](const handle& h) {
    ::lseek(h.get(), 0, SEEK_SET);
    return h.get();
  };
  const auto filled = [this](two_ends ends, std::size_t size, std::size_t piece) {
    expected_ = text_of(size);
    for (std::string_view left = expected_; !left.empty(); left.remove_prefix(std::min(left.size(), piece)))
      write_text(ends.writer.get(), left.substr(0, piece));
    own_ = std::move(ends.reader);
    return own_.get();
  };
  expected_ = whole();
  switch (kind) {
    case source_kind::file: fd_ = rewound(set.file_); break;
    case source_kind::opened_file:
      file_.emplace(or_throw(file::open(set.fast("from"))));
      fd_ = file_->stream.kernel_endpoint()->fd;
      wrap(file_, w);
      return;
    case source_kind::small_file:
      fd_ = rewound(set.small_);
      expected_ = text_of(small_size);
      break;
    case source_kind::other_file: fd_ = rewound(set.other_); break;
    case source_kind::memfd: fd_ = rewound(set.memfd_); break;
    case source_kind::sparse_file:
      fd_ = rewound(set.sparse_);
      expected_ = sparse_text();
      break;
    case source_kind::pipe: fd_ = filled(make_pipe_ends(128 << 10), stream_size, stream_size); break;
    case source_kind::tcp: {
      two_ends ends = make_tcp_pair();
      close_at_once(ends.reader.get());
      make_roomy(ends.writer.get());
      fd_ = filled(std::move(ends), stream_size, stream_size);
      break;
    }
    case source_kind::unix_stream: fd_ = filled(make_socket_pair(), stream_size, stream_size); break;
    case source_kind::seqpacket: fd_ = filled(make_socket_pair(SOCK_SEQPACKET), 8 * message_size, message_size); break;
    case source_kind::zero:
      fd_ = set.zero_.get();
      expected_ = zeros();
      break;
    case source_kind::span:
      expected_ = text_of(user_size);
      span_.emplace(span_reader(expected_));
      wrap(span_, w);
      return;
    case source_kind::user:
      expected_ = text_of(user_size);
      user_.emplace(plain_reader{expected_});
      wrap(user_, w);
      return;
  }
  descriptor_.emplace(fd_ref(fd_));
  wrap(descriptor_, w);
}

template <class S>
void source::wrap(std::optional<wrapped_source<S>>& streams, source_wrap w) {
  wrapped_source<S>& s = *streams;
  if ((w == source_wrap::buffered || w == source_wrap::erased) && !buffered_reader<S>) {
    std::array<std::byte, read_ahead> first;
    if (s.buffered.emplace(s.stream, 4096).read_some(first) != read_ahead) throw std::runtime_error("read ahead");
    expected_.remove_prefix(read_ahead);
  }
  if (kind_ == source_kind::zero) {
    limit_ = expected_.size();
    if (s.buffered)
      stream_.emplace(s.limited_buffered.emplace(*s.buffered, limit_));
    else
      stream_.emplace(s.limited.emplace(s.stream, limit_));
    return;
  }
  stream_.emplace(s.stream);
  switch (w) {
    case source_wrap::none: break;
    case source_wrap::buffered:
      if (s.buffered) stream_.emplace(*s.buffered);
      break;
    case source_wrap::erased:
      if (s.buffered)
        stream_.emplace(s.erased.emplace(*s.buffered));
      else
        stream_.emplace(s.erased.emplace(s.stream));
      break;
    case source_wrap::limited:
      // A message is taken as a whole: of one that is cut by a limit the rest would be lost.
      if (kind_ != source_kind::seqpacket) expected_.remove_suffix(left_out);
      limit_ = expected_.size();
      stream_.emplace(s.limited.emplace(s.stream, limit_));
      break;
    case source_wrap::counted: stream_.emplace(s.counted.emplace(s.stream)); break;
    case source_wrap::own:
      if constexpr (kernel_reader<S>) stream_.emplace(s.own.emplace(s.stream));
      break;
  }
}

std::string source::rest() {
  std::string all;
  std::array<std::byte, 65536> piece;
  for (;;) {
    const auto n = stream_->read_some(piece);
    if (!n || *n == 0) return all;
    all.append(reinterpret_cast<const char*>(piece.data()), *n);
  }
}

any_reader* source::erased() {
  const auto of = [](auto& streams) { return streams && streams->erased ? &*streams->erased : nullptr; };
  if (file_) return of(file_);
  if (span_) return of(span_);
  if (user_) return of(user_);
  return of(descriptor_);
}

std::optional<std::uintmax_t> source::taken() const {
  const auto of = [this](const auto& streams) -> std::optional<std::uintmax_t> {
    if (!streams) return std::nullopt;
    if (streams->limited_buffered) return limit_ - streams->limited_buffered->remaining();
    if (streams->limited) return limit_ - streams->limited->remaining();
    if (streams->counted) return streams->counted->count();
    if (streams->own) return streams->own->count;
    return std::nullopt;
  };
  if (file_) return of(file_);
  if (span_) return of(span_);
  if (user_) return of(user_);
  return of(descriptor_);
}

}  // namespace sluice::test
