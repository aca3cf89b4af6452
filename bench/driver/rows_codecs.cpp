// SPDX-License-Identifier: BSL-1.0
//
// Formats: decompression, Thrift, RecordIO. Loops of one program each, which is there where what it needs is; and the
// programs that decompress a file.
//
#include "rows.hpp"

#include <filesystem>

namespace sluice::bench {
namespace {

bool has_program(const contestants& who, const std::string& name) {
  const bool only_names = who.here.programs == ".";
  return only_names || std::filesystem::exists(who.here.programs + "/bench_" + name);
}

constexpr std::uintmax_t log_size = 100'000'000;

// The compressed file that bench_gunzip makes and reads.
void needs_log(const contestants& who, row& work) {
  work.needs = "log-" + std::to_string(log_size) + ".gz";
  work.makes_it = who.loop("gunzip", {"gunzip/stream/100MB", ""}).command;
}

void gunzip(const contestants& who, row_list& rows) {
  const std::string stream = "gunzip/stream/100MB";
  row streamed = who.loops(stream, log_size, "gunzip", {stream + "/isal", "ISA-L's own loop"},
                           {{stream, "sluice"},
                            {stream + "/buffered", "sluice, buffered"},
                            {stream + "/copy", "sluice, copy"},
                            {stream + "/zlib", "zlib's own loop", side::peer}});
  needs_log(who, streamed);
  who.add_peers(streamed, {"gunzip", "FOLDER/" + streamed.needs});
  rows.push_back(std::move(streamed));

  struct {
    const char* name;
    std::uintmax_t bytes;
  } const sizes[]{{"300KB", 300'000}, {"1MB", 1'000'000}, {"10MB", 10'000'000}, {"100MB", log_size}};
  for (const auto& size : sizes) {
    const std::string whole = std::string("gunzip/whole/") + size.name;
    row work = who.loops(whole, size.bytes, "gunzip", {whole + "/isal", "ISA-L, one block"},
                         {{whole, "sluice"}, {whole + "/without_hint", "sluice, size unknown"}});
    if (who.has_loop("gunzip", whole + "/libdeflate"))
      work.contenders.push_back(who.loop("gunzip", {whole + "/libdeflate", "libdeflate", side::peer}));
    rows.push_back(std::move(work));
  }
}

void gunzip_processes(const contestants& who, row_list& rows) {
  if (who.here.tool.empty()) return;
  row work{.name = "process/gunzip/100MB",
           .to = end_kind::null,
           .bytes = log_size,
           .folder = who.here.folders.front().second,
           .how = timing::process,
           .contenders = {}};
  needs_log(who, work);
  const std::string file = "FOLDER/" + work.needs;
  if (has_command("igzip")) work.contenders.push_back(contestants::by_hand("igzip", {"igzip", "-dc", file}));
  work.contenders.push_back({"sluice copy --gunzip", {who.here.tool, "copy", "--gunzip", file, "-"}});
  for (const char* program : {"pigz", "gzip"})
    if (has_command(program)) work.contenders.push_back(contestants::peer(program, {program, "-dc", file}));
  rows.push_back(std::move(work));
}

void decompress(const contestants& who, row_list& rows) {
  for (const std::string format : {"zstd", "lz4", "snappy"}) {
    const std::string name = "decompress/" + format;
    rows.push_back(who.loops(name, log_size, "decompress", {name + "/loop", "the library's own loop"},
                             {{name, "sluice"}, {name + "/detected", "sluice, decompressed"}}));
  }
}

void thrift(const contestants& who, row_list& rows) {
  struct {
    const char* name;
    std::uintmax_t bytes;
  } const works[]{{"thrift/write_string", 48}, {"thrift/read_string", 48}, {"thrift/1000_users", 64'000}};
  for (const auto& work : works) {
    const std::string name = work.name;
    rows.push_back(who.loops(name, work.bytes, "thrift", {name + "/by_hand", "by hand"},
                             {{name + "/sluice", "sluice"}, {name + "/apache", "Apache Thrift", side::peer}}));
  }
  for (const std::string value :
       {"primitives", "graph", "containers_flat", "containers_hashed", "containers_ordered"}) {
    const std::string name = "thrift/" + value;
    row work{.name = name, .bytes = 1000, .folder = "", .how = timing::loop, .contenders = {}};
    for (const char* what : {"decode", "encode", "decode_through_tree", "skip"})
      work.contenders.push_back(who.loop("thrift", {name + '/' + what, what}));
    work.contenders.push_back(who.loop("thrift", {name + "/skip/apache", "Apache Thrift, skip", side::peer}));
    rows.push_back(std::move(work));
  }
}

void recordio(const contestants& who, row_list& rows) {
  constexpr std::uintmax_t large = 2 * MiB;
  for (const std::string stored : {"none", "snappy", "gzip"}) {
    for (const std::uintmax_t records : {100U, 150U}) {
      const std::string name = "recordio/" + stored + '/' + std::to_string(records) + "_of_200_x_2MiB";
      rows.push_back(who.loops(name, records * large, "recordio", {name + "/by_hand", "by hand"},
                               {{name + "/recordio_range", "recordio_range"}}));
    }
    const std::string name = "recordio/" + stored + "/1000000_x_64";
    rows.push_back(who.loops(name, 64'000'000, "recordio", {name + "/by_hand", "by hand"},
                             {{name + "/records", "records"},
                              {name + "/recordio_reader", "recordio_reader"},
                              {name + "/recordio_range", "recordio_range"}}));
  }
}

}  // namespace

void add_codec_rows(const contestants& who, row_list& rows) {
  if (has_program(who, "gunzip")) {
    gunzip(who, rows);
    gunzip_processes(who, rows);
  }
  if (has_program(who, "decompress")) decompress(who, rows);
  if (has_program(who, "recordio")) recordio(who, rows);
  if (has_program(who, "thrift")) thrift(who, rows);
}

}  // namespace sluice::bench
