// SPDX-License-Identifier: BSL-1.0
#include <sluice/copy.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>

void run() {
  sluice::span_reader reader;
  sluice::null_writer writer;
  (void)sluice::copy_n(reader, writer, 3);
#ifdef SLUICE_REJECTED
  (void)sluice::copy_n(reader, reader, 3);
#endif
}
