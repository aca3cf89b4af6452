// SPDX-License-Identifier: BSL-1.0
//
// One copy at one point of the sweep, with the invariant looked at afterwards.
//
// After any outcome what the writer has accepted, what is still readable from the source and what was handed back are
// together all that was there, in order, nothing twice; the error's count is what the destination has; the report adds
// up to it; the side named is the side whose call failed. And going on works: what was handed back is written, the copy
// is called again, and every byte has arrived once. EINTR does not show, nor does a descriptor that would block, where
// copy is to wait and can.
//
//   stage s;                              // the sources and targets, made once
//   const outcome o = s.run(point);
//   o.complaint                           // empty if the invariant holds
//
#ifndef SLUICE_TEST_SWEEP_ONE_COPY_HPP
#define SLUICE_TEST_SWEEP_ONE_COPY_HPP

#include "targets.hpp"

namespace sluice::test {

struct outcome {
  std::string complaint;
  bool hit = false;
  trace_hit last_hit;
  bool failed = false;
  copy_report report;  // of the first copy
  std::size_t transfers = 0;
  std::size_t direct_splices = 0;
  std::size_t private_splices = 0;
};

class stage {
 public:
  bool has(source_kind k) const { return sources_.has(k); }
  bool has(target_kind k) const { return targets_.has(k); }

  outcome run(const point& p);

 private:
  source_set sources_;
  target_set targets_{sources_};
  trace trace_;
};

}  // namespace sluice::test

#endif
