// SPDX-License-Identifier: BSL-1.0
#include <sluice/digest/xxh3.hpp>

int main() { return sluice::xxh3_64().value() == 0x2d06800538d394c2 ? 0 : 1; }
