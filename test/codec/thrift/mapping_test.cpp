// SPDX-License-Identifier: BSL-1.0
//
// Structs of one's own: described once, read and written.
//
#include <sluice/testing/faulty_stream.hpp>

#include "codec/thrift/samples.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace sluice::test {

enum class colour { red = 1, blue = -7 };
enum class narrow : std::uint8_t { one = 1 };

struct point {
  double x = 0;
  double y = 0;
  friend bool operator==(const point&, const point&) = default;
};

struct edge {
  point start;
  point end;
  friend bool operator==(const edge&, const edge&) = default;
};

struct graph {
  std::vector<edge> edges;
};

struct primitives {
  bool b = false;
  std::int8_t i8 = 0;
  std::int16_t i16 = 0;
  std::int32_t i32 = 0;
  std::int64_t i64 = 0;
  double d = 0;
  std::string text;
  bytes binary;
};

struct everything {
  std::optional<std::int32_t> maybe;
  std::unique_ptr<everything> next;
  colour shade = colour::red;
  thrift::uuid id{};
  std::vector<std::byte> binary;
  std::vector<bool> bits;
  std::vector<narrow> narrows;
  std::vector<std::vector<std::string>> lists;
  std::deque<std::int64_t> numbers;
  std::set<std::set<std::int16_t>> sets;
  std::unordered_set<std::string> words;
  std::map<std::string, std::vector<point>> map;
  std::unordered_map<std::int32_t, std::map<std::int8_t, bool>> maps;
  std::optional<std::vector<edge>> edges;
};

struct strict {
  std::int32_t first = 0;
  std::string second;
};

struct containers {
  std::vector<std::vector<std::int32_t>> lists;
  std::vector<std::set<std::int32_t>> sets;
  std::vector<std::map<std::int32_t, std::int32_t>> maps;
  std::set<std::set<std::string>> set_of_sets;
  std::set<std::vector<std::string>> set_of_lists;
  std::set<std::map<std::string, std::string>> set_of_maps;
};

struct with_bool {
  bool b = false;
};

struct with_narrow {
  narrow n{};
  std::string rest;
};

}  // namespace sluice::test

namespace sluice::thrift {
using namespace test;

template <>
struct mapping<point> {
  static constexpr auto fields = std::tuple{field<1>(&point::x), field<2>(&point::y)};
};
template <>
struct mapping<edge> {
  static constexpr auto fields = std::tuple{field<1>(&edge::start), field<2>(&edge::end)};
};
template <>
struct mapping<graph> {
  static constexpr auto fields = std::tuple{field<1>(&graph::edges)};
};
template <>
struct mapping<primitives> {
  static constexpr auto fields =
      std::tuple{field<1>(&primitives::b),    field<2>(&primitives::i8),    field<3>(&primitives::i16),
                 field<4>(&primitives::i32),  field<5>(&primitives::i64),   field<6>(&primitives::d),
                 field<7>(&primitives::text), field<8>(&primitives::binary)};
};
template <>
struct mapping<everything> {
  static constexpr auto fields =
      std::tuple{field<1>(&everything::maybe),    field<2>(&everything::next),   field<3>(&everything::shade),
                 field<-4>(&everything::id),      field<5>(&everything::binary), field<6>(&everything::bits),
                 field<7>(&everything::narrows),  field<8>(&everything::lists),  field<9>(&everything::numbers),
                 field<10>(&everything::sets),    field<11>(&everything::words), field<12>(&everything::map),
                 field<32767>(&everything::maps), field<13>(&everything::edges)};
};
template <>
struct mapping<strict> {
  static constexpr auto fields = std::tuple{required<1>(&strict::first), required<2>(&strict::second)};
};
template <>
struct mapping<containers> {
  static constexpr auto fields = std::tuple{field<1>(&containers::lists),        field<2>(&containers::sets),
                                            field<3>(&containers::maps),         field<4>(&containers::set_of_sets),
                                            field<5>(&containers::set_of_lists), field<6>(&containers::set_of_maps)};
};
template <>
struct mapping<with_bool> {
  static constexpr auto fields = std::tuple{field<1>(&with_bool::b)};
};
template <>
struct mapping<with_narrow> {
  static constexpr auto fields = std::tuple{field<1>(&with_narrow::n), field<2>(&with_narrow::rest)};
};
}  // namespace sluice::thrift

namespace sluice::test {
namespace {

using namespace thrift;

static_assert(thrift::detail::flat_size<point>() == 23 && thrift::detail::flat_size<edge>() == 53 &&
              thrift::detail::flat_depth<edge>() == 3);
static_assert(thrift::detail::flat_size<graph>() == 0 && thrift::detail::flat_size<primitives>() == 0);

template <class T>
bytes written(const T& value) {
  bytes_writer out;
  EXPECT_TRUE(thrift::write(out, value));
  return out.take();
}

// Fields made by hand: each is a header and a value.
class made {
 public:
  made& field(ttype type, std::int16_t id) { return check(out_.write_field({type, id})); }
  made& i32(std::int16_t id, std::int32_t value) { return field(ttype::i32, id).check(out_.write_i32(value)); }
  made& string(std::int16_t id, std::string_view value) {
    return field(ttype::binary, id).check(out_.write_string(value));
  }
  protocol_writer& out() { return out_; }
  bytes done() {
    check(out_.write_stop());
    return out_.stream().take();
  }

 private:
  made& check(const result<void>& good) {
    EXPECT_TRUE(good);
    return *this;
  }
  binary_writer<bytes_writer> out_{bytes_writer()};
};

everything one_of_each() {
  everything all;
  all.maybe = 5;
  all.next = std::make_unique<everything>();
  all.next->shade = colour::blue;
  all.next->edges.emplace();
  all.id[3] = std::byte{9};
  all.binary = {std::byte{1}, std::byte{0}};
  all.bits = {true, false, true};
  all.narrows = {narrow::one, narrow{255}};
  all.lists = {{"a", ""}, {}, {std::string(100, 'c')}};
  all.numbers.resize(500, -1);
  all.sets = {{}, {1, 2}, {2}};
  all.words = {"one"};
  all.map = {{"one", {{1, 2}, {3, 4}}}, {"none", {}}};
  all.maps = {{1, {{2, true}, {3, false}}}};
  all.edges.emplace(40);
  (*all.edges)[7].end.y = -0.5;
  return all;
}

TEST(thrift_mapping, samples_are_read_and_written_back_equal) {
  const bytes graph_file = sample("thrift-bench-Graph.bin");
  const auto g = thrift::read<graph>(span_reader(graph_file));
  ASSERT_TRUE(g);
  ASSERT_EQ(g->edges.size(), 3u);
  EXPECT_EQ(g->edges[2], (edge{{9, 10}, {11, 12}}));
  EXPECT_EQ(written(*g), graph_file);

  const bytes primitive_file = sample("thrift-bench-PrimitiveOptionalStruct.bin");
  const auto p = thrift::read<primitives>(span_reader(primitive_file));
  ASSERT_TRUE(p);
  EXPECT_EQ(p->i16, 123);
  EXPECT_EQ(p->text, "foo");
  EXPECT_EQ(written(*p), primitive_file);

  // In the sample the sets and maps are in no order.
  const bytes containers_file = sample("thrift-bench-ContainersOfContainers.bin");
  const auto c = thrift::read<containers>(span_reader(containers_file));
  ASSERT_TRUE(c);
  EXPECT_EQ(c->lists[4].size(), 45u);
  EXPECT_EQ(c->sets[4].size(), 90u);
  EXPECT_EQ(c->maps[2].at(29), 29 * 44);
  EXPECT_TRUE(c->set_of_maps.contains({{"quux", "foo"}}));
  EXPECT_EQ(written(*c).size(), containers_file.size());
  const auto tree = view_tree(containers_file);
  ASSERT_TRUE(tree);
  const auto through_tree = thrift::read<containers>(tree->root());
  ASSERT_TRUE(through_tree);
  EXPECT_EQ(written(*through_tree), written(*c));
}

TEST(thrift_mapping, every_kind_of_member_makes_the_round_trip_through_any_buffer) {
  const everything all = one_of_each();
  const bytes wire = written(all);
  EXPECT_EQ(view_tree(wire).value().encoded().size(), wire.size());
  for (const std::size_t capacity : {1uz, 7uz, 64uz, 65536uz}) {
    for (const std::size_t chunk : {1uz, 50uz, 65536uz}) {
      buf_reader from{span_reader(wire) | short_reads(chunk), capacity};
      const auto read = thrift::read<everything>(from);
      ASSERT_TRUE(read) << read.error().message();
      EXPECT_EQ(written(*read), wire);
      bytes_writer to;
      ASSERT_TRUE(thrift::write(to | partial_writes(chunk), all));
      EXPECT_EQ(printed(to.view()), printed(wire));
      buf_writer buffer{to | partial_writes(chunk), capacity};
      ASSERT_TRUE(thrift::write(buffer, all));
      ASSERT_TRUE(buffer.flush());
      EXPECT_EQ(printed(to.view().subspan(wire.size())), printed(wire));
    }
  }
  for (std::size_t n = 0; n < wire.size(); n += n > 200 ? 11 : 1) {
    const bytes cut(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(n));
    const auto read = thrift::read<everything>(span_reader(cut));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error(), n == 0 ? io_errc::unexpected_eof : io_errc::truncated);
  }
}

TEST(thrift_mapping, fields_come_in_any_order_and_the_last_of_an_id_counts) {
  made fields;
  fields.string(2, "b").i32(9, 1).i32(1, 10).string(2, "c").i32(1, 11);
  const auto read = thrift::read<strict>(span_reader(fields.done()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->first, 11);
  EXPECT_EQ(read->second, "c");
  // A described field in the other order, through the way for fixed sizes.
  bytes_writer out;
  {
    binary_writer w{out};
    for (const auto id : {std::int16_t{2}, std::int16_t{1}}) {
      ASSERT_TRUE(w.write_field({ttype::double_, id}));
      ASSERT_TRUE(w.write_double(id));
    }
    ASSERT_TRUE(w.write_stop());
  }
  EXPECT_EQ(thrift::read<point>(span_reader(out.view())), (point{1, 2}));
}

TEST(thrift_mapping, what_is_unknown_or_of_another_type_is_skipped) {
  made fields;
  fields.string(1, "not a number").field(ttype::struct_, 77);
  ASSERT_TRUE(thrift::write(fields.out(), one_of_each()));
  fields.i32(2, 5).field(ttype::i64, 3);
  ASSERT_TRUE(fields.out().write_i64(1));
  const bytes wire = fields.done();
  everything into;
  into.lists = {{"kept"}};
  span_reader memory(wire);
  binary_reader in{memory};
  ASSERT_TRUE(thrift::read(in, into));
  EXPECT_EQ(into.lists.size(), 1u);  // absent: as it was
  EXPECT_FALSE(into.maybe || into.next);
  EXPECT_EQ(into.shade, colour::red);
  EXPECT_EQ(thrift::read<strict>(span_reader(wire)).error(), io_errc::invalid_data);  // required

  // Elements of another type leave the container empty.
  made others;
  others.field(ttype::list, 8);
  ASSERT_TRUE(others.out().write_list({ttype::i16, 2}));
  ASSERT_TRUE(others.out().write_i16(1));
  ASSERT_TRUE(others.out().write_i16(2));
  others.field(ttype::map, 12);
  ASSERT_TRUE(others.out().write_map({ttype::binary, ttype::i8, 1}));
  ASSERT_TRUE(others.out().write_string("k"));
  ASSERT_TRUE(others.out().write_i8(2));
  others.field(ttype::set, 10);
  ASSERT_TRUE(others.out().write_set({ttype::void_, 0}));
  others.i32(1, 42);
  const auto read = thrift::read<everything>(span_reader(others.done()));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->lists.empty() && read->map.empty() && read->sets.empty());
  EXPECT_EQ(read->maybe, 42);
}

TEST(thrift_mapping, values_that_a_member_cannot_hold_are_invalid) {
  EXPECT_EQ(thrift::read<with_bool>(span_reader(sample("bad-bool-2.bin"))).error(), io_errc::invalid_data);
  for (const std::int32_t value : {0, 255, 256, -1}) {
    made fields;
    fields.i32(1, value);
    const auto read = thrift::read<with_narrow>(span_reader(fields.done()));
    EXPECT_EQ(read.has_value(), value >= 0 && value <= 255);
    EXPECT_TRUE(read || read.error() == io_errc::invalid_data);
  }
}

TEST(thrift_mapping, depth_is_that_of_the_values) {
  everything outer;
  for (int i = 1; i < 30; ++i) {
    auto next = std::make_unique<everything>(std::move(outer));
    outer = {};
    outer.next = std::move(next);
  }
  const bytes wire = written(outer);  // 30 structs, the innermost with numbers inside
  for (const std::size_t most : {29uz, 30uz, 31uz}) {
    EXPECT_EQ(thrift::read<everything>(span_reader(wire), {.max_depth = most}).has_value(), most == 31);
    EXPECT_EQ(view_tree(wire, {.max_depth = most}).has_value(), most == 31);
  }
  const bytes edges = sample("thrift-bench-Graph.bin");  // struct, list, edge, point, number
  for (const std::size_t most : {2uz, 3uz, 4uz, 5uz}) {
    EXPECT_EQ(thrift::read<graph>(span_reader(edges), {.max_depth = most}).has_value(), most == 5);
    binary_reader in{span_reader(edges), {.max_depth = most + 1}};
    ASSERT_TRUE(in.enter());
    EXPECT_EQ(thrift::read<graph>(in).has_value(), most == 5);
  }
}

TEST(thrift_mapping, only_the_members_own_memory_is_allocated) {
  const bytes graph_file = sample("thrift-bench-Graph.bin");
  span_reader memory(graph_file);
  binary_reader in{memory};
  {
    const support::allocations before;
    EXPECT_TRUE(thrift::read<graph>(in));
    EXPECT_EQ(before.count(), 1u);
    EXPECT_EQ(before.bytes(), 3 * sizeof(edge));
  }
  std::vector<strict> many(1000, {7, "twenty-four characters .."});
  bytes_writer out;
  for (const strict& one : many) ASSERT_TRUE(thrift::write(out, one));
  span_reader all(out.view());
  binary_reader from{all};
  const support::allocations before;
  for (strict& one : many) {
    one = {};
    ASSERT_TRUE(thrift::read(from, one));
  }
  EXPECT_LE(before.count(), 1000u);
  for (const strict& one : many) EXPECT_EQ(one.second.size(), 25u);
}

TEST(thrift_mapping, announced_elements_take_no_memory_before_they_arrive) {
  for (const ttype element : {ttype::struct_, ttype::binary, ttype::i32}) {
    made fields;
    const std::int16_t id = element == ttype::struct_  ? std::int16_t{13}
                            : element == ttype::binary ? std::int16_t{11}
                                                       : std::int16_t{7};
    fields.field(id == 11 ? ttype::set : ttype::list, id);
    ASSERT_TRUE(fields.out().write_list({element, 20'000'000}));
    const bytes wire = fields.done();
    std::array<std::byte, 512> room;
    span_reader memory(wire);
    buf_reader from{memory | short_reads(100), room};
    const support::allocations before;
    EXPECT_EQ(thrift::read<everything>(from).error(), io_errc::truncated);
    EXPECT_LT(before.bytes(), 65536u);
  }
}

}  // namespace
}  // namespace sluice::test
