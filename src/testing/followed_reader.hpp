// SPDX-License-Identifier: BSL-1.0
//
// A reader under test beside a model of it: each call is made on the one and compared with the other.
//
#ifndef SLUICE_SRC_TESTING_FOLLOWED_READER_HPP
#define SLUICE_SRC_TESTING_FOLLOWED_READER_HPP

#include <sluice/testing/contract.hpp>
#include <sluice/testing/detail/reader_subject.hpp>

#include "testing/trial.hpp"
#include "testing/words.hpp"

#include <optional>
#include <string>
#include <utility>

namespace sluice::detail {

class followed_reader {
 public:
  /// `under`: the rule that every deviation breaks, where the trial is about that one.
  followed_reader(reader_subject& subject, std::span<const std::byte> expected, contract_report& report,
                  std::string where, std::optional<contract_rule> under)
      : subject_(&subject), expected_(expected), report_(report), where_(std::move(where)), under_(under) {}

  went read(std::size_t n);
  went pieces(std::span<const std::size_t> sizes);
  went fill(std::size_t n);
  went consume(std::size_t n);
  went skip(std::uintmax_t n);
  went look();
  went tell_position(std::uintmax_t start);

  /// The end, in every way there is to ask for it.
  went end();

  std::size_t at() const noexcept { return at_; }
  std::size_t left() const noexcept { return expected_.size() - at_; }
  std::span<const std::byte> rest() const noexcept { return expected_.subspan(at_); }
  std::size_t held() { return subject_->window().size(); }
  std::error_code error() const noexcept { return error_; }

  /// The stream stands somewhere else now.
  void move_to(std::size_t at) noexcept { at_ = at; }
  void follow(reader_subject& subject) noexcept { subject_ = &subject; }
  void judge_by(contract_rule rule) noexcept { under_ = rule; }

  /// From now on a call may fail, and its error is kept.
  void let_fail() noexcept { may_fail_ = true; }

  /// A count that is too large is a failure too: the library's calls refuse it.
  void let_over_count() noexcept { may_over_count_ = true; }

  went broken(contract_rule rule, const std::string& what, std::string expected, std::string found);

 private:
  went broken(contract_rule rule, const made_call& call, std::string expected, std::string found);
  went failed(const made_call& call, std::error_code error);
  went arrived(std::span<const std::byte> got, contract_rule rule, const made_call& call);
  went over_counted(const made_call& call, std::uintmax_t most, std::uintmax_t found);

  reader_subject* subject_;
  std::span<const std::byte> expected_;
  contract_report& report_;
  std::string where_;
  std::optional<contract_rule> under_;
  std::size_t at_ = 0;
  std::error_code error_;
  bool has_ended_ = false;
  bool may_fail_ = false;
  bool may_over_count_ = false;
};

}  // namespace sluice::detail

#endif
