// SPDX-License-Identifier: BSL-1.0
#include <sluice/result.hpp>

#include <string>

namespace sluice {
namespace {

class category final : public std::error_category {
 public:
  const char* name() const noexcept override { return "sluice"; }

  std::string message(int code) const override {
    switch (static_cast<io_errc>(code)) {
      case io_errc::unexpected_eof: return "the source ended too early";
      case io_errc::write_zero: return "the writer accepted no bytes";
      case io_errc::bad_count: return "a stream claimed to move more bytes than it was given";
      case io_errc::buffer_too_small: return "more bytes wanted at once than the buffer may hold";
      case io_errc::limit_exceeded: return "a size limit was reached";
      case io_errc::invalid_data: return "invalid data";
      case io_errc::truncated: return "the data ends inside a value";
      case io_errc::checksum_mismatch: return "the checksum does not fit the data";
      case io_errc::same_file: return "source and destination are the same file";
      case io_errc::unsupported: return "the stream does not support this operation";
      case io_errc::cancelled: return "cancelled";
    }
    return "unknown error";
  }

  std::error_condition default_error_condition(int code) const noexcept override {
    switch (static_cast<io_errc>(code)) {
      case io_errc::unsupported: return std::errc::operation_not_supported;
      case io_errc::cancelled: return std::errc::operation_canceled;
      default: return {code, *this};
    }
  }
};

}  // namespace

const std::error_category& io_category() noexcept {
  // constinit and never destroyed before a late user: a category has no state to tear down.
  static constinit const category instance;
  return instance;
}

std::error_code make_error_code(io_errc code) noexcept { return {static_cast<int>(code), io_category()}; }

void detail::throw_system_error(std::error_code code) { throw std::system_error(code); }

}  // namespace sluice
