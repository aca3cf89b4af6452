// SPDX-License-Identifier: BSL-1.0
//
//   ending copy_command(const process&, int argc, char** argv);
//
#ifndef SLUICE_TOOL_COPY_COMMAND_HPP
#define SLUICE_TOOL_COPY_COMMAND_HPP

#include "process.hpp"

namespace sluice::tool {

/// `sluice copy`. `argv[0]` is the command's name.
ending copy_command(const process& self, int argc, char** argv);

}  // namespace sluice::tool

#endif
