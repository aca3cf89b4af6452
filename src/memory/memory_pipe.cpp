// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/memory_pipe.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace sluice {

namespace detail {

class memory_channel {
 public:
  explicit memory_channel(std::size_t capacity) : ring_(std::max<std::size_t>(capacity, 1)) {}

  result<std::size_t> read_some(std::span<std::byte> b, const wait_options& wait) {
    std::unique_lock lock(mutex_);
    if (const auto code = wait_until(lock, wait, [this] { return size_ != 0 || writer_closed_; })) return fail(code);
    if (size_ == 0) {
      if (writer_error_) return fail(writer_error_);
      return std::size_t{0};
    }
    const std::size_t n = std::min(b.size(), size_);
    const std::size_t before_border = std::min(n, ring_.size() - begin_);
    std::memcpy(b.data(), ring_.data() + begin_, before_border);
    std::memcpy(b.data() + before_border, ring_.data(), n - before_border);
    begin_ = (begin_ + n) % ring_.size();
    size_ -= n;
    changed_.notify_all();
    return n;
  }

  result<std::size_t> write_some(std::span<const std::byte> b, const wait_options& wait) {
    std::unique_lock lock(mutex_);
    if (const auto code = wait_until(lock, wait, [this] { return size_ != ring_.size() || reader_closed_; }))
      return fail(code);
    if (reader_closed_) return fail(std::make_error_code(std::errc::broken_pipe));
    const std::size_t n = std::min(b.size(), ring_.size() - size_);
    const std::size_t end = (begin_ + size_) % ring_.size();
    const std::size_t before_border = std::min(n, ring_.size() - end);
    std::memcpy(ring_.data() + end, b.data(), before_border);
    std::memcpy(ring_.data(), b.data() + before_border, n - before_border);
    size_ += n;
    changed_.notify_all();
    return n;
  }

  void close_reader() noexcept {
    const std::scoped_lock lock(mutex_);
    reader_closed_ = true;
    changed_.notify_all();
  }

  void close_writer(std::error_code code) noexcept {
    const std::scoped_lock lock(mutex_);
    writer_closed_ = true;
    writer_error_ = code;
    changed_.notify_all();
  }

 private:
  template <class Ready>
  std::error_code wait_until(std::unique_lock<std::mutex>& lock, const wait_options& wait, Ready ready) {
    if (ready()) return {};
    if (wait.on_would_block == would_block::fail) return std::make_error_code(std::errc::operation_would_block);
    const bool good = wait.deadline == no_deadline ? changed_.wait(lock, wait.stop, ready)
                                                   : changed_.wait_until(lock, wait.stop, wait.deadline, ready);
    if (good) return {};
    if (wait.stop.stop_requested()) return make_error_code(io_errc::cancelled);
    return std::make_error_code(std::errc::timed_out);
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<std::byte> ring_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
  bool reader_closed_ = false;
  bool writer_closed_ = false;
  std::error_code writer_error_;  // instead of the end
};

}  // namespace detail

namespace {

std::unexpected<std::error_code> closed() { return fail(std::make_error_code(std::errc::bad_file_descriptor)); }

}  // namespace

memory_pipe make_memory_pipe(std::size_t capacity, memory_pipe_options options) {
  const auto channel = std::make_shared<detail::memory_channel>(capacity);
  return {memory_pipe_reader(channel, std::move(options.reader)),
          memory_pipe_writer(channel, std::move(options.writer))};
}

memory_pipe_reader::memory_pipe_reader(std::shared_ptr<detail::memory_channel> channel, wait_options wait) noexcept
    : channel_(std::move(channel)), wait_(std::move(wait)) {}

memory_pipe_reader::memory_pipe_reader(memory_pipe_reader&&) noexcept = default;

memory_pipe_reader& memory_pipe_reader::operator=(memory_pipe_reader&& other) noexcept {
  std::swap(channel_, other.channel_);
  std::swap(wait_, other.wait_);
  if (this != &other) other.close();
  return *this;
}

memory_pipe_reader::~memory_pipe_reader() { close(); }

result<std::size_t> memory_pipe_reader::read_some(std::span<std::byte> b) {
  if (b.empty()) return std::size_t{0};
  if (!channel_) return closed();
  return channel_->read_some(b, wait_);
}

void memory_pipe_reader::close() noexcept {
  if (channel_) std::exchange(channel_, nullptr)->close_reader();
}

memory_pipe_writer::memory_pipe_writer(std::shared_ptr<detail::memory_channel> channel, wait_options wait) noexcept
    : channel_(std::move(channel)), wait_(std::move(wait)) {}

memory_pipe_writer::memory_pipe_writer(memory_pipe_writer&&) noexcept = default;

memory_pipe_writer& memory_pipe_writer::operator=(memory_pipe_writer&& other) noexcept {
  std::swap(channel_, other.channel_);
  std::swap(wait_, other.wait_);
  if (this != &other) other.close_with({});
  return *this;
}

memory_pipe_writer::~memory_pipe_writer() { close_with({}); }

result<std::size_t> memory_pipe_writer::write_some(std::span<const std::byte> b) {
  if (b.empty()) return std::size_t{0};
  if (!channel_) return closed();
  return channel_->write_some(b, wait_);
}

result<void> memory_pipe_writer::close() noexcept {
  close_with({});
  return {};
}

void memory_pipe_writer::close_with(std::error_code code) noexcept {
  if (channel_) std::exchange(channel_, nullptr)->close_writer(code);
}

}  // namespace sluice
