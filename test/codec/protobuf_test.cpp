// SPDX-License-Identifier: BSL-1.0
//
// Varints and delimited messages against libprotobuf, both ways.
//
#include <sluice/codec/delimited.hpp>
#include <sluice/sluice.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <random>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/delimited_message_util.h>
#include <google/protobuf/wire_format_lite.h>
#include <google/protobuf/wrappers.pb.h>

namespace sluice::test {
namespace {

namespace pb = google::protobuf;

std::span<const std::byte> view_of(const std::string& s) { return std::as_bytes(std::span(s)); }

std::vector<std::uint64_t> numbers() {
  std::vector<std::uint64_t> all{0};
  std::mt19937_64 random(3);
  for (int bits = 1; bits <= 64; ++bits) {
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - bits);
    for (const std::uint64_t n : {most, most - 1, most / 2 + 1, random() & most}) all.push_back(n);
  }
  return all;
}

std::string written_by_protobuf(const std::vector<std::uint64_t>& all) {
  std::string out;
  pb::io::StringOutputStream stream(&out);
  pb::io::CodedOutputStream coded(&stream);
  for (const std::uint64_t n : all) coded.WriteVarint64(n);
  return out;
}

TEST(protobuf_varints, are_the_same_bytes) {
  string_writer out;
  for (const std::uint64_t n : numbers()) {
    ASSERT_TRUE(write_varint(out, n));
    EXPECT_EQ(varint_size(n), pb::io::CodedOutputStream::VarintSize64(n));
    EXPECT_EQ(zigzag_encode(static_cast<std::int64_t>(n)),
              pb::internal::WireFormatLite::ZigZagEncode64(static_cast<std::int64_t>(n)));
    EXPECT_EQ(zigzag_decode(n), pb::internal::WireFormatLite::ZigZagDecode64(n));
    const auto low = static_cast<std::uint32_t>(n);
    EXPECT_EQ(zigzag_decode(low), pb::internal::WireFormatLite::ZigZagDecode32(low));
  }
  EXPECT_EQ(out.str(), written_by_protobuf(numbers()));
}

TEST(protobuf_varints, are_read_by_each_other) {
  const auto all = numbers();
  const std::string theirs = written_by_protobuf(all);
  buf_reader in{span_reader(theirs) | grinding(5), 64};
  for (const std::uint64_t n : all) ASSERT_EQ(read_varint<std::uint64_t>(in), n);

  bytes_writer ours;
  for (const std::uint64_t n : all) ASSERT_TRUE(write_varint(ours, n));
  pb::io::CodedInputStream coded(reinterpret_cast<const std::uint8_t*>(ours.view().data()),
                                 static_cast<int>(ours.view().size()));
  for (const std::uint64_t n : all) {
    std::uint64_t got = 0;
    ASSERT_TRUE(coded.ReadVarint64(&got));
    EXPECT_EQ(got, n);
  }
}

TEST(protobuf_varints, negative_ones_of_32_bits_are_read_by_a_cast) {
  std::string out;
  {
    pb::io::StringOutputStream stream(&out);
    pb::io::CodedOutputStream(&stream).WriteVarint32SignExtended(-5);
  }
  EXPECT_EQ(out.size(), 10U);
  EXPECT_EQ(static_cast<std::int32_t>(read_varint<std::uint64_t>(span_reader(out)).value()), -5);
}

// Over-long forms up to ten bytes, as they do.
TEST(protobuf_varints, are_accepted_in_the_same_forms) {
  for (std::size_t size = 1; size <= 12; ++size) {
    std::string form(size, '\x80');
    form.back() = '\0';
    pb::io::CodedInputStream coded(reinterpret_cast<const std::uint8_t*>(form.data()), static_cast<int>(size));
    std::uint64_t theirs = 1;
    const bool accepted = coded.ReadVarint64(&theirs);
    const auto ours = load_varint<std::uint64_t>(view_of(form));
    EXPECT_EQ(ours.has_value(), accepted) << size;
    EXPECT_EQ(ours.has_value() ? ours->value : theirs, theirs);
  }
}

std::vector<std::string> contents() {
  std::vector<std::string> all;
  for (const std::size_t n : {0U, 1U, 2U, 123U, 124U, 125U, 126U, 127U, 128U, 300U, 16380U, 16384U, 300'000U, 0U})
    all.push_back(support::text(support::pattern(n)));
  return all;
}

TEST(protobuf_messages, of_theirs_are_read) {
  std::string stream;
  {
    pb::io::StringOutputStream out(&stream);
    for (const std::string& content : contents()) {
      pb::BytesValue message;
      message.set_value(content);
      ASSERT_TRUE(pb::util::SerializeDelimitedToZeroCopyStream(message, &out));
    }
  }
  for (const std::size_t chunk : {7U, 4096U, 1'000'000U}) {
    delimited_reader in{span_reader(stream) | short_reads(chunk)};
    for (const std::string& content : contents()) {
      const auto message = in.next();
      ASSERT_TRUE(message && *message);
      pb::BytesValue parsed;
      ASSERT_TRUE(parsed.ParseFromArray((*message)->data(), static_cast<int>((*message)->size())));
      EXPECT_EQ(parsed.value(), content);
    }
    EXPECT_EQ(in.next().value(), std::nullopt);
  }
}

TEST(protobuf_messages, of_ours_are_read_by_theirs) {
  string_writer stream;
  delimited_writer out{stream};
  for (const std::string& content : contents()) {
    pb::BytesValue message;
    message.set_value(content);
    if (content.size() % 2 == 0) {
      const auto room = out.prepare(message.ByteSizeLong());
      ASSERT_TRUE(room);
      ASSERT_TRUE(message.SerializeToArray(room->data(), static_cast<int>(room->size())));
      out.commit();
    } else {
      ASSERT_TRUE(out.write(message.SerializeAsString()));
    }
  }
  const std::string all(stream.str());
  pb::io::ArrayInputStream in(all.data(), static_cast<int>(all.size()));
  pb::io::CodedInputStream coded(&in);
  for (const std::string& content : contents()) {
    pb::BytesValue message;
    bool clean_end = true;
    ASSERT_TRUE(pb::util::ParseDelimitedFromCodedStream(&message, &coded, &clean_end));
    EXPECT_EQ(message.value(), content);
  }
  pb::BytesValue none;
  bool clean_end = false;
  EXPECT_FALSE(pb::util::ParseDelimitedFromCodedStream(&none, &coded, &clean_end));
  EXPECT_TRUE(clean_end);
}

// Where their reader says that the stream has ended cleanly, ours does; and nowhere else.
TEST(protobuf_messages, end_at_the_same_cuts) {
  string_writer stream;
  delimited_writer out{stream};
  for (const std::string& content : {std::string(), std::string("ab"), std::string(150, 'c'), std::string("d")}) {
    pb::StringValue message;
    message.set_value(content);
    ASSERT_TRUE(out.write(message.SerializeAsString()));
  }
  const std::string all(stream.str());
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    pb::io::ArrayInputStream in(all.data(), static_cast<int>(cut));
    pb::io::CodedInputStream coded(&in);
    std::size_t theirs = 0;
    bool clean_end = false;
    pb::StringValue message;
    for (; pb::util::ParseDelimitedFromCodedStream(&message, &coded, &clean_end); clean_end = false) ++theirs;

    delimited_reader ours{span_reader(std::string_view(all).substr(0, cut))};
    std::size_t found = 0;
    auto next = ours.next();
    for (; next && *next; next = ours.next()) ++found;
    EXPECT_EQ(found, theirs) << cut;
    EXPECT_EQ(next.has_value(), clean_end) << cut;
  }
}

}  // namespace
}  // namespace sluice::test
