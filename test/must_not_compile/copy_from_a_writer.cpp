// SPDX-License-Identifier: BSL-1.0
#include <sluice/copy.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>

void run() {
  sluice::span_reader reader;
  sluice::null_writer writer;
  (void)sluice::copy(reader, writer);
#ifdef SLUICE_REJECTED
  (void)sluice::copy(writer, writer);
#endif
}
