// SPDX-License-Identifier: BSL-1.0
//
// What stands before the arguments or the result of a call.
//
//   enum class message_type : std::uint8_t { call = 1, reply, exception, oneway };
//   struct envelope { std::string name; message_type type; std::int32_t seqid; bool strict; };
//   result<envelope> read_envelope(protocol_reader&, const envelope_options& = {});
//   result<void> write_envelope(protocol_writer&, const envelope&);
//   result<request_form> sniff_request(protocol_reader&);
//   result<std::optional<envelope>> read_request(protocol_reader&, ...);
//
#ifndef SLUICE_CODEC_THRIFT_ENVELOPE_HPP
#define SLUICE_CODEC_THRIFT_ENVELOPE_HPP

#include <sluice/codec/thrift/reader.hpp>
#include <sluice/codec/thrift/writer.hpp>

#include <optional>

namespace sluice::thrift {

/// What a message is. No reader refuses other numbers, and this one does not either.
enum class message_type : std::uint8_t { call = 1, reply = 2, exception = 3, oneway = 4 };

/// Precedes one struct.
struct envelope {
  std::string name;                        ///< of the method
  message_type type = message_type::call;  ///< call, reply, exception or one-way call
  std::int32_t seqid = 0;                  ///< chosen by the caller, and the same in the answer
  bool strict = true;                      ///< with a version in front, as all current writers do

  friend bool operator==(const envelope&, const envelope&) = default;
};

/// The envelope of an answer: same name, number and form.
[[nodiscard]] inline envelope answer_to(const envelope& request, message_type type = message_type::reply) {
  return {request.name, type, request.seqid, request.strict};
}

/// How an envelope is read.
struct envelope_options {
  bool accept_non_strict = true;  ///< else an envelope without a version is `invalid_data`
};

/// Reads an envelope of either form. With the struct that `read` or `read_tree` takes next it is one message: its end
/// between the two is `truncated`. A first i32 below 0 is strict, any other is the length of the
/// name, which may be 0. The third byte of a strict one is ignored, as everywhere.
/// Errors: those of protocol_reader; `invalid_data` for a version other than 1; `unexpected_eof` where the stream ends
/// before the first byte.
[[nodiscard]] result<envelope> read_envelope(protocol_reader& from, const envelope_options& options = {});

/// The same into memory that is used again.
[[nodiscard]] result<void> read_envelope(protocol_reader& from, envelope& into, const envelope_options& options = {});

/// Writes an envelope of the form that it says. Errors: those of the stream.
[[nodiscard]] result<void> write_envelope(protocol_writer& to, const envelope& what);

/// What a request begins with.
enum class request_form { bare, non_strict, strict };

/// Tells the form of a request that may come without an envelope, and takes nothing. Waits for one byte; for a second
/// one only where the first is 0. The first byte 128 or above is a strict envelope; 0 with another byte behind it is a
/// non-strict one, whose name is then shorter than 16 MiB; all else is a struct without an envelope.
/// Errors: those of the stream; `unexpected_eof` where it has ended.
[[nodiscard]] result<request_form> sniff_request(protocol_reader& from);

/// Reads the envelope of a request, if it has one. Errors: as above, and `invalid_data` where its type is not
/// `expected`.
[[nodiscard]] result<std::optional<envelope>> read_request(protocol_reader& from,
                                                           message_type expected = message_type::call);

}  // namespace sluice::thrift

#endif
