// SPDX-License-Identifier: BSL-1.0
#include "progress.hpp"

#include <sluice/copy.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/system/standard_streams.hpp>

#include "process.hpp"
#include "text.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <utility>

namespace sluice::tool {

namespace {

double seconds_of(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::string rate_text(double rate) { return human_size(rate) + "/s"; }

std::string percent_text(double fraction) { return std::to_string(static_cast<int>(fraction * 100)) + " %"; }

void write_error(std::string_view text) { (void)copy(span_reader(text), standard_error()); }

/// The columns of the terminal; 80 where it doesn't tell.
std::size_t columns() noexcept {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

progress::progress(std::optional<std::uintmax_t> total, std::optional<std::chrono::milliseconds> interval)
    : total_(total == 0 ? std::nullopt : total),
      terminal_(::isatty(STDERR_FILENO) == 1),
      interval_(interval.value_or(std::chrono::milliseconds(terminal_ ? 200 : 1000))) {
  try {
    thread_ = std::thread(&progress::run, this);
  } catch (const std::system_error&) {
    // No thread to be had: the copy is worth more, and the last line still comes.
  }
}

progress::~progress() { finish(0, false); }

void progress::finish(std::uintmax_t bytes, bool complete) {
  stop();
  if (drawn_ != 0) write_error("\r" + std::string(std::exchange(drawn_, 0), ' ') + "\r");
  if (!complete) return;
  const std::chrono::nanoseconds time = clock::now() - start_;
  const double rate = static_cast<double>(bytes) / std::max(seconds_of(time), 1e-9);
  say(byte_count(bytes) + " copied in " + human_time(time) + ", " + rate_text(rate));
}

void progress::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void progress::run() {
  std::unique_lock lock(mutex_);
  auto next = start_ + interval_;
  while (!wake_.wait_until(lock, next, [this] { return finished_; })) {
    lock.unlock();
    show();
    // Late ones are left out, not made up for.
    next = std::max(next + interval_, clock::now());
    lock.lock();
  }
}

void progress::show() {
  const clock::time_point now = clock::now();
  const std::uintmax_t bytes = bytes_.load(std::memory_order_relaxed);
  const double passed = std::max(seconds_of(now - last_time_), 1e-9);
  const double rate = static_cast<double>(bytes - std::min(bytes, last_bytes_)) / passed;
  last_time_ = now;
  last_bytes_ = bytes;
  if (!terminal_) return say(line(bytes, rate));
  // Blanks wipe out what is left of a longer one; not every terminal knows an escape for that.
  std::string text = bar(bytes, rate);
  const std::size_t length = std::exchange(drawn_, text.size());
  if (length > text.size()) text.resize(length, ' ');
  write_error("\r" + text);
}

/// How much of the total has arrived, at most 1: files grow.
std::optional<double> progress::fraction(std::uintmax_t bytes) const {
  if (!total_) return std::nullopt;
  return std::min(1.0, static_cast<double>(bytes) / static_cast<double>(*total_));
}

std::string progress::line(std::uintmax_t bytes, double rate) const {
  std::string text = byte_count(bytes);
  if (const std::optional<double> done = fraction(bytes)) text += ", " + percent_text(*done);
  return text + ", " + rate_text(rate);
}

std::string progress::bar(std::uintmax_t bytes, double rate) const {
  std::string numbers = human_size(static_cast<double>(bytes));
  const std::optional<double> done = fraction(bytes);
  if (done) numbers = percent_text(*done) + "  " + numbers;
  numbers += "  " + rate_text(rate);

  // The last column stays free: some terminals wrap as soon as it is filled.
  const std::size_t width = columns() - 1;
  if (numbers.size() > width) numbers.resize(width);
  const std::size_t free = width - numbers.size();
  if (!done || free < 12) return numbers;
  const std::size_t length = std::min<std::size_t>(free - 3, 50);
  const auto full = static_cast<std::size_t>(*done * static_cast<double>(length));
  return "[" + std::string(full, '#') + std::string(length - full, '.') + "] " + numbers;
}

}  // namespace sluice::tool
