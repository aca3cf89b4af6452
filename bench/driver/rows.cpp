// SPDX-License-Identifier: BSL-1.0
//
// The rows: which work, by hand, by the library, by its peers.
//
#include "contest.hpp"

namespace sluice::bench {
namespace {

constexpr std::uintmax_t MiB = std::uintmax_t{1} << 20;

using command = std::vector<std::string>;

class rows {
 public:
  explicit rows(const setting& here) : here_(here), move_(here.programs + "/bench_move") {}

  std::vector<row> all() {
    zero_to_null();
    small_copies();
    for (const auto& [name, folder] : here_.folders) files(name, folder);
    for (const auto& [name, folder] : here_.folders) processes(name, folder);
    for (const auto& [name, folder] : here_.reflinks) clones(name, folder);
    sockets();
    pipes();
    return std::move(all_);
  }

 private:
  row& add(row made) { return all_.emplace_back(std::move(made)); }

  static contender by_hand(std::string name, command how) { return {std::move(name), std::move(how), true}; }
  contender sluice(const char* wrapper = nullptr) const {
    if (!wrapper) return {"sluice", {move_, "sluice"}};
    return {std::string("sluice, ") + wrapper, {move_, "sluice", wrapper}};
  }
  void peers(row& work, const command& arguments) const {
    for (const auto& [name, program] : {std::pair("Rust", here_.rust), std::pair("Go", here_.go)}) {
      if (program.empty()) continue;
      command all{program};
      all.insert(all.end(), arguments.begin(), arguments.end());
      work.contenders.push_back({name, std::move(all)});
    }
  }

  // A row of one of the Google Benchmark programs.
  contender loop(const char* program, const std::string& name, const char* shown, bool limit = false) const {
    return {shown,
            {here_.programs + "/bench_" + program, "--benchmark_filter=^" + name + "$", "--benchmark_format=csv",
             "--benchmark_min_time=0.02"},
            limit};
  }

  void zero_to_null() {
    const std::string prefix = "copy/zero_to_null/1MiB/";
    const auto make = [&](const char* name, std::initializer_list<const char*> ours, const char* peer) {
      row work{.name = prefix + name, .bytes = MiB, .folder = {}, .how = timing::loop, .contenders = {}};
      work.contenders.push_back(loop("zero_to_null", prefix + "plain_loop", "read and write 256 KiB", true));
      for (const char* one : ours) work.contenders.push_back(loop("zero_to_null", prefix + one, one));
      peers(work, {"zero_to_null", peer});
      add(std::move(work));
    };
    make("buf_reader", {"buf_reader_of_limit", "fresh_buffer"}, "buf_reader");
    make("wrapped", {"limit_of_buf_reader", "counted_limit", "user_wrapper", "any_reader"}, "limit_of_buf_reader");
    make("into_buf_writer", {"into_buf_writer"}, "into_buf_writer");
  }

  void small_copies() {
    for (const std::string size : {"16", "1024", "16384"}) {
      const std::string prefix = "copy/small_file/" + size + "/";
      row work{.name = "copy/small_file/" + size,
               .bytes = std::stoull(size),
               .folder = here_.folders.front().second,
               .how = timing::loop,
               .contenders = {}};
      work.contenders.push_back(loop("small_copies", prefix + "plain_loop", "read and write", true));
      for (const char* one : {"sluice_copy", "through_buf_reader", "through_any_reader"})
        work.contenders.push_back(loop("small_copies", prefix + one, one));
      peers(work, {"small_file", size, "FOLDER"});
      add(std::move(work));
    }
    row work{.name = "copy/memory_to_writer/16", .bytes = 16, .folder = {}, .how = timing::loop, .contenders = {}};
    work.contenders.push_back(loop("small_copies", work.name + "/plain_loop", "memcpy", true));
    work.contenders.push_back(loop("small_copies", work.name + "/sluice_copy", "sluice_copy"));
    if (!here_.rust.empty()) work.contenders.push_back({"Rust", {here_.rust, "memory_to_writer"}});
    add(std::move(work));
  }

  void files(const std::string& name, const std::string& folder) {
    row work{
        .name = "copy/file_to_file/" + name + "/1GiB",
        .from = end_kind::file,
        .to = end_kind::file,
        .bytes = 1024 * MiB,
        .folder = folder,
        .contenders = {by_hand("read and write 256 KiB", {move_, "read_write", "262144"}),
                       by_hand("sendfile", {move_, "sendfile"}), by_hand("copy_file_range", {move_, "copy_file_range"}),
                       sluice(), sluice("any_reader"), sluice("buf_reader"), sluice("buf_writer")}};
    peers(work, {"move", "file", "file"});
    add(std::move(work));
  }

  void processes(const std::string& name, const std::string& folder) {
    if (here_.tool.empty()) return;
    add({.name = "process/file_to_file/" + name + "/1GiB",
         .from = end_kind::file,
         .to = end_kind::file,
         .bytes = 1024 * MiB,
         .folder = folder,
         .how = timing::process,
         .contenders = {by_hand("cp", {"cp", "FROM", "TO"}),
                        by_hand("cat", {"cat"}),
                        {"dd bs=256K", {"dd", "bs=256K", "status=none"}},
                        {"sluice copy", {here_.tool, "copy", "FROM", "TO"}},
                        {"sluice copy - -", {here_.tool, "copy", "-", "-"}}}});
  }

  void clones(const std::string& name, const std::string& folder) {
    for (const std::uintmax_t size : {16 * MiB, 256 * MiB})
      add({.name = "copy/clone/" + name + "/" + std::to_string(size / MiB) + "MiB",
           .from = end_kind::file,
           .to = end_kind::file,
           .bytes = size,
           .folder = folder,
           .contenders = {by_hand("read and write 256 KiB", {move_, "read_write", "262144"}),
                          by_hand("copy_file_range", {move_, "copy_file_range"}), sluice(), sluice("any_reader")}});
  }

  static const char* name_of(end_kind kind) {
    switch (kind) {
      case end_kind::file: return "file";
      case end_kind::pipe: return "pipe";
      case end_kind::tcp: return "tcp";
      case end_kind::unix_socket: return "unix";
      default: return "null";
    }
  }

  void moves(end_kind from, end_kind to, std::uintmax_t bytes, std::vector<contender> limits,
             std::initializer_list<const char*> wrappers) {
    row work{
        .name = std::string("copy/") + name_of(from) + "_to_" + name_of(to) + "/" + std::to_string(bytes / MiB) + "MiB",
        .from = from,
        .to = to,
        .bytes = bytes,
        .folder = here_.folders.back().second,
        .contenders = std::move(limits)};
    work.contenders.push_back(sluice());
    for (const char* wrapper : wrappers) work.contenders.push_back(sluice(wrapper));
    peers(work, {"move", name_of(from), to == end_kind::null ? "file" : name_of(to)});
    add(std::move(work));
  }

  void sockets() {
    using enum end_kind;
    const auto read_write = [&](const char* bytes) {
      return by_hand(std::string("read and write ") + bytes, {move_, "read_write", bytes});
    };
    const auto through = [&](const char* bytes) {
      return by_hand(std::string("splice through ") + bytes, {move_, "splice_through", bytes});
    };
    for (const end_kind to : {tcp, unix_socket})
      moves(file, to, 512 * MiB,
            {by_hand("sendfile", {move_, "sendfile"}), read_write("8192"), read_write("65536"), read_write("1048576")},
            {"any_reader", "user", "buf_reader"});
    moves(tcp, file, 256 * MiB, {through("1048576"), read_write("262144")}, {"any_reader", "limit"});
    moves(unix_socket, file, 256 * MiB, {through("1048576"), read_write("262144")}, {});
    moves(tcp, tcp, 256 * MiB, {through("65536"), through("1048576"), read_write("262144")}, {"any_reader"});
    moves(unix_socket, unix_socket, 256 * MiB, {through("65536"), through("1048576"), read_write("262144")}, {});
  }

  void pipes() {
    using enum end_kind;
    const std::vector<contender> limits{by_hand("splice", {move_, "splice"}),
                                        by_hand("read and write 1 MiB", {move_, "read_write", "1048576"})};
    for (const end_kind to : {pipe, file, null}) moves(pipe, to, 512 * MiB, limits, {"any_reader"});
  }

  const setting& here_;
  const std::string move_;
  std::vector<row> all_;
};

}  // namespace

std::vector<row> all_rows(const setting& here) { return rows(here).all(); }

}  // namespace sluice::bench
