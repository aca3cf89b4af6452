// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include "endpoint.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace sluice::tool {

namespace {

// Raised when a key changes its meaning or goes; new keys don't count.
constexpr std::string_view json_version = "1";

double seconds_of(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::string side_text(const side_account& side) {
  std::string text = printable(side.name) + ", " + std::string(describe(side.kind));
  if (!side.remark.empty()) text += ", " + side.remark;
  return text;
}

std::string side_members(const side_account& side) {
  return "\"kind\":" + json_string(name(side.kind)) + ",\"name\":" + json_string(side.name);
}

std::string side_json(const side_account& side) { return "{" + side_members(side) + "}"; }

/// One source a line.
std::string sources_text(const copy_account& account) {
  std::string text;
  for (const source_account& source : account.sources) {
    text += (text.empty() ? "source:       " : "              ") + side_text(source.side);
    if (account.several) text += ", " + byte_count(source.bytes);
    text += '\n';
  }
  return text;
}

std::string sources_json(const copy_account& account) {
  if (!account.several) return "";
  std::string list;
  for (const source_account& source : account.sources)
    list +=
        (list.empty() ? "{" : ",{") + side_members(source.side) + ",\"bytes\":" + std::to_string(source.bytes) + "}";
  return ",\"sources\":[" + list + "]";
}

std::string digest_json(const std::optional<digest_account>& digest) {
  if (!digest) return "";
  return ",\"digest\":{\"name\":" + json_string(digest->name) + ",\"value\":" + json_string(digest->value) + "}";
}

std::string reason_text(std::error_code code) { return symbol(code) + ": " + message(code); }

std::string error_json(const std::optional<failure>& error) {
  if (!error) return "null";
  const std::string_view side = error->side == copy_side::reader   ? "source"
                                : error->side == copy_side::writer ? "destination"
                                                                   : "none";
  return "{\"side\":" + json_string(side) + ",\"doing\":" + json_string(error->doing) +
         ",\"reason\":" + json_string(reason_text(error->code)) + "}";
}

/// Calls f(path, share) for every path that the copy has touched, in the order of the enumeration.
template <class F>
void for_each_path(const copy_report& report, F f) {
  for (std::size_t i = 0; i < report.shares.size(); ++i) {
    const copy_report::share& share = report.shares[i];
    if (share.bytes != 0 || share.calls != 0 || share.gave_way) f(static_cast<copy_path>(i), share);
  }
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
}

constexpr std::size_t path_width = 16;

}  // namespace

std::string report_text(const copy_account& account) {
  const double seconds = std::max(seconds_of(account.time), 1e-9);
  std::string text = sources_text(account) +                                     //
                     "destination:  " + side_text(account.destination) + "\n" +  //
                     "copied:       " + byte_count(account.bytes) + " in " + human_time(account.time) + ", " +
                     human_size(static_cast<double>(account.bytes) / seconds) + "/s\n";
  if (account.digest) text += "digest:       " + std::string(account.digest->name) + " " + account.digest->value + "\n";
  std::string_view label = "by:           ";
  for_each_path(account.report, [&](copy_path path, const copy_report::share& share) {
    text += std::string(label) + padded(sluice::name(path), path_width);
    if (share.bytes != 0 || share.calls != 0)
      text += byte_count(share.bytes) + " in " + std::to_string(share.calls) + (share.calls == 1 ? " call" : " calls");
    if (share.gave_way) text += (share.calls != 0 ? ", then gave way: " : "gave way: ") + reason_text(share.gave_way);
    text += '\n';
    label = "              ";
  });
  if (!account.report.reason.empty()) text += "because:      " + std::string(account.report.reason) + "\n";
  return text;
}

std::string report_json(const copy_account& account) {
  std::string paths;
  for_each_path(account.report, [&](copy_path path, const copy_report::share& share) {
    paths += (paths.empty() ? "" : ",") + std::string("{\"path\":") + json_string(sluice::name(path)) +
             ",\"bytes\":" + std::to_string(share.bytes) + ",\"calls\":" + std::to_string(share.calls) +
             ",\"gave_way\":" + (share.gave_way ? json_string(reason_text(share.gave_way)) : "null") + "}";
  });
  return "{\"version\":" + std::string(json_version) + ",\"bytes\":" + std::to_string(account.bytes) +
         ",\"seconds\":" + fixed(seconds_of(account.time), 6) + ",\"reason\":" + json_string(account.report.reason) +
         ",\"paths\":[" + paths + "],\"source\":" + side_json(account.sources.back().side) + sources_json(account) +
         ",\"destination\":" + side_json(account.destination) + digest_json(account.digest) +
         ",\"error\":" + error_json(account.error) + "}\n";
}

std::string plan_text(const plan_account& account) {
  std::string text = "source:       " + side_text(account.source) + "\n" +
                     "destination:  " + side_text(account.destination) + "\n" +
                     "path:         " + std::string(sluice::name(account.plan.first)) + "\n";
  if (account.plan.alternatives != 0) {
    std::string then;
    for (std::size_t i = 0; i < account.plan.alternatives; ++i)
      then += (i == 0 ? "" : ", ") + std::string(sluice::name(account.plan.then[i]));
    text += "then:         " + then + "\n";
  }
  text += "because:      " + std::string(account.plan.reason) + "\n";
  for (const std::string& note : account.notes) text += "note:         " + note + "\n";
  return text;
}

std::string plan_json(const plan_account& account) {
  std::string then;
  for (std::size_t i = 0; i < account.plan.alternatives; ++i)
    then += (i == 0 ? "" : ",") + json_string(sluice::name(account.plan.then[i]));
  return "{\"version\":" + std::string(json_version) + ",\"path\":" + json_string(sluice::name(account.plan.first)) +
         ",\"then\":[" + then + "],\"reason\":" + json_string(account.plan.reason) +
         ",\"source\":" + side_json(account.source) + ",\"destination\":" + side_json(account.destination) + "}\n";
}

}  // namespace sluice::tool
