// SPDX-License-Identifier: BSL-1.0
//
// A writer under test beside a model of it: each call is made on the one and compared with the other.
//
#ifndef SLUICE_SRC_TESTING_FOLLOWED_WRITER_HPP
#define SLUICE_SRC_TESTING_FOLLOWED_WRITER_HPP

#include <sluice/testing/contract.hpp>
#include <sluice/testing/detail/writer_subject.hpp>

#include "testing/trial.hpp"
#include "testing/words.hpp"

#include <optional>
#include <string>
#include <utility>

namespace sluice::detail {

/// What is written, and what then arrives: where the writer changes the bytes, only all of it can be compared.
struct written_bytes {
  std::span<const std::byte> input;
  std::span<const std::byte> expected;
  bool unchanged = true;
  std::span<std::byte> memory = {};  // as much, for requests whose memory changes; outlives the writers
};

class followed_writer {
 public:
  /// `under`: the rule that every deviation breaks, where the trial is about that one.
  followed_writer(writer_subject& subject, const written_bytes& bytes, contract_report& report, std::string where,
                  std::optional<contract_rule> under)
      : subject_(&subject), bytes_(bytes), report_(report), where_(std::move(where)), under_(under) {}

  went write(std::size_t n);
  went pieces(std::span<const std::size_t> sizes);

  /// Prepares `n` bytes, writes into all that it is given and commits `used` of them, or as many as there are.
  went place(std::size_t n, std::size_t used);

  /// Flushes, and compares what has arrived.
  went flush();

  /// What has arrived is what was accepted, or the beginning of it where `all` is not set.
  went compare(const made_call& call, bool all);
  went tell_position(std::uintmax_t start);

  std::size_t at() const noexcept { return at_; }
  std::span<const std::byte> rest() const noexcept { return bytes_.input.subspan(at_); }
  std::error_code error() const noexcept { return error_; }
  bool unchanged() const noexcept { return bytes_.unchanged; }

  void move_to(std::size_t at) noexcept { at_ = at; }
  void follow(writer_subject& subject) noexcept { subject_ = &subject; }
  void judge_by(contract_rule rule) noexcept { under_ = rule; }

  /// The rule that wrong bytes break; same_bytes at first.
  void judge_bytes_by(contract_rule rule) noexcept { bytes_rule_ = rule; }

  /// From now on a call may fail, or answer 0 for it, and its error is kept.
  void let_fail() noexcept { may_fail_ = true; }

  /// A count that is too large is a failure too: the library's calls refuse it.
  void let_over_count() noexcept { may_over_count_ = true; }

  /// The memory of each request changes after it.
  void reuse_memory() noexcept { reuses_memory_ = true; }

  went broken(contract_rule rule, const std::string& what, std::string expected, std::string found);

 private:
  went broken(contract_rule rule, const made_call& call, std::string expected, std::string found);
  went failed(const made_call& call, std::error_code error);
  went accepted(const result<std::size_t>& n, std::size_t request, const made_call& call);

  writer_subject* subject_;
  const written_bytes& bytes_;
  contract_report& report_;
  std::string where_;
  std::optional<contract_rule> under_;
  contract_rule bytes_rule_ = contract_rule::same_bytes;
  std::size_t at_ = 0;
  std::error_code error_;
  bool may_fail_ = false;
  bool may_over_count_ = false;
  bool reuses_memory_ = false;
};

}  // namespace sluice::detail

#endif
