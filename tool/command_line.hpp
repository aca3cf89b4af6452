// SPDX-License-Identifier: BSL-1.0
//
// The options of `sluice copy` and `sluice explain`.
//
//   struct copy_settings;
//   std::expected<copy_settings, ending> parse_copy_line(std::string_view command, int argc, char** argv);
//
#ifndef SLUICE_TOOL_COMMAND_LINE_HPP
#define SLUICE_TOOL_COMMAND_LINE_HPP

#include <sluice/copy_options.hpp>
#include <sluice/system/file.hpp>

#include "codec.hpp"
#include "digest.hpp"
#include "endpoint_spec.hpp"
#include "process.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>
#include <vector>

namespace sluice::tool {

enum class report_format : unsigned char { none, text, json };

struct copy_settings {
  std::vector<endpoint_spec> sources;  ///< at least one
  endpoint_spec destination;
  std::optional<std::uintmax_t> bytes;  ///< no more than so many, of all sources together
  std::uintmax_t skip = 0;              ///< of all sources together
  bool append = false;
  bool atomic = false;
  std::optional<sync_level> sync;
  std::optional<std::uintmax_t> rate;  ///< bytes a second
  std::optional<named_digest> digest;
  tool::codec codec;
  bool show_progress = false;
  std::optional<std::chrono::milliseconds> progress_interval;
  report_format report = report_format::none;
  copy_options options;  ///< kernel, sparse and buffer_size are filled in
};

/// Takes the arguments that follow the command's name. An error is how the process has to end:
/// `--help` was asked for and printed, or the line is wrong and the reason printed.
std::expected<copy_settings, ending> parse_copy_line(std::string_view command, int argc, char** argv);

}  // namespace sluice::tool

#endif
