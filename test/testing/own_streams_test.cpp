// SPDX-License-Identifier: BSL-1.0
//
// The library's own streams, put through the kit: one line for each.
//
#include <sluice/sluice.hpp>
#include <sluice/testing/check_reader.hpp>
#include <sluice/testing/check_writer.hpp>
#include <sluice/testing/faulty_stream.hpp>
#include <sluice/testing/sample_bytes.hpp>

#include "adaptor/fake_clock.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

using namespace sluice;
using sluice::test::temporary_folder;

namespace {

const std::vector<std::byte> sample = sample_bytes(sluice::test::sanitized ? 131 : 307);
const std::span<const std::byte> first_100 = std::span(sample).first(100);

std::string sample_text() { return {reinterpret_cast<const char*>(sample.data()), sample.size()}; }

void conforms(const contract_report& report) {
  EXPECT_TRUE(report) << report;
  EXPECT_TRUE(report.warnings().empty()) << report;
  EXPECT_GT(report.trials(), 50U);
}

// A reader by itself, that of a function without arguments, or a wrapper, that of one with the inner reader.
template <class Make>
void reads(Make make, std::span<const std::byte> expected = sample) {
  conforms(check_reader(make, expected, {.input = sample}));
}

template <class Make, class... Observe>
void writes(Make make, Observe... observe) {
  conforms(check_writer(make, observe..., {.input = sample}));
}

struct sample_file {
  temporary_folder folder;
  std::string path = folder / "sample";
  sample_file() { folder.write("sample", sample_text()); }
  file open() const { return or_throw(file::open(path)); }
};

pipe_reader full_pipe() {
  pipe_ends pipe = or_throw(make_pipe());
  or_throw(write_all(pipe.writer, sample));
  return std::move(pipe.reader);
}

sluice::socket full_socket() {
  auto [here, there] = or_throw(sluice::socket::pair());
  or_throw(write_all(there, sample));
  return std::move(here);
}

std::vector<std::byte> content_of(const std::string& path) {
  std::vector<std::byte> bytes(4096);
  file in = or_throw(file::open(path));
  bytes.resize(or_throw(read(in, bytes)));
  return bytes;
}

struct ignore {
  void operator()(std::span<const std::byte>) const {}
};

struct sum {
  unsigned value_ = 0;
  void update(std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) value_ += std::to_integer<unsigned>(b);
  }
  unsigned value() const { return value_; }
};

template <class S>
auto throttled(S&& s) {
  return throttle_stream(std::forward<S>(s), 5000, 10, support::fake_clock::start());
}

// Reads ahead, and gives back what it has not delivered.
struct synced_reader {
  buf_reader<file> inner;

  result<std::size_t> read_some(std::span<std::byte> b) {
    const auto n = inner.read_some(b);
    or_throw(inner.sync());
    return n;
  }
};

// The other end of a pipe or socket, without waiting for what is not there.
template <class R>
struct far_end {
  R reader;
  std::vector<std::byte> arrived;

  const std::vector<std::byte>& take() {
    std::byte some[1024];
    while (const auto n = reader.read_some(some).value_or(0)) arrived.insert(arrived.end(), some, some + n);
    return arrived;
  }
};

}  // namespace

TEST(own_readers, span_reader) {
  reads([] { return span_reader(sample); });
}
TEST(own_readers, empty_reader) {
  conforms(check_reader([] { return empty_reader(); }, {}));
}
TEST(own_readers, repeat_reader) {
  reads([] { return limit(repeat_reader(sample), 100); }, first_100);
}

TEST(own_readers, buf_reader_of_1) {
  reads([](auto& in) { return buf_reader(in, 1); });
}
TEST(own_readers, buf_reader_of_7) {
  reads([](auto& in) { return buf_reader(in, 7); });
}
TEST(own_readers, buf_reader_of_64) {
  reads([](auto& in) { return buf_reader(in, 64); });
}
TEST(own_readers, buf_reader_of_the_size) {
  reads([](auto& in) { return buf_reader(in, sample.size()); });
}
TEST(own_readers, buf_reader_of_a_page) {
  reads([](auto& in) { return buf_reader(in, 4096); });
}
TEST(own_readers, buf_reader_that_grows) {
  reads([](auto& in) { return buf_reader(in, buffer_capacity{.initial = 5, .maximum = 100}); });
}
TEST(own_readers, buf_reader_twice) {
  reads([](auto& in) { return buf_reader(buf_reader(in, 16), 5); });
}
TEST(own_readers, buf_reader_of_memory) {
  reads([] { return buf_reader(span_reader(sample), 16); });
}

TEST(own_readers, limit) {
  reads([](auto& in) { return limit(in, 100); }, first_100);
}
TEST(own_readers, limit_beyond_the_end) {
  reads([](auto& in) { return limit(in, 1000); });
}
TEST(own_readers, limit_of_buffered) {
  reads([](auto& in) { return limit(buf_reader(in, 16), 100); }, first_100);
}
TEST(own_readers, limit_of_memory) {
  reads([] { return limit(span_reader(sample), 100); }, first_100);
}
TEST(own_readers, counted) {
  reads([](auto& in) { return counted(in); });
}
TEST(own_readers, counted_of_buffered) {
  reads([](auto& in) { return counted(buf_reader(in, 16)); });
}
TEST(own_readers, counted_of_memory) {
  reads([] { return counted(span_reader(sample)); });
}

TEST(own_readers, chain) {
  reads([](auto& in) { return chain(limit(in, 100), in); });
}
TEST(own_readers, chain_of_buffered) {
  reads([] { return chain(buf_reader(span_reader(first_100), 16), span_reader(std::span(sample).subspan(100))); });
}
TEST(own_readers, chain_of_files) {
  const sample_file on_disk;
  std::vector<std::byte> twice = sample;
  twice.insert(twice.end(), sample.begin(), sample.end());
  reads([&] { return chain(on_disk.open(), on_disk.open() | buffered(16)); }, twice);
}
TEST(own_readers, tee) {
  reads([](auto& in) { return tee(in, null_writer()); });
}
TEST(own_readers, tee_to_a_slow_writer) {
  reads([](auto& in) { return tee(in, bytes_writer() | partial_writes(3)); });
}
TEST(own_readers, progress) {
  reads([](auto& in) { return progress(in, [](const progress_state&) {}); });
}
TEST(own_readers, progress_of_a_buffered_file) {
  const sample_file on_disk;
  reads([&] { return on_disk.open() | buffered(16) | progress([](const progress_state&) {}); });
}
TEST(own_readers, throttle) {
  reads([](auto& in) { return throttled(in); });
}
TEST(own_readers, throttle_of_buffered) {
  reads([](auto& in) { return throttled(buf_reader(in, 16)); });
}
TEST(own_readers, throttle_of_a_file) {
  const sample_file on_disk;
  reads([&] { return throttled(on_disk.open()); });
}
TEST(own_readers, inspect) {
  reads([](auto& in) { return inspect(in, ignore{}); });
}
TEST(own_readers, inspect_of_memory) {
  reads([] { return inspect(span_reader(sample), ignore{}); });
}
TEST(own_readers, digest) {
  reads([](auto& in) { return digest(in, sum{}); });
}
TEST(own_readers, digest_of_buffered) {
  reads([](auto& in) { return digest(buf_reader(in, 16), sum{}); });
}

TEST(own_readers, any_reader) {
  reads([](auto& in) { return any_reader(in, 16); });
}
TEST(own_readers, any_reader_of_memory) {
  reads([] { return any_reader(span_reader(sample)); });
}
TEST(own_readers, reader_ref) {
  reads([](auto& in) { return reader_ref(in); });
}

TEST(own_readers, file) {
  const sample_file on_disk;
  reads([&] { return on_disk.open(); });
}
TEST(own_readers, fd_ref) {
  const sample_file on_disk;
  file opened;
  reads([&] {
    opened = on_disk.open();
    return fd_ref(opened.fd());
  });
}
TEST(own_readers, buffered_file) {
  const sample_file on_disk;
  reads([&] { return on_disk.open() | buffered(16); });
}
TEST(own_readers, limited_file) {
  const sample_file on_disk;
  reads([&] { return on_disk.open() | limit(100); }, first_100);
}
TEST(own_readers, limited_buffered_counted_file) {
  const sample_file on_disk;
  reads([&] { return on_disk.open() | buffered(16) | counted() | limit(100); }, first_100);
}
TEST(own_readers, any_reader_of_a_file) {
  const sample_file on_disk;
  reads([&] { return any_reader(on_disk.open(), 16); });
}
TEST(own_readers, buf_reader_after_sync) {
  const sample_file on_disk;
  reads([&] { return synced_reader{buf_reader(on_disk.open(), 16)}; });
}
TEST(own_readers, file_range) {
  const sample_file on_disk;
  file opened = on_disk.open();
  reads([&] { return file_range(opened, 0); });
  reads([&] { return file_range(opened, 7, 100); }, std::span(sample).subspan(7, 100));
}
TEST(own_readers, buffered_file_range) {
  const sample_file on_disk;
  file opened = on_disk.open();
  reads([&] { return file_range(opened, 7, 100) | buffered(16); }, std::span(sample).subspan(7, 100));
}
TEST(own_readers, mapped_file) {
  const sample_file on_disk;
  reads([&] { return or_throw(mapped_file::open(on_disk.path)); });
}
TEST(own_readers, memory_pipe) {
  reads([] {
    auto [reader, writer] = make_memory_pipe(sample.size());
    or_throw(write_all(writer, sample));
    return std::move(reader);
  });
}
TEST(own_readers, pipe) {
  reads([] { return full_pipe(); });
}
TEST(own_readers, buffered_pipe) {
  reads([] { return full_pipe() | buffered(16); });
}
TEST(own_readers, socket) {
  reads([] { return full_socket(); });
}
TEST(own_readers, buffered_socket) {
  reads([] { return full_socket() | buffered(16); });
}

TEST(own_writers, bytes_writer) {
  writes([] { return bytes_writer(); }, [](bytes_writer& w) { return w.view(); });
}
TEST(own_writers, string_writer) {
  writes([] { return string_writer(); }, [](string_writer& w) { return as_bytes(w.str()); });
}
TEST(own_writers, span_writer) {
  std::vector<std::byte> room(500);
  writes([&] { return span_writer(room); }, [](span_writer& w) { return w.written(); });
}

TEST(own_writers, buf_writer_of_1) {
  writes([](auto& out) { return buf_writer(out, 1); });
}
TEST(own_writers, buf_writer_of_7) {
  writes([](auto& out) { return buf_writer(out, 7); });
}
TEST(own_writers, buf_writer_of_64) {
  writes([](auto& out) { return buf_writer(out, 64); });
}
TEST(own_writers, buf_writer_of_the_size) {
  writes([](auto& out) { return buf_writer(out, sample.size()); });
}
TEST(own_writers, buf_writer_of_a_page) {
  writes([](auto& out) { return buf_writer(out, 4096); });
}
TEST(own_writers, buf_writer_that_grows) {
  writes([](auto& out) { return buf_writer(out, buffer_capacity{.initial = 5, .maximum = 100}); });
}
TEST(own_writers, buf_writer_twice) {
  writes([](auto& out) { return buf_writer(buf_writer(out, 16), 5); });
}
TEST(own_writers, line_writer_of_7) {
  writes([](auto& out) { return line_writer(out, 7); });
}
TEST(own_writers, line_writer_of_64) {
  writes([](auto& out) { return line_writer(out, 64); });
}
// What one writer has had ahead of the others was not accepted yet.
TEST(own_writers, broadcast) {
  writes([] { return broadcast(bytes_writer(), null_writer()); },
         [](auto& w) { return w.template target<0>().view().first(w.accepted()); });
}
TEST(own_writers, broadcast_with_a_slow_writer) {
  writes([] { return broadcast(bytes_writer() | partial_writes(3), bytes_writer()); },
         [](auto& w) { return w.template target<1>().view().first(w.accepted()); });
}
TEST(own_writers, progress) {
  writes([](auto& out) { return progress(out, [](const progress_state&) {}); });
}
TEST(own_writers, throttle) {
  writes([](auto& out) { return throttled(out); });
}
TEST(own_writers, throttle_of_buffered) {
  writes([](auto& out) { return throttled(buf_writer(out, 16)); });
}
TEST(own_writers, inspect) {
  writes([](auto& out) { return inspect(out, ignore{}); });
}
TEST(own_writers, digest) {
  writes([](auto& out) { return digest(out, sum{}); });
}
TEST(own_writers, digest_of_buffered) {
  writes([](auto& out) { return digest(buf_writer(out, 16), sum{}); });
}
TEST(own_writers, counted) {
  writes([](auto& out) { return counted(out); });
}
TEST(own_writers, counted_of_buffered) {
  writes([](auto& out) { return counted(buf_writer(out, 16)); });
}
TEST(own_writers, any_writer) {
  writes([](auto& out) { return any_writer(out); });
}
TEST(own_writers, any_writer_of_buffered) {
  writes([](auto& out) { return any_writer(buf_writer(out, 16)); });
}
TEST(own_writers, writer_ref) {
  writes([](auto& out) { return writer_ref(out); });
}

TEST(own_writers, file) {
  const sample_file on_disk;
  writes([&] { return or_throw(file::create(on_disk.path)); }, [&](file&) { return content_of(on_disk.path); });
}
TEST(own_writers, buffered_file) {
  const sample_file on_disk;
  writes([&] { return buf_writer(or_throw(file::create(on_disk.path)), 16); },
         [&](buf_writer<file>&) { return content_of(on_disk.path); });
}
TEST(own_writers, counted_buffered_file) {
  const sample_file on_disk;
  writes([&] { return counted(buf_writer(or_throw(file::create(on_disk.path)), 16)); },
         [&](auto&) { return content_of(on_disk.path); });
}
TEST(own_writers, atomic_file) {
  const sample_file on_disk;
  writes([&] { return or_throw(atomic_file::create(on_disk.path)); },
         [](atomic_file& w) {
           std::vector<std::byte> bytes(or_throw(w.size()));
           or_throw(read_exactly_at(w, 0, bytes));
           return bytes;
         });
}
TEST(own_writers, pipe) {
  far_end<pipe_reader> far;
  const auto make = [&] {
    pipe_ends pipe = or_throw(make_pipe({.non_blocking = true}));
    far = {std::move(pipe.reader), {}};
    return std::move(pipe.writer);
  };
  writes(make, [&](pipe_writer&) { return far.take(); });
}
TEST(own_writers, memory_pipe) {
  far_end<memory_pipe_reader> far{std::move(make_memory_pipe(1).reader), {}};
  const auto make = [&] {
    auto [reader, writer] = make_memory_pipe(1000, {.reader = {.on_would_block = would_block::fail}, .writer = {}});
    far = {std::move(reader), {}};
    return std::move(writer);
  };
  writes(make, [&](memory_pipe_writer&) { return far.take(); });
}
TEST(own_writers, throttled_file) {
  const sample_file on_disk;
  writes([&] { return throttled(or_throw(file::create(on_disk.path))); },
         [&](auto&) { return content_of(on_disk.path); });
}
TEST(own_writers, buffered_socket) {
  far_end<sluice::socket> far;
  const auto make = [&] {
    auto [here, there] = or_throw(sluice::socket::pair());
    or_throw(there.set_non_blocking(true));
    far = {std::move(there), {}};
    return buf_writer(std::move(here), 16);
  };
  writes(make, [&](auto&) { return far.take(); });
}
