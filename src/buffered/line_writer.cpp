// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/line_writer.hpp>

#include <string_view>

namespace sluice::detail {

std::size_t lines_size(std::span<const std::byte> text) noexcept {
  const std::string_view characters(reinterpret_cast<const char*>(text.data()), text.size());
  return characters.rfind('\n') + 1;  // npos + 1 is 0
}

result<void> drain_lines(write_buffer& buffer, sink_ref to, bool& lines_due) {
  if (auto drained = buffer.drain_first(to, lines_size(buffer.pending())); !drained) return drained;
  lines_due = false;
  return {};
}

result<std::size_t> write_lines(write_buffer& buffer, sink_ref to, bool& lines_due, std::span<const std::byte> in) {
  if (in.empty()) return std::size_t{0};
  const std::size_t lines = lines_size(in);
  if (lines == 0) {
    if (lines_due) {
      if (auto drained = drain_lines(buffer, to, lines_due); !drained) return fail(drained.error());
    }
    return buffer.write_some(to, in);
  }
  // The memory for what follows the lines first: once they are written, nothing may fail.
  if (lines != in.size()) buffer.allocate();
  const auto taken = buffer.write_behind_pending(to, in.first(lines));
  if (!taken) return taken;
  lines_due = false;
  if (*taken < lines) return taken;
  return lines + buffer.keep(in.subspan(lines));
}

}  // namespace sluice::detail
