// SPDX-License-Identifier: BSL-1.0
//
// What a copy did, or would do, as text and as JSON. docs/tool.md describes the JSON.
//
//   struct copy_account;
//   std::string report_text(const copy_account&);     // several lines
//   std::string report_json(const copy_account&);     // one line
//   struct plan_account;
//   std::string plan_text(const plan_account&);
//   std::string plan_json(const plan_account&);
//
#ifndef SLUICE_TOOL_REPORT_HPP
#define SLUICE_TOOL_REPORT_HPP

#include <sluice/copy.hpp>
#include <sluice/copy_report.hpp>
#include <sluice/kernel_endpoint.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace sluice::tool {

/// One side, as it is reported.
struct side_account {
  std::string name;
  fd_kind kind = fd_kind::unknown;
  std::string remark;  ///< for text only; may be empty
};

/// How a copy failed, as far as it is reported.
struct failure {
  std::error_code code;
  copy_side side = copy_side::none;
  std::string doing;  ///< "writing"; may be empty
};

struct source_account {
  side_account side;
  std::uintmax_t bytes = 0;  ///< of it that have arrived
};

struct digest_account {
  std::string_view name;
  std::string value;
};

struct copy_account {
  std::vector<source_account> sources;  ///< those whose turn has come; at least one
  bool several = false;                 ///< more than one was given
  side_account destination;
  std::uintmax_t bytes = 0;
  std::chrono::nanoseconds time{0};
  copy_report report;  ///< of all sources together
  std::optional<digest_account> digest;
  std::optional<failure> error;
};

struct plan_account {
  side_account source;
  side_account destination;
  copy_plan plan;
  std::vector<std::string> notes;  ///< for text only
};

// Each ends with a newline.
std::string report_text(const copy_account& account);
std::string report_json(const copy_account& account);
std::string plan_text(const plan_account& account);
std::string plan_json(const plan_account& account);

}  // namespace sluice::tool

#endif
