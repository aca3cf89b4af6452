// SPDX-License-Identifier: BSL-1.0
//
// The command line of `sluice records`.
//
//   struct records_settings { ... };
//   std::expected<records_settings, ending> parse_records_line(int argc, char** argv);
//
#ifndef SLUICE_TOOL_RECORDS_LINE_HPP
#define SLUICE_TOOL_RECORDS_LINE_HPP

#include <sluice/codec/recordio.hpp>

#include "process.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace sluice::tool {

enum class record_format : unsigned char { recordio, tfrecord, dmlc, mesos, thrift };

struct records_settings {
  enum class task : unsigned char { list, count, chunks, verify, split, write };

  std::string source;       ///< a path, or "-"
  std::string destination;  ///< the same; of task::write
  task what = task::list;
  record_format from = record_format::recordio;
  record_format to = record_format::recordio;
  std::uintmax_t first = 0;              ///< the first record that is wanted
  std::optional<std::uintmax_t> behind;  ///< the first that is not any more
  std::size_t parts = 0;                 ///< of task::split
  recordio_options reading;
  recordio_writer_options writing;

  bool has_range() const noexcept { return first != 0 || behind.has_value(); }
};

/// Takes the arguments that follow the command's name. An error is how the process has to end: `--help` was asked for
/// and printed, or the line is wrong and the reason printed.
std::expected<records_settings, ending> parse_records_line(int argc, char** argv);

}  // namespace sluice::tool

#endif
