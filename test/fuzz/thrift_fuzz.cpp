// SPDX-License-Identifier: BSL-1.0
//
// Thrift: skipping, the tree and reading through small buffers agree on every input; what a tree holds is walked, and
// written back as it came; the types of one's own never do more than fail.
//
#include <sluice/codec/thrift.hpp>
#include <sluice/sluice.hpp>

#include "fuzz/fuzz.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace {

struct shape {
  bool b = false;
  double d = 0;
  std::optional<std::string> text;
  std::vector<std::int32_t> numbers;
  std::set<std::string> words;
  std::map<std::string, std::vector<shape>> inner;
  std::unique_ptr<shape> next;
};

}  // namespace

template <>
struct sluice::thrift::mapping<shape> {
  static constexpr auto fields =
      std::tuple{field<1>(&shape::b),     field<2>(&shape::d),     field<3>(&shape::text), field<4>(&shape::numbers),
                 field<5>(&shape::words), field<6>(&shape::inner), field<7>(&shape::next)};
};

namespace {

using namespace sluice;
using thrift::ttype;

bool equal(std::span<const std::byte> a, std::span<const std::byte> b) { return std::ranges::equal(a, b); }

// Writes the value anew, header by header, so that everything in it is looked at.
void rewrite(thrift::protocol_writer& out, const thrift::value& v) {
  const auto number = [&]<class T>(T) { return v.get<T>().value_or(T{}); };
  const auto check = [](const result<void>& done) { fuzz_require(done.has_value(), "memory can be written"); };
  switch (v.type()) {
    case ttype::bool_: check(v.get<bool>() ? out.write_bool(*v.get<bool>()) : out.write_encoded(v.encoded())); break;
    case ttype::i8: check(out.write_i8(number(std::int8_t{}))); break;
    case ttype::i16: check(out.write_i16(number(std::int16_t{}))); break;
    case ttype::i32: check(out.write_i32(number(std::int32_t{}))); break;
    case ttype::i64: check(out.write_i64(number(std::int64_t{}))); break;
    case ttype::double_: check(out.write_double(number(double{}))); break;
    case ttype::uuid: check(out.write_uuid(number(thrift::uuid{}))); break;
    case ttype::binary: check(out.write_string(number(std::string_view()))); break;
    case ttype::struct_:
      for (const thrift::named_value field : v.fields()) {
        check(out.write_field({field.value.type(), field.id}));
        rewrite(out, field.value);
      }
      check(out.write_stop());
      break;
    case ttype::list:
    case ttype::set:
      check(out.write_list({v.element_type(), static_cast<std::uint32_t>(v.size())}));
      for (const thrift::value element : v.elements()) rewrite(out, element);
      break;
    case ttype::map:
      check(out.write_map({v.element_type(), v.mapped_type(), static_cast<std::uint32_t>(v.size())}));
      for (const auto& [key, mapped] : v.entries()) {
        rewrite(out, key);
        rewrite(out, mapped);
      }
      break;
    default: fuzz_require(false, "a value has a type");
  }
}

template <class Read>
void through_small_buffers(std::span<const std::byte> input, Read read) {
  for (const std::size_t capacity : {1u, 5u, 64u}) {
    std::array<std::byte, 64> room;
    span_reader memory(input);
    buf_reader buffer{memory, std::span(room).first(capacity)};
    thrift::binary_reader<buf_reader<span_reader&>&> in{buffer};
    read(in);
  }
}

// In memory a container that cannot be there is found at its header, else only where something in it is wrong.
bool same_failure(std::error_code in_memory, std::error_code through_buffer) {
  return in_memory == through_buffer || in_memory == io_errc::truncated;
}

void as_struct(std::span<const std::byte> input) {
  const auto tree = thrift::view_tree(input);
  thrift::skipper skipper(input);
  const auto skipped = skipper.skip(ttype::struct_);
  fuzz_require(tree.has_value() == skipped.has_value(), "skipping and the tree agree");
  if (!tree) {
    fuzz_require(tree.error() == skipped.error() || input.empty(), "and on the error");
  } else {
    fuzz_require(tree->encoded().size() == skipper.offset(), "and on the size");
    bytes_writer out;
    {
      thrift::binary_writer writer{out};
      rewrite(writer, tree->root());
    }
    fuzz_require(equal(out.view(), tree->encoded()), "what was walked is what arrived");
  }
  through_small_buffers(input, [&](thrift::protocol_reader& in) {
    const auto read = thrift::read_tree(in);
    fuzz_require(read.has_value() == tree.has_value(), "a buffer changes nothing");
    if (read)
      fuzz_require(equal(read->encoded(), tree->encoded()), "of the bytes");
    else
      fuzz_require(same_failure(tree.error(), read.error()), "of the error");
  });
}

void as_shape(std::span<const std::byte> input) {
  const auto one = thrift::read<shape>(span_reader(input));
  through_small_buffers(input, [&](thrift::protocol_reader& in) {
    const auto read = thrift::read<shape>(in);
    fuzz_require(read.has_value() == one.has_value(), "types of one's own are read the same through a buffer");
    if (!read) fuzz_require(same_failure(one.error(), read.error()), "and fail the same");
  });
  if (!one) return;
  fuzz_require(thrift::view_tree(input).has_value(), "what can be read is well formed");
  bytes_writer first;
  bytes_writer second;
  fuzz_require(thrift::write(first, *one).has_value(), "what was read can be written");
  const auto again = thrift::read<shape>(span_reader(first.view()));
  fuzz_require(again.has_value() && thrift::write(second, *again).has_value(), "and read again");
  fuzz_require(equal(first.view(), second.view()), "as it was");
}

void as_message(std::span<const std::byte> input) {
  thrift::binary_reader in{span_reader(input)};
  const auto form = thrift::sniff_request(in);
  fuzz_require(form.has_value() != input.empty(), "every request has a form");
  const auto request = thrift::read_envelope(in);
  if (!request) return;
  fuzz_require(*form != thrift::request_form::bare || request->name.size() >= 1u << 24 || input[0] != std::byte{0},
               "the form is that of the envelope");
  bytes_writer out;
  {
    thrift::binary_writer writer{out};
    fuzz_require(thrift::write_envelope(writer, *request).has_value(), "it can be written");
  }
  thrift::binary_reader back{span_reader(out.view())};
  fuzz_require(thrift::read_envelope(back) == *request, "and read again");
}

void as_frames(std::span<const std::byte> input) {
  thrift::framed_reader frames{span_reader(input)};
  thrift::binary_reader in{frames};
  for (int i = 0; i < 100; ++i) {
    const auto more = frames.next_frame();
    if (!more || !*more) return;
    (void)thrift::read_tree(in);
    in.sync();
  }
}

}  // namespace

void fuzz_one(std::span<const std::byte> input) {
  as_struct(input);
  as_shape(input);
  as_message(input);
  as_frames(input);
}
