// SPDX-License-Identifier: BSL-1.0
//
// Formats: decompression, Thrift, RecordIO. All are loops of one program each, which is there where what it needs is.
//
#include "rows.hpp"

#include <filesystem>

namespace sluice::bench {
namespace {

bool has_program(const contestants& who, const std::string& name) {
  const bool only_names = who.here.programs == ".";
  return only_names || std::filesystem::exists(who.here.programs + "/bench_" + name);
}

void gunzip(const contestants& who, row_list& rows) {
  const std::string stream = "gunzip/stream/100MB";
  rows.push_back(who.loops(stream, 100'000'000, "gunzip", {stream + "/isal", "ISA-L's own loop"},
                           {{stream, "sluice"},
                            {stream + "/buffered", "sluice, buffered"},
                            {stream + "/copy", "sluice, copy"},
                            {stream + "/zlib", "zlib's own loop"}}));
  struct {
    const char* name;
    std::uintmax_t bytes;
  } const sizes[]{{"300KB", 300'000}, {"1MB", 1'000'000}, {"10MB", 10'000'000}, {"100MB", 100'000'000}};
  for (const auto& size : sizes) {
    const std::string whole = std::string("gunzip/whole/") + size.name;
    rows.push_back(who.loops(whole, size.bytes, "gunzip", {whole + "/isal", "ISA-L, one block"},
                             {{whole, "sluice"}, {whole + "/without_hint", "sluice, size unknown"}}));
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
                             {{name + "/sluice", "sluice"}, {name + "/apache", "Apache Thrift"}}));
  }
}

}  // namespace

void add_codec_rows(const contestants& who, row_list& rows) {
  if (has_program(who, "gunzip")) gunzip(who, rows);
  if (has_program(who, "thrift")) thrift(who, rows);
}

}  // namespace sluice::bench
