// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/thrift/envelope.hpp>

namespace sluice::thrift {
namespace {

constexpr std::uint32_t version_1 = 0x8001'0000;
constexpr std::uint32_t version_mask = 0xffff'0000;

bool get_envelope(detail::input& in, envelope& into, const envelope_options& options) {
  std::span<const std::byte> first;
  if (!in.begin_message() || !in.peek(1, first)) return false;
  into.strict = first[0] >= std::byte{0x80};
  if (!into.strict)
    return (options.accept_non_strict || in.fail(io_errc::invalid_data)) && in.get_string(into.name) &&
           in.get(into.type) && in.get(into.seqid);
  std::uint32_t head = 0;
  if (!in.get(head)) return false;
  if ((head & version_mask) != version_1) return in.fail(io_errc::invalid_data);
  into.type = static_cast<message_type>(head & 0xff);
  return in.get_string(into.name) && in.get(into.seqid);
}

}  // namespace

result<void> read_envelope(protocol_reader& from, envelope& into, const envelope_options& options) {
  detail::input& in = detail::input_of(from);
  if (!get_envelope(in, into, options)) return fail(in.error());
  in.expect_body();
  return {};
}

result<envelope> read_envelope(protocol_reader& from, const envelope_options& options) {
  result<envelope> all{std::in_place};
  if (const auto read = read_envelope(from, *all, options); !read) all = fail(read.error());
  return all;
}

result<void> write_envelope(protocol_writer& to, const envelope& what) {
  detail::output& out = detail::output_of(to);
  const auto type = static_cast<std::uint8_t>(what.type);
  const auto name = as_bytes(what.name);
  const bool done = what.strict ? out.put_number(version_1 | type) && out.put_string(name)
                                : out.put_string(name) && out.put_number(type);
  if (!done || !out.put_number(what.seqid)) return fail(out.error());
  return {};
}

result<request_form> sniff_request(protocol_reader& from) {
  auto seen = from.peek(1);
  if (!seen) return fail(seen.error());
  if (seen->empty()) return fail(io_errc::unexpected_eof);
  const std::byte first = seen->front();
  if (first >= std::byte{0x80}) return request_form::strict;
  if (first != std::byte{0}) return request_form::bare;
  seen = from.peek(2);
  if (!seen) return fail(seen.error());
  return seen->size() == 2 ? request_form::non_strict : request_form::bare;
}

result<std::optional<envelope>> read_request(protocol_reader& from, message_type expected) {
  const auto form = sniff_request(from);
  if (!form) return fail(form.error());
  if (*form == request_form::bare) return std::nullopt;
  result<std::optional<envelope>> request{std::in_place, std::in_place};
  if (const auto read = read_envelope(from, **request); !read)
    request = fail(read.error());
  else if ((*request)->type != expected)
    request = fail(io_errc::invalid_data);
  return request;
}

}  // namespace sluice::thrift
