// SPDX-License-Identifier: BSL-1.0
//
//   ending explain_command(int argc, char** argv);
//
#ifndef SLUICE_TOOL_EXPLAIN_COMMAND_HPP
#define SLUICE_TOOL_EXPLAIN_COMMAND_HPP

#include "process.hpp"

namespace sluice::tool {

/// `sluice explain`. `argv[0]` is the command's name.
ending explain_command(int argc, char** argv);

}  // namespace sluice::tool

#endif
