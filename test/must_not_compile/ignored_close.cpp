// SPDX-License-Identifier: BSL-1.0
#pragma GCC diagnostic error "-Wunused-result"
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/memory/null_writer.hpp>

void run() {
  sluice::null_writer writer;
  sluice::buf_writer out(writer);
  if (!out.close()) return;
#ifdef SLUICE_REJECTED
  out.close();
#endif
}
