// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/limit.hpp>
#include <sluice/memory/span_reader.hpp>

void run() {
  sluice::span_reader reader;
  (void)sluice::limit(reader, 3);
#ifdef SLUICE_REJECTED
  const sluice::span_reader unchanging;
  (void)sluice::limit(unchanging, 3);
#endif
}
