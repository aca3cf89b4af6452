// SPDX-License-Identifier: BSL-1.0
//
// What `sluice COMMAND --help` prints.
//
//   std::string help_for(std::string_view command);
//
#ifndef SLUICE_TOOL_HELP_HPP
#define SLUICE_TOOL_HELP_HPP

#include <string>
#include <string_view>

namespace sluice::tool {

/// `command` is "copy", "explain" or "records".
std::string help_for(std::string_view command);

}  // namespace sluice::tool

#endif
