// SPDX-License-Identifier: BSL-1.0
//
// A trial makes one fresh writer and does something with it. The ways to write everything, one step after the other.
//
#ifndef SLUICE_SRC_TESTING_WRITER_TRIALS_HPP
#define SLUICE_SRC_TESTING_WRITER_TRIALS_HPP

#include <sluice/testing/check_options.hpp>
#include <sluice/testing/check_writer.hpp>

#include "testing/followed_writer.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sluice::detail {

/// One way to go on: by write_some of n bytes, by several pieces, by prepare and commit.
struct writing_way {
  enum class kind { write, pieces, place };
  kind how;
  std::size_t n;
};

std::string name_of(writing_way w);
went step(followed_writer& writer, writing_way w);

/// Writes all and flushes; went::ended when everything has arrived.
went run(followed_writer& writer, writing_way w);

class writer_trials {
 public:
  writer_trials(const writer_factory& factory, const check_options& options, contract_report& report);

  struct trial {
    followed_writer writer;
    writer_subject& subject;
    const inner_sink& inner;
  };

  /// Makes a writer, over an inner sink with these faults, and passes it to `body`.
  void make(const std::string& where, const faults& what, std::optional<contract_rule> under,
            const std::function<void(trial&)>& body);

  /// The same without faults.
  void make(const std::string& where, const std::function<void(trial&)>& body) { make(where, {}, {}, body); }

  /// All ways that this writer has, for requests of `n` bytes.
  std::vector<writing_way> ways(std::initializer_list<std::size_t> sizes) const;

  const writer_subject::abilities& can() const noexcept { return can_; }
  std::size_t size() const noexcept { return bytes_.input.size(); }
  const check_options& options() const noexcept { return options_; }
  contract_report& report() noexcept { return report_; }
  const writer_factory& factory() const noexcept { return factory_; }

 private:
  const writer_factory& factory_;
  const check_options& options_;
  contract_report& report_;
  std::vector<std::byte> sample_;  // where the caller gives no input
  std::vector<std::byte> memory_;  // for requests
  written_bytes bytes_;
  writer_subject::abilities can_;
};

// The parts of the check.
void check_plain_writes(writer_trials& trials);
void check_capabilities(writer_trials& trials);
void check_walks(writer_trials& trials);
void check_moves(writer_trials& trials);
void check_faults_below(writer_trials& trials);

/// A seeded mixture of all calls; went::ended when everything has arrived.
went walk(writer_trials::trial& t, std::uint32_t seed);

}  // namespace sluice::detail

#endif
