// SPDX-License-Identifier: BSL-1.0
//
// Two copies would both write what is pending.
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/memory/null_writer.hpp>

#include <utility>

void run() {
  sluice::null_writer writer;
  sluice::buf_writer<sluice::null_writer&> out(writer);
  const sluice::buf_writer<sluice::null_writer&> moved(std::move(out));
#ifdef SLUICE_REJECTED
  const sluice::buf_writer<sluice::null_writer&> copied(out);
#endif
}
