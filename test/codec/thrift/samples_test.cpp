// SPDX-License-Identifier: BSL-1.0
//
// Every file in test/data/thrift: its answer, its content, the same through any buffer, and cut at every byte.
//
#include "codec/thrift/samples.hpp"

#include <sluice/testing/faulty_stream.hpp>

#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <iomanip>
#include <map>
#include <sstream>

namespace sluice::test {
/// A struct of which every field is skipped.
struct nothing_known {};
}  // namespace sluice::test

template <>
struct sluice::thrift::mapping<sluice::test::nothing_known> {
  static constexpr std::tuple<> fields{};
};

namespace sluice::test {
namespace {

using namespace thrift;

std::string name_of(ttype type) {
  switch (type) {
    case ttype::bool_: return "bool";
    case ttype::i8: return "i8";
    case ttype::double_: return "double";
    case ttype::i16: return "i16";
    case ttype::i32: return "i32";
    case ttype::i64: return "i64";
    case ttype::binary: return "binary";
    case ttype::struct_: return "struct";
    case ttype::map: return "map";
    case ttype::set: return "set";
    case ttype::list: return "list";
    default: return "?";
  }
}

// As in the descriptions beside the samples, but a double only by its bits.
void describe(std::ostream& out, const value& v, const std::string& indent) {
  const std::string deeper = indent + "  ";
  std::size_t i = 0;
  out << name_of(v.type());
  if (const auto b = v.get<bool>()) out << (*b ? " true\n" : " false\n");
  if (const auto n = v.get<std::int8_t>()) out << ' ' << int{*n} << '\n';
  if (const auto n = v.get<std::int16_t>()) out << ' ' << *n << '\n';
  if (const auto n = v.get<std::int32_t>()) out << ' ' << *n << '\n';
  if (const auto n = v.get<std::int64_t>()) out << ' ' << *n << '\n';
  if (const auto d = v.get<double>())
    out << " bits=" << std::hex << std::setw(16) << std::setfill('0') << std::bit_cast<std::uint64_t>(*d) << std::dec
        << '\n';
  if (const auto b = v.get<std::span<const std::byte>>()) {
    out << " len=" << v.size() << " hex=";
    for (const std::byte one : *b) out << std::hex << std::setw(2) << std::setfill('0') << std::to_integer<int>(one);
    out << std::dec << '\n';
  }
  switch (v.type()) {
    case ttype::struct_:
      out << " fields=" << std::distance(v.fields().begin(), std::ranges::next(v.fields().begin(), v.fields().end()))
          << '\n';
      for (const named_value field : v.fields()) {
        out << deeper << "field " << field.id << ": ";
        describe(out, field.value, deeper);
      }
      break;
    case ttype::list:
    case ttype::set:
      out << '<' << name_of(v.element_type()) << "> size=" << v.size() << '\n';
      for (const value element : v.elements()) {
        out << deeper << '[' << i++ << "] ";
        describe(out, element, deeper);
      }
      break;
    case ttype::map:
      out << '<' << name_of(v.element_type()) << ',' << name_of(v.mapped_type()) << "> size=" << v.size() << '\n';
      for (const auto& [key, mapped] : v.entries()) {
        out << deeper << "key[" << i << "] ";
        describe(out, key, deeper);
        out << deeper << "val[" << i++ << "] ";
        describe(out, mapped, deeper);
      }
      break;
    default: break;
  }
}

std::string description(const value& v) {
  std::ostringstream out;
  describe(out, v, "");
  return out.str();
}

std::string expected_description(const std::string& name) {
  const std::string text = sample_text(name + ".txt");
  std::istringstream lines(text.substr(text.find("value: ") + 7));
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    const auto number = line.find("double ");
    const auto bits = line.find(" bits=");
    if (bits != std::string::npos) line = line.substr(0, number + 6) + line.substr(bits);
    all += line + '\n';
  }
  return all;
}

/// What one way of reading says: how much it took, or why it failed.
struct answer {
  std::error_code error;
  std::uintmax_t taken = 0;

  friend bool operator==(const answer&, const answer&) = default;
};

void PrintTo(const answer& a, std::ostream* out) {
  *out << (a.error ? a.error.message() : "good") << ", took " << a.taken;
}

answer by(const result<void>& done, std::uintmax_t taken) { return done ? answer{{}, taken} : answer{done.error(), 0}; }

// All ways of passing over a struct agree; through buffers of any size and reads of any length.
template <class Check>
void each_way(std::span<const std::byte> input, Check check, const limits& most = {}) {
  {
    SCOPED_TRACE("skipper");
    skipper at(input, most);
    const auto done = at.skip(ttype::struct_);
    check(by(done, at.offset()), false);
  }
  {
    SCOPED_TRACE("view_tree");
    const auto all = view_tree(input, most);
    check(all ? answer{{}, all->encoded().size()} : answer{all.error(), 0}, true);
    if (all) {
      EXPECT_EQ(printed(all->encoded()), printed(input.first(all->encoded().size())));
    }
  }
  for (const std::size_t capacity : {1uz, 2uz, 3uz, 7uz, 16uz, 64uz, 4096uz}) {
    SCOPED_TRACE(capacity);
    for (const std::size_t chunk : {1uz, 5uz, 4096uz}) {
      if (input.size() > 4096 && (chunk == 1 || capacity < 64)) continue;
      {
        buf_reader in{span_reader(input) | short_reads(chunk), capacity};
        std::uintmax_t taken = 0;
        const auto done = [&] {
          binary_reader reader{in, most};
          return reader.skip(ttype::struct_);
        }();
        taken = in.inner().inner().remaining();
        check(by(done, input.size() - taken - in.buffered().size()), false);
      }
      {
        buf_reader in{span_reader(input) | short_reads(chunk), capacity};
        binary_reader reader{in, most};
        const auto all = read_tree(reader);
        check(all ? answer{{}, all->encoded().size()} : answer{all.error(), 0}, true);
        if (all) {
          EXPECT_EQ(printed(all->encoded()), printed(input.first(all->encoded().size())));
          bytes_writer out;
          {
            binary_writer writer{out};
            EXPECT_TRUE(thrift::write(writer, *all));
          }
          EXPECT_EQ(printed(out.view()), printed(all->encoded()));
        }
      }
      {
        buf_reader in{span_reader(input) | short_reads(chunk), capacity};
        binary_reader reader{in, most};
        const auto all = thrift::read<nothing_known>(reader);
        reader.sync();
        check(all ? answer{{}, input.size() - in.inner().inner().remaining() - in.buffered().size()}
                  : answer{all.error(), 0},
              true);
      }
    }
  }
}

struct documented {
  const char* name;
  io_errc error{};         // none: accepted
  std::uintmax_t taken{};  // where accepted
};

// The answers of eight other readers are in test/data/thrift/malformed-answers.tsv.
constexpr documented answers[] = {
    // Accepted: what a bool holds does not matter to one who passes over it; an empty container may have any type.
    {"bad-bool-2", {}, 5},
    {"bad-elem-type-0-size-0", {}, 9},
    {"bad-elem-type-99-size-0", {}, 9},
    {"bad-map-types-0-size-0", {}, 10},
    {"bad-field-type-16", {}, 20},  // a uuid
    {"bad-nest-struct-63", {}, 249},
    {"bad-nest-struct-64", {}, 253},
    {"bad-trailing", {}, 1},
    // No such type, or a negative size.
    {"bad-elem-type-0-size-1", io_errc::invalid_data},
    {"bad-elem-type-99-size-1", io_errc::invalid_data},
    {"bad-field-type-1", io_errc::invalid_data},
    {"bad-field-type-127", io_errc::invalid_data},
    {"bad-field-type-17", io_errc::invalid_data},
    {"bad-field-type-255", io_errc::invalid_data},
    {"bad-field-type-5", io_errc::invalid_data},
    {"bad-field-type-7", io_errc::invalid_data},
    {"bad-field-type-9", io_errc::invalid_data},
    {"bad-min-binary-len", io_errc::invalid_data},
    {"bad-neg-binary-len", io_errc::invalid_data},
    {"bad-neg-list-size", io_errc::invalid_data},
    {"bad-neg-map-size", io_errc::invalid_data},
    // More than a message may be, or deeper.
    {"bad-huge-binary-len", io_errc::limit_exceeded},
    {"bad-huge-list-bool", io_errc::limit_exceeded},
    {"bad-huge-list-i32", io_errc::limit_exceeded},
    {"bad-huge-list-struct", io_errc::limit_exceeded},
    {"bad-huge-map-i32-i32", io_errc::limit_exceeded},
    {"bad-nest-struct-100", io_errc::limit_exceeded},
    {"bad-nest-struct-20000", io_errc::limit_exceeded},
    {"bad-nest-struct-65", io_errc::limit_exceeded},
    // The stream ends inside.
    {"bad-huge-binary-len-stops", io_errc::truncated},
    {"bad-trunc-binary-len", io_errc::truncated},
    {"bad-trunc-bool", io_errc::truncated},
    {"bad-trunc-field-id", io_errc::truncated},
    {"bad-trunc-field-type-only", io_errc::truncated},
    {"bad-trunc-i16", io_errc::truncated},
    {"bad-trunc-i32", io_errc::truncated},
    {"bad-trunc-i64", io_errc::truncated},
    {"bad-trunc-list-body", io_errc::truncated},
    {"bad-trunc-list-header", io_errc::truncated},
    {"bad-trunc-no-stop", io_errc::truncated},
    // Nothing there at all; one who is told to pass over a value misses it.
    {"bad-empty-input", io_errc::unexpected_eof},
};

struct documented_envelope {
  const char* name;
  io_errc error{};
  int type = 1;
  const char* method = "m";
  std::int32_t seqid = 1;
  bool strict = true;
};

constexpr documented_envelope envelopes[] = {
    {"env-bad-version-2", io_errc::invalid_data},
    {"env-no-body"},
    {"env-strict-huge-name", io_errc::limit_exceeded},
    {"env-strict-neg-name", io_errc::invalid_data},
    {"env-strict-type-0", {}, 0},
    {"env-strict-type-9", {}, 9},
    {"env-strict-unused-byte"},
    {"thrift-envelope-nonstrict-call", {}, 1, "getUser", -5, false},
    {"thrift-envelope-strict-call", {}, 1, "getUser", 1000},
    {"thrift-envelope-strict-emptyname", {}, 1, "", -5},
    {"thrift-envelope-strict-exception", {}, 3, "getUser", 1002},
    {"thrift-envelope-strict-reply", {}, 2, "getUser", 1001},
};

TEST(thrift_samples, every_malformed_file_has_its_documented_answer) {
  auto left = sample_names("bad-");
  for (const documented& file : answers) {
    SCOPED_TRACE(file.name);
    ASSERT_EQ(std::erase(left, file.name), 1u);
    each_way(sample(file.name + std::string(".bin")), [&](const answer& said, bool looks_for_end) {
      if (file.error == io_errc{})
        EXPECT_EQ(said, (answer{{}, file.taken}));
      else if (file.error == io_errc::unexpected_eof && !looks_for_end)
        EXPECT_EQ(said, (answer{io_errc::truncated, 0}));
      else
        EXPECT_EQ(said, (answer{file.error, 0}));
    });
  }
  EXPECT_TRUE(left.empty());
}

TEST(thrift_samples, envelopes_are_read_and_written_back) {
  auto left = sample_names("env-");
  for (const auto& name : sample_names("thrift-envelope-")) left.push_back(name);
  for (const documented_envelope& file : envelopes) {
    SCOPED_TRACE(file.name);
    ASSERT_EQ(std::erase(left, file.name), 1u);
    const bytes all = sample(file.name + std::string(".bin"));
    for (const std::size_t capacity : {1uz, 3uz, 16uz, 4096uz}) {
      buf_reader in{span_reader(all) | short_reads(3), capacity};
      binary_reader reader{in};
      const auto read = read_envelope(reader);
      if (file.error != io_errc{}) {
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error(), file.error);
        continue;
      }
      ASSERT_TRUE(read) << read.error().message();
      EXPECT_EQ(*read, (envelope{file.method, static_cast<message_type>(file.type), file.seqid, file.strict}));
      const auto body = read_tree(reader);
      if (std::string(file.name).starts_with("env-")) {
        // One has no body, the others an empty one.
        if (std::string(file.name) == "env-no-body")
          EXPECT_EQ(body.error(), io_errc::truncated);
        else
          EXPECT_TRUE(body && body->root().fields().empty());
        continue;
      }
      ASSERT_TRUE(body) << body.error().message();
      EXPECT_EQ(description(body->root()), expected_description(file.name));
      bytes_writer out;
      {
        binary_writer writer{out};
        ASSERT_TRUE(write_envelope(writer, *read));
        ASSERT_TRUE(thrift::write(writer, *body));
      }
      EXPECT_EQ(printed(out.view()), printed(all));
    }
  }
  EXPECT_TRUE(left.empty());
}

TEST(thrift_samples, a_tree_shows_what_the_description_says) {
  for (const std::string& name : good_structs()) {
    SCOPED_TRACE(name);
    const bytes all = sample(name + ".bin");
    const auto viewed = view_tree(all);
    ASSERT_TRUE(viewed);
    EXPECT_EQ(description(viewed->root()), expected_description(name));
    // It holds the bytes itself, also after it has been moved.
    std::optional<result<tree>> read;
    {
      const bytes copy = all;
      binary_reader reader{span_reader(copy)};
      read = read_tree(reader);
    }
    ASSERT_TRUE(*read);
    const value root = (*read)->root();
    const tree moved = std::move(**read);
    EXPECT_EQ(description(moved.root()), expected_description(name));
    EXPECT_EQ(description(root), expected_description(name));
  }
}

TEST(thrift_samples, cut_at_every_byte_they_end_cleanly_at_the_beginning_and_are_truncated_elsewhere) {
  for (const std::string& name : good_structs()) {
    SCOPED_TRACE(name);
    const bytes all = sample(name + ".bin");
    for (std::size_t n = 0; n <= all.size(); n += n > 700 ? 13 : 1) {
      SCOPED_TRACE(n);
      const bytes cut(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));  // to the byte, for the sanitizers
      const auto check = [&](const answer& said, bool looks_for_end) {
        if (n == all.size())
          EXPECT_EQ(said, (answer{{}, n}));
        else
          EXPECT_EQ(said, (answer{n == 0 && looks_for_end ? io_errc::unexpected_eof : io_errc::truncated, 0}));
      };
      if (n < 300) {
        each_way(cut, check);
      } else {
        skipper at(cut);
        check(by(at.skip(ttype::struct_), n), false);
        buf_reader in{span_reader(cut) | short_reads(5), 64};
        binary_reader reader{in};
        const auto tree = read_tree(reader);
        check(tree ? answer{{}, n} : answer{tree.error(), 0}, true);
      }
    }
  }
  for (const std::string& name : sample_names("thrift-envelope-")) {
    SCOPED_TRACE(name);
    const bytes all = sample(name + ".bin");
    for (std::size_t n = 0; n < all.size(); ++n) {
      binary_reader reader{span_reader(std::span(all).first(n))};
      const auto head = read_envelope(reader);
      const auto body = head ? read_tree(reader) : result<tree>(fail(head.error()));
      ASSERT_FALSE(body);
      EXPECT_EQ(body.error(), n == 0 ? io_errc::unexpected_eof : io_errc::truncated) << n;
    }
  }
}

TEST(thrift_samples, hostile_input_takes_no_memory_ahead_of_what_arrived) {
  auto names = sample_names("");
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const bytes all = sample(name + ".bin");
    for (std::size_t n = 0; n <= all.size(); n += 1 + n / 16) {
      const bytes cut(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
      std::array<std::byte, 64> buffer;
      const support::allocations before;
      for (const bool in_memory : {true, false}) {
        span_reader memory(cut);
        buf_reader in{memory, buffer};
        binary_reader<buf_reader<span_reader&>&> from_buffer{in};
        binary_reader from_memory{memory};
        protocol_reader& reader = in_memory ? static_cast<protocol_reader&>(from_memory) : from_buffer;
        if (name.find("env") != std::string::npos) (void)read_envelope(reader);
        (void)read_tree(reader);
      }
      EXPECT_LT(before.bytes(), 65536 + 16 * n);
    }
  }
}

}  // namespace
}  // namespace sluice::test
