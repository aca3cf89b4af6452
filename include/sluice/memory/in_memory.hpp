// SPDX-License-Identifier: BSL-1.0
#ifndef SLUICE_MEMORY_IN_MEMORY_HPP
#define SLUICE_MEMORY_IN_MEMORY_HPP
#include <sluice/concepts.hpp>  // in_memory_reader
#endif
