// SPDX-License-Identifier: BSL-1.0
//
// The streams that check_reader and check_writer put below a wrapper under test.
//
//   class inner_reader, vectored_inner_reader;
//   class inner_writer, vectored_inner_writer;
//
// They are handles: a wrapper may keep one by value or by reference. What they read from or write to, and the faults,
// are the check's.
//
#ifndef SLUICE_TESTING_INNER_STREAMS_HPP
#define SLUICE_TESTING_INNER_STREAMS_HPP

#include <sluice/buffer.hpp>
#include <sluice/testing/faults.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sluice {

namespace detail {

/// What an inner reader delivers, and how.
class inner_source {
 public:
  inner_source(std::span<const std::byte> data, faults what) : data_(data), plan_(std::move(what)) {}

  result<std::size_t> read(std::span<const mutable_buffer> pieces);
  const fault_plan& plan() const noexcept { return plan_; }

 private:
  std::span<const std::byte> data_;  // what is left
  fault_plan plan_;
};

/// What an inner writer has accepted.
class inner_sink {
 public:
  explicit inner_sink(faults what) : plan_(std::move(what)) {}

  /// Errors: the faults'; `timed_out` after so many answers of 0 that the caller must be in an endless loop.
  result<std::size_t> write(std::span<const const_buffer> pieces);
  const fault_plan& plan() const noexcept { return plan_; }
  const std::vector<std::byte>& data() const noexcept { return data_; }
  bool gave_up() const noexcept { return zeros_ > patience; }

 private:
  static constexpr std::size_t patience = 1000;

  std::vector<std::byte> data_;
  fault_plan plan_;
  std::size_t zeros_ = 0;
};

}  // namespace detail

/// A reader and nothing more.
class inner_reader {
 public:
  /// For the check, which has the source.
  explicit inner_reader(detail::inner_source& source) noexcept : source_(&source) {}

  result<std::size_t> read_some(std::span<std::byte> b) {
    const mutable_buffer piece(b);
    return source_->read({&piece, 1});
  }

 protected:
  detail::inner_source* source_;  ///< the check's own
};

/// The same with vectored calls.
class vectored_inner_reader : public inner_reader {
 public:
  /// As for a plain one.
  using inner_reader::inner_reader;
  using inner_reader::read_some;
  result<std::size_t> read_some(std::span<const mutable_buffer> pieces) { return source_->read(pieces); }
};

/// A writer and nothing more.
class inner_writer {
 public:
  /// For the check, which has the sink.
  explicit inner_writer(detail::inner_sink& sink) noexcept : sink_(&sink) {}

  result<std::size_t> write_some(std::span<const std::byte> b) {
    const const_buffer piece(b);
    return sink_->write({&piece, 1});
  }

 protected:
  detail::inner_sink* sink_;  ///< the check's own
};

/// The same with vectored calls.
class vectored_inner_writer : public inner_writer {
 public:
  /// As for a plain one.
  using inner_writer::inner_writer;
  using inner_writer::write_some;
  result<std::size_t> write_some(std::span<const const_buffer> pieces) { return sink_->write(pieces); }
};

}  // namespace sluice

#endif
