// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/detail/encoder.hpp>

namespace sluice::detail {

void compress_state::open() {
  format_->begin();
  place_ = place::inside;
}

result<std::size_t> compress_state::write_some(sink_ref to, std::span<const std::byte> in) {
  if (in.empty()) return std::size_t{0};
  if (!format_) return fail(std::make_error_code(std::errc::bad_file_descriptor));
  // A finish that could not be written to its end comes first.
  if (place_ == place::finishing) {
    if (const auto done = finish(to); !done) return fail(done.error());
  }

  std::size_t taken = 0;
  while (taken < in.size()) {
    const auto room = to.prepare(1);
    if (!room) {
      // What the encoder has taken is accepted, whatever becomes of the rest.
      if (taken != 0) break;
      return fail(room.error());
    }
    // Not before: where nothing was accepted, no member was begun.
    if (place_ == place::fresh || place_ == place::finished) open();
    place_ = place::inside;
    const encoded step = format_->encode(in.subspan(taken), *room, encode_mode::run);
    to.commit(step.produced);
    taken += step.consumed;
    if (step.error) {
      if (taken != 0) break;
      return fail(step.error);
    }
  }
  total_ += taken;
  return taken;
}

result<void> compress_state::drain(sink_ref to, encode_mode mode) {
  for (;;) {
    const auto room = to.prepare(1);
    if (!room) return fail(room.error());
    const encoded step = format_->encode({}, *room, mode);
    to.commit(step.produced);
    if (step.error) return fail(step.error);
    if (step.done) return {};
  }
}

result<void> compress_state::flush(sink_ref to) {
  if (!format_) return {};
  if (place_ == place::finishing) return finish(to);
  // Nothing new: an engine might write the end of a flush once more.
  if (place_ != place::inside) return {};
  if (const auto done = drain(to, encode_mode::flush); !done) return done;
  place_ = place::flushed;
  return {};
}

result<void> compress_state::finish(sink_ref to) {
  if (!format_ || place_ == place::finished) return {};
  if (place_ == place::fresh) open();
  place_ = place::finishing;
  if (const auto done = drain(to, encode_mode::finish); !done) return done;
  place_ = place::finished;
  return {};
}

void compress_state::finish_quietly(sink_ref to) noexcept {
  // Nothing was ever written: whoever gave up before the first byte wants no empty member.
  if (!format_ || place_ == place::fresh || place_ == place::finished) return;
  try {
    (void)finish(to);
  } catch (...) {
    // A destructor cannot tell.
  }
  place_ = place::finished;
}

}  // namespace sluice::detail
