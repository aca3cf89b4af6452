// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>

void run() {
  sluice::span_reader reader;
  const sluice::buf_reader in(reader, 16);
#ifdef SLUICE_REJECTED
  sluice::null_writer writer;
  const sluice::buf_reader not_in(writer, 16);
#endif
}
