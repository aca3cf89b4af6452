// SPDX-License-Identifier: BSL-1.0
//
// Digests, chosen by name.
//
//   class named_digest {
//     static std::expected<named_digest, std::string> find(std::string_view name);
//     std::string_view name() const;
//     void update(std::span<const std::byte>);
//     std::string value() const;
//   };
//   class digesting_reader;
//
#ifndef SLUICE_TOOL_DIGEST_HPP
#define SLUICE_TOOL_DIGEST_HPP

#include <sluice/erased/reader_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::tool {

/// One of the digests that this build of the tool has.
class named_digest {
 public:
  /// The digest of that name, of no bytes so far; or what is wrong with the name.
  static std::expected<named_digest, std::string> find(std::string_view name);

  std::string_view name() const noexcept { return name_; }
  void update(std::span<const std::byte> b) { running_->update(b); }

  /// In hexadecimal digits, as the usual commands print it.
  std::string value() const { return running_->value(); }

 private:
  struct running {
    virtual ~running() = default;
    virtual void update(std::span<const std::byte> b) = 0;
    virtual std::string value() const = 0;
  };
  template <class D>
  struct running_of;
  struct entry;

  named_digest(std::string_view name, std::unique_ptr<running> begun) : name_(name), running_(std::move(begun)) {}

  std::string_view name_;
  std::unique_ptr<running> running_;
};

/// Why a copy that is digested takes no kernel path, for reports.
inline constexpr std::string_view digest_reason = "the digest has to see every byte";

/// Shows a digest all that is read. Unlike the library's adaptor it also shows the descriptor of its reader, so that a
/// copy can wait for it and be stopped meanwhile; so it may only be copied from with kernel_policy::never.
class digesting_reader {
 public:
  digesting_reader(reader_ref inner, named_digest& shown) noexcept : inner_(inner), shown_(&shown) {}

  result<std::size_t> read_some(std::span<std::byte> b) {
    const result<std::size_t> n = inner_.read_some(b);
    if (n) shown_->update(b.first(*n));
    return n;
  }

  std::optional<std::uintmax_t> size_hint() { return inner_.size_hint(); }
  std::optional<fd_endpoint> kernel_endpoint() { return inner_.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) { inner_.kernel_advanced(n); }

 private:
  reader_ref inner_;
  named_digest* shown_;
};

}  // namespace sluice::tool

#endif
