// SPDX-License-Identifier: BSL-1.0
//
// Thrift's binary protocol: strings of 43 characters (47 bytes) written and read, a list of 1000 structs with a string,
// and three values that other implementations are measured with. The limit, by_hand, is the same work written out, with
// the pointers in registers; apache is Apache Thrift's C++ library with virtual calls seen through, as its generated
// code uses it.
//
//   bench_thrift           # Google Benchmark's arguments
//
// `allocations` are those of one turn.
//
#include <sluice/codec/thrift.hpp>
#include <sluice/sluice.hpp>

#include "support/rows.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

namespace {

std::size_t allocation_count = 0;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocation_count;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace bench_thrift {

struct user {
  std::int64_t id = 0;
  std::int32_t age = 0;
  std::string name;
};

struct users {
  std::vector<user> all;
};

struct primitives {
  std::optional<bool> b;
  std::optional<std::int8_t> i8;
  std::optional<std::int16_t> i16;
  std::optional<std::int32_t> i32;
  std::optional<std::int64_t> i64;
  std::optional<double> d;
  std::optional<std::string> text;
  std::optional<sluice::bytes> binary;
};

struct point {
  double x = 0;
  double y = 0;
};

struct edge {
  point start;
  point end;
};

struct graph {
  std::vector<edge> edges;
};

/// A set in a vector, in the order of arrival: what a program that only goes through it would use.
template <class T>
struct flat_set : std::vector<T> {
  using key_type = T;
  using std::vector<T>::insert;
  void insert(typename std::vector<T>::iterator, T&& element) { this->push_back(std::move(element)); }
};

template <class K, class M>
struct flat_map : std::vector<std::pair<K, M>> {
  using key_type = K;
  using mapped_type = M;
  void insert_or_assign(typename std::vector<std::pair<K, M>>::iterator, K&& key, M&& value) {
    this->emplace_back(std::move(key), std::move(value));
  }
};

struct hash {
  template <class C>
  std::size_t operator()(const C& all) const {
    std::size_t h = 0;
    for (const auto& one : all) h = h * 31 + std::hash<std::string>()(one);
    return h;
  }
  std::size_t operator()(const std::unordered_map<std::string, std::string>& all) const {
    std::size_t h = 0;
    for (const auto& [key, value] : all) h += std::hash<std::string>()(key) * 31 + std::hash<std::string>()(value);
    return h;
  }
  std::size_t operator()(const std::unordered_set<std::string>& all) const {
    std::size_t h = 0;
    for (const auto& one : all) h += std::hash<std::string>()(one);
    return h;
  }
};

using strings = std::vector<std::string>;

struct flat_containers {
  std::vector<std::vector<std::int32_t>> lists;
  std::vector<flat_set<std::int32_t>> sets;
  std::vector<flat_map<std::int32_t, std::int32_t>> maps;
  flat_set<flat_set<std::string>> set_of_sets;
  flat_set<strings> set_of_lists;
  flat_set<flat_map<std::string, std::string>> set_of_maps;
};

struct hashed_containers {
  std::vector<std::vector<std::int32_t>> lists;
  std::vector<std::unordered_set<std::int32_t>> sets;
  std::vector<std::unordered_map<std::int32_t, std::int32_t>> maps;
  std::unordered_set<std::unordered_set<std::string>, hash> set_of_sets;
  std::unordered_set<strings, hash> set_of_lists;
  std::unordered_set<std::unordered_map<std::string, std::string>, hash> set_of_maps;
};

struct ordered_containers {
  std::vector<std::vector<std::int32_t>> lists;
  std::vector<std::set<std::int32_t>> sets;
  std::vector<std::map<std::int32_t, std::int32_t>> maps;
  std::set<std::set<std::string>> set_of_sets;
  std::set<strings> set_of_lists;
  std::set<std::map<std::string, std::string>> set_of_maps;
};

template <class T>
constexpr auto container_fields() {
  using sluice::thrift::field;
  return std::tuple{field<1>(&T::lists),       field<2>(&T::sets),         field<3>(&T::maps),
                    field<4>(&T::set_of_sets), field<5>(&T::set_of_lists), field<6>(&T::set_of_maps)};
}

}  // namespace bench_thrift

namespace sluice::thrift {

template <>
struct mapping<bench_thrift::user> {
  static constexpr auto fields = std::tuple{field<1>(&bench_thrift::user::id), field<2>(&bench_thrift::user::age),
                                            field<3>(&bench_thrift::user::name)};
};
template <>
struct mapping<bench_thrift::users> {
  static constexpr auto fields = std::tuple{field<1>(&bench_thrift::users::all)};
};
template <>
struct mapping<bench_thrift::primitives> {
  using type = bench_thrift::primitives;
  static constexpr auto fields =
      std::tuple{field<1>(&type::b),   field<2>(&type::i8), field<3>(&type::i16),  field<4>(&type::i32),
                 field<5>(&type::i64), field<6>(&type::d),  field<7>(&type::text), field<8>(&type::binary)};
};
template <>
struct mapping<bench_thrift::point> {
  static constexpr auto fields = std::tuple{field<1>(&bench_thrift::point::x), field<2>(&bench_thrift::point::y)};
};
template <>
struct mapping<bench_thrift::edge> {
  static constexpr auto fields = std::tuple{field<1>(&bench_thrift::edge::start), field<2>(&bench_thrift::edge::end)};
};
template <>
struct mapping<bench_thrift::graph> {
  static constexpr auto fields = std::tuple{field<1>(&bench_thrift::graph::edges)};
};
template <>
struct mapping<bench_thrift::flat_containers> {
  static constexpr auto fields = bench_thrift::container_fields<bench_thrift::flat_containers>();
};
template <>
struct mapping<bench_thrift::hashed_containers> {
  static constexpr auto fields = bench_thrift::container_fields<bench_thrift::hashed_containers>();
};
template <>
struct mapping<bench_thrift::ordered_containers> {
  static constexpr auto fields = bench_thrift::container_fields<bench_thrift::ordered_containers>();
};

}  // namespace sluice::thrift

namespace {

using namespace sluice;
using namespace bench_thrift;
namespace apache = ::apache::thrift;

void check(bool good) {
  if (!good) [[unlikely]]
    std::abort();
}

/// The time of one turn, and what it allocates.
template <class Turn>
void repeat(benchmark::State& state, Turn turn) {
  turn();
  const std::size_t before = allocation_count;
  turn();
  const std::size_t in_one = allocation_count - before;
  for (auto _ : state) turn();
  state.counters["allocations"] = static_cast<double>(in_one);
}

constexpr std::string_view fox = "the quick brown fox jumps over the lazy dog";
constexpr std::size_t batch = 1024;  // strings in one turn, into memory that stays in the cache

// ---- P11: strings ----

void write_by_hand(benchmark::State& state) {
  std::vector<std::byte> room(batch * 64);
  std::string_view text = fox;
  benchmark::DoNotOptimize(text);
  repeat(state, [&] {
    std::byte* to = room.data();
    std::byte* const end = to + room.size();
    for (std::size_t i = 0; i != batch; ++i) {
      check(static_cast<std::size_t>(end - to) >= 4 + text.size());
      store_be(std::span<std::byte, 4>(to, 4), static_cast<std::uint32_t>(text.size()));
      std::memcpy(to + 4, text.data(), text.size());
      to += 4 + text.size();
    }
    benchmark::ClobberMemory();
  });
  state.SetItemsProcessed(state.iterations() * std::int64_t{batch});
}

void write_by_sluice(benchmark::State& state) {
  std::vector<std::byte> room(batch * 64);
  std::string_view text = fox;
  benchmark::DoNotOptimize(text);
  repeat(state, [&] {
    span_writer to(room);
    thrift::binary_writer out{to};
    for (std::size_t i = 0; i != batch; ++i) {
      check(out.write_string(text).has_value());
    }
    benchmark::ClobberMemory();
  });
  state.SetItemsProcessed(state.iterations() * std::int64_t{batch});
}

using apache_protocol = apache::protocol::TBinaryProtocolT<apache::transport::TMemoryBuffer>;

void write_by_apache(benchmark::State& state) {
  const auto memory = std::make_shared<apache::transport::TMemoryBuffer>(batch * 64);
  apache_protocol out(memory);
  std::string text(fox);
  repeat(state, [&] {
    memory->resetBuffer();
    for (std::size_t i = 0; i != batch; ++i) out.writeString(text);
    benchmark::ClobberMemory();
  });
  state.SetItemsProcessed(state.iterations() * std::int64_t{batch});
}

bytes foxes() {
  bytes_writer to;
  thrift::binary_writer out{to};
  for (std::size_t i = 0; i != batch; ++i) check(out.write_string(fox).has_value());
  return out.stream().take();
}

void read_by_hand(benchmark::State& state) {
  const bytes all = foxes();
  repeat(state, [&] {
    const std::byte* from = all.data();
    const std::byte* const end = from + all.size();
    for (std::size_t i = 0; i != batch; ++i) {
      check(end - from >= 4);
      const auto n = load_be<std::uint32_t>(std::span<const std::byte, 4>(from, 4));
      from += 4;
      check(static_cast<std::size_t>(end - from) >= n);
      std::string text;
      text.resize_and_overwrite(n, [&](char* p, std::size_t k) {
        std::memcpy(p, from, k);
        return k;
      });
      from += n;
      benchmark::DoNotOptimize(text.data());
    }
  });
  state.SetItemsProcessed(state.iterations() * std::int64_t{batch});
}

void read_by_sluice(benchmark::State& state) {
  const bytes all = foxes();
  repeat(state, [&] {
    span_reader from(all);
    thrift::binary_reader in{from};
    for (std::size_t i = 0; i != batch; ++i) {
      auto text = in.read_string();
      check(text.has_value());
      benchmark::DoNotOptimize(text->data());
    }
  });
  state.SetItemsProcessed(state.iterations() * std::int64_t{batch});
}

void view_by_sluice(benchmark::State& state) {
  const bytes all = foxes();
  repeat(state, [&] {
    span_reader from(all);
    thrift::binary_reader in{from};
    for (std::size_t i = 0; i != batch; ++i) {
      auto text = in.read_string_view();
      check(text.has_value());
      benchmark::DoNotOptimize(text->data());
    }
  });
  state.SetItemsProcessed(state.iterations() * std::int64_t{batch});
}

/// Of bytes that lie somewhere else, to be read again and again.
class apache_memory : public apache::transport::TMemoryBuffer {
 public:
  void again(const bytes& all) {
    resetBuffer(const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(all.data())),
                static_cast<std::uint32_t>(all.size()));
    resetConsumedMessageSize();
  }
};

void read_by_apache(benchmark::State& state) {
  const bytes all = foxes();
  const auto memory = std::make_shared<apache_memory>();
  apache_protocol in(memory);
  repeat(state, [&] {
    memory->again(all);
    for (std::size_t i = 0; i != batch; ++i) {
      std::string text;
      in.readString(text);
      benchmark::DoNotOptimize(text.data());
    }
  });
  state.SetItemsProcessed(state.iterations() * std::int64_t{batch});
}

// ---- P11: 1000 structs with a string ----

const bytes& thousand_users() {
  static const bytes all = [] {
    users made;
    for (std::int32_t i = 0; i < 1000; ++i) made.all.push_back({i, i % 100, std::string(fox)});
    bytes_writer to;
    check(thrift::write(to, made).has_value());
    return to.take();
  }();
  return all;
}

void users_by_hand(benchmark::State& state) {
  const bytes& all = thousand_users();
  repeat(state, [&] {
    const std::byte* from = all.data();
    const std::byte* const end = from + all.size();
    const auto has = [&](std::size_t n) { check(static_cast<std::size_t>(end - from) >= n); };
    const auto number = [&]<class T>(T& value) {
      has(sizeof(T));
      value = load_be<T>(std::span<const std::byte, sizeof(T)>(from, sizeof(T)));
      from += sizeof(T);
    };
    const auto header = [&](std::uint8_t& type, std::int16_t& id) {
      number(type);
      if (type != 0) number(id);
    };
    users into;
    std::uint8_t type = 0;
    std::int16_t id = 0;
    header(type, id);
    check(type == 15 && id == 1);
    std::uint8_t element = 0;
    std::int32_t size = 0;
    number(element);
    number(size);
    check(element == 12 && size >= 0);
    into.all.resize(static_cast<std::size_t>(size));
    for (user& one : into.all) {
      for (header(type, id); type != 0; header(type, id)) {
        if (id == 1 && type == 10) {
          number(one.id);
        } else if (id == 2 && type == 8) {
          number(one.age);
        } else if (id == 3 && type == 11) {
          std::uint32_t n = 0;
          number(n);
          has(n);
          one.name.assign(reinterpret_cast<const char*>(from), n);
          from += n;
        } else {
          std::abort();
        }
      }
    }
    header(type, id);
    check(type == 0);
    benchmark::DoNotOptimize(into.all.data());
  });
}

void users_by_sluice(benchmark::State& state) {
  const bytes& all = thousand_users();
  repeat(state, [&] {
    const auto into = thrift::read<users>(span_reader(all));
    check(into && into->all.size() == 1000);
    benchmark::DoNotOptimize(into->all.data());
  });
}

void users_by_apache(benchmark::State& state) {
  const bytes& all = thousand_users();
  const auto memory = std::make_shared<apache_memory>();
  apache_protocol in(memory);
  using namespace apache::protocol;
  repeat(state, [&] {
    memory->again(all);
    users into;
    std::string name;
    TType type{};
    std::int16_t id = 0;
    in.readStructBegin(name);
    for (in.readFieldBegin(name, type, id); type != T_STOP; in.readFieldBegin(name, type, id)) {
      check(type == T_LIST && id == 1);
      TType element{};
      std::uint32_t size = 0;
      in.readListBegin(element, size);
      into.all.resize(size);
      for (user& one : into.all) {
        in.readStructBegin(name);
        for (in.readFieldBegin(name, type, id); type != T_STOP; in.readFieldBegin(name, type, id)) {
          if (id == 1 && type == T_I64)
            in.readI64(one.id);
          else if (id == 2 && type == T_I32)
            in.readI32(one.age);
          else if (id == 3 && type == T_STRING)
            in.readString(one.name);
          else
            std::abort();
          in.readFieldEnd();
        }
        in.readStructEnd();
      }
      in.readListEnd();
      in.readFieldEnd();
    }
    in.readStructEnd();
    benchmark::DoNotOptimize(into.all.data());
  });
}

// ---- P15 ----

template <class T>
bytes encoded(const char* name) {
  const std::string path = std::string(SLUICE_THRIFT_SAMPLES) + "/thrift-bench-" + name + ".bin";
  return or_throw(read_all(or_throw(file::open(path))));
}

template <class T>
void add_value(const std::string& topic, const char* sample) {
  static const bytes all = encoded<T>(sample);
  bench::add_row(topic + "/encode", [](benchmark::State& state) {
    const T value = or_throw(thrift::read<T>(span_reader(all)));
    std::vector<std::byte> room(2 * all.size());
    repeat(state, [&] {
      span_writer to(room);
      check(thrift::write(to, value).has_value() && to.written().size() == all.size());
      benchmark::ClobberMemory();
    });
  });
  bench::add_row(topic + "/decode", [](benchmark::State& state) {
    repeat(state, [&] {
      const auto value = thrift::read<T>(span_reader(all));
      check(value.has_value());
      benchmark::DoNotOptimize(&value);
    });
  });
  bench::add_row(topic + "/decode_through_tree", [](benchmark::State& state) {
    thrift::tree tree;
    repeat(state, [&] {
      span_reader from(all);
      thrift::binary_reader in{from};
      check(thrift::read_tree(in, tree).has_value());
      const auto value = thrift::read<T>(tree.root());
      check(value.has_value());
      benchmark::DoNotOptimize(&value);
    });
  });
  bench::add_row(topic + "/tree", [](benchmark::State& state) {
    thrift::tree tree;
    repeat(state, [&] {
      span_reader from(all);
      thrift::binary_reader in{from};
      check(thrift::read_tree(in, tree).has_value());
      benchmark::DoNotOptimize(&tree);
    });
  });
  bench::add_row(topic + "/skip", [](benchmark::State& state) {
    repeat(state, [&] {
      thrift::skipper at(all);
      check(at.skip(thrift::ttype::struct_).has_value());
      benchmark::DoNotOptimize(&at);
    });
  });
  bench::add_row(topic + "/skip/apache", [](benchmark::State& state) {
    const auto memory = std::make_shared<apache_memory>();
    apache_protocol in(memory);
    repeat(state, [&] {
      memory->again(all);
      apache::protocol::skip(in, apache::protocol::T_STRUCT);
    });
  });
}

const bool added = [] {
  using bench::add_row;
  add_row("thrift/write_string/by_hand", write_by_hand);
  add_row("thrift/write_string/sluice", write_by_sluice);
  add_row("thrift/write_string/apache", write_by_apache);
  add_row("thrift/read_string/by_hand", read_by_hand);
  add_row("thrift/read_string/sluice", read_by_sluice);
  add_row("thrift/read_string/sluice_view", view_by_sluice);
  add_row("thrift/read_string/apache", read_by_apache);
  add_row("thrift/1000_users/by_hand", users_by_hand);
  add_row("thrift/1000_users/sluice", users_by_sluice);
  add_row("thrift/1000_users/apache", users_by_apache);
  add_value<primitives>("thrift/primitives", "PrimitiveOptionalStruct");
  add_value<graph>("thrift/graph", "Graph");
  add_value<flat_containers>("thrift/containers_flat", "ContainersOfContainers");
  add_value<hashed_containers>("thrift/containers_hashed", "ContainersOfContainers");
  add_value<ordered_containers>("thrift/containers_ordered", "ContainersOfContainers");
  return true;
}();

}  // namespace
