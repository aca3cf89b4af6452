// SPDX-License-Identifier: BSL-1.0
//
// Large transfers: files, whole processes, clones, sockets, pipes.
//
#include "rows.hpp"

namespace sluice::bench {
namespace {

void files(const contestants& who, row_list& rows, const std::string& name, const std::string& folder) {
  row work{.name = "copy/file_to_file/" + name + "/1GiB",
           .from = end_kind::file,
           .to = end_kind::file,
           .bytes = 1024 * MiB,
           .folder = folder,
           .contenders = {contestants::by_hand("read and write 256 KiB", {who.move, "read_write", "262144"}),
                          contestants::by_hand("sendfile", {who.move, "sendfile"}),
                          contestants::by_hand("copy_file_range", {who.move, "copy_file_range"}), who.sluice(),
                          who.sluice("any_reader"), who.sluice("buf_reader"), who.sluice("buf_writer")}};
  who.add_peers(work, {"move", "file", "file"});
  rows.push_back(std::move(work));
}

void processes(const contestants& who, row_list& rows, const std::string& name, const std::string& folder) {
  if (who.here.tool.empty()) return;
  row work{.name = "process/file_to_file/" + name + "/1GiB",
           .from = end_kind::file,
           .to = end_kind::file,
           .bytes = 1024 * MiB,
           .folder = folder,
           .how = timing::process,
           .contenders = {contestants::by_hand("cp", {"cp", "FROM", "TO"}),
                          contestants::by_hand("cat", {"cat"}),
                          {"sluice copy", {who.here.tool, "copy", "FROM", "TO"}},
                          {"sluice copy - -", {who.here.tool, "copy", "-", "-"}},
                          contestants::peer("dd bs=256K", {"dd", "bs=256K", "status=none"})}};
  if (has_command("pv")) work.contenders.push_back(contestants::peer("pv -q", {"pv", "-q"}));
  rows.push_back(std::move(work));
}

void clones(const contestants& who, row_list& rows, const std::string& name, const std::string& folder) {
  for (const std::uintmax_t size : {16 * MiB, 256 * MiB})
    rows.push_back({.name = "copy/clone/" + name + "/" + std::to_string(size / MiB) + "MiB",
                    .from = end_kind::file,
                    .to = end_kind::file,
                    .bytes = size,
                    .folder = folder,
                    .contenders = {contestants::by_hand("read and write 256 KiB", {who.move, "read_write", "262144"}),
                                   contestants::by_hand("copy_file_range", {who.move, "copy_file_range"}), who.sluice(),
                                   who.sluice("any_reader")}});
}

const char* name_of(end_kind kind) {
  switch (kind) {
    case end_kind::file: return "file";
    case end_kind::pipe: return "pipe";
    case end_kind::tcp: return "tcp";
    case end_kind::unix_socket: return "unix";
    default: return "null";
  }
}

void moves(const contestants& who, row_list& rows, end_kind from, end_kind to, std::uintmax_t bytes,
           std::vector<contender> limits, std::initializer_list<const char*> wrappers) {
  row work{
      .name = std::string("copy/") + name_of(from) + "_to_" + name_of(to) + "/" + std::to_string(bytes / MiB) + "MiB",
      .from = from,
      .to = to,
      .bytes = bytes,
      .folder = who.here.folders.back().second,
      .contenders = std::move(limits)};
  work.contenders.push_back(who.sluice());
  for (const char* wrapper : wrappers) work.contenders.push_back(who.sluice(wrapper));
  who.add_peers(work, {"move", name_of(from), to == end_kind::null ? "file" : name_of(to)});
  rows.push_back(std::move(work));
}

void sockets(const contestants& who, row_list& rows) {
  using enum end_kind;
  const auto read_write = [&](const char* bytes) {
    return contestants::by_hand(std::string("read and write ") + bytes, {who.move, "read_write", bytes});
  };
  const auto through = [&](const char* bytes) {
    return contestants::by_hand(std::string("splice through ") + bytes, {who.move, "splice_through", bytes});
  };
  for (const end_kind to : {tcp, unix_socket})
    moves(who, rows, file, to, 512 * MiB,
          {contestants::by_hand("sendfile", {who.move, "sendfile"}), read_write("8192"), read_write("65536"),
           read_write("1048576")},
          {"any_reader", "user", "buf_reader"});
  moves(who, rows, tcp, file, 256 * MiB, {through("1048576"), read_write("262144")}, {"any_reader", "limit"});
  moves(who, rows, unix_socket, file, 256 * MiB, {through("1048576"), read_write("262144")}, {});
  moves(who, rows, tcp, tcp, 256 * MiB, {through("65536"), through("1048576"), read_write("262144")}, {"any_reader"});
  moves(who, rows, unix_socket, unix_socket, 256 * MiB, {through("65536"), through("1048576"), read_write("262144")},
        {});
}

void pipes(const contestants& who, row_list& rows) {
  using enum end_kind;
  const std::vector<contender> limits{
      contestants::by_hand("splice", {who.move, "splice"}),
      contestants::by_hand("read and write 1 MiB", {who.move, "read_write", "1048576"})};
  for (const end_kind to : {pipe, file, null}) moves(who, rows, pipe, to, 512 * MiB, limits, {"any_reader"});
}

}  // namespace

void add_transfer_rows(const contestants& who, row_list& rows) {
  for (const auto& [name, folder] : who.here.folders) files(who, rows, name, folder);
  for (const auto& [name, folder] : who.here.folders) processes(who, rows, name, folder);
  for (const auto& [name, folder] : who.here.reflinks) clones(who, rows, name, folder);
  sockets(who, rows);
  pipes(who, rows);
}

}  // namespace sluice::bench
