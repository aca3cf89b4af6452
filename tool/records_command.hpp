// SPDX-License-Identifier: BSL-1.0
//
// sluice records: what is in a file of records.
//
//   ending records_command(int argc, char** argv);
//
#ifndef SLUICE_TOOL_RECORDS_COMMAND_HPP
#define SLUICE_TOOL_RECORDS_COMMAND_HPP

#include "process.hpp"

namespace sluice::tool {

ending records_command(int argc, char** argv);

}  // namespace sluice::tool

#endif
