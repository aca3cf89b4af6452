// SPDX-License-Identifier: BSL-1.0
//
// A struct described once is written and read as Thrift has it, in a file of framed messages with their envelopes. A
// reader that knows fewer fields reads the same file, and a program that knows none walks it.
//
//   example_thrift_struct FILE
//
#include <sluice/codec/thrift.hpp>
#include <sluice/sluice.hpp>

#include <iostream>

using namespace sluice;

enum class role : std::int32_t { reader = 1, writer = 2 };

struct user {
  std::int64_t id = 0;
  std::string name;
  role as = role::reader;
  std::optional<std::string> mail;
  std::vector<std::int32_t> scores;
};

struct name_only {
  std::string name;
};

template <>
struct sluice::thrift::mapping<user> {
  static constexpr auto fields = std::tuple{required<1>(&user::id), field<2>(&user::name), field<3>(&user::as),
                                            field<4>(&user::mail), field<5>(&user::scores)};
};

template <>
struct sluice::thrift::mapping<name_only> {
  static constexpr auto fields = std::tuple{required<2>(&name_only::name)};
};

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  {
    thrift::framed_writer frames{or_throw(file::create(argv[1]))};
    thrift::binary_writer out{frames};
    for (const user& one :
         {user{1, "Ada", role::writer, "ada@example.org", {3, 5}}, user{2, "Bob", role::reader, {}, {}}}) {
      or_throw(thrift::write_envelope(out, {.name = "added", .type = thrift::message_type::oneway}));
      or_throw(thrift::write(out, one));
      or_throw(out.flush());  // ends the frame
    }
    or_throw(frames.inner().close());
  }

  std::size_t users = 0;
  thrift::framed_reader frames{buf_reader{or_throw(file::open(argv[1]))}};
  while (or_throw(frames.next_frame())) {
    thrift::binary_reader in{frames, {.max_depth = 8}};
    const auto head = or_throw(thrift::read_envelope(in));
    const auto tree = or_throw(thrift::read_tree(in));
    const auto whole = or_throw(thrift::read<user>(tree.root()));
    const auto name = or_throw(thrift::read<name_only>(tree.root())).name;
    std::cout << head.name << ' ' << whole.id << ' ' << name << ", fields";
    for (const thrift::named_value field : tree.root().fields()) std::cout << ' ' << field.id;
    std::cout << '\n';
    ++users;
  }
  return users == 2 ? 0 : 1;
}
