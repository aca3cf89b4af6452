// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/empty_reader.hpp>

int main() { return sluice::reader<sluice::empty_reader> ? 0 : 1; }
