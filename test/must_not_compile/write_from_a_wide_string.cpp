// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/null_writer.hpp>
#include <sluice/write.hpp>

void run() {
  sluice::null_writer writer;
  (void)sluice::write_all(writer, "bytes");
#ifdef SLUICE_REJECTED
  (void)sluice::write_all(writer, L"what order are these in?");
#endif
}
