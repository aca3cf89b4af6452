// SPDX-License-Identifier: BSL-1.0
//
// A trial makes one fresh reader and does something with it. The ways to read a whole stream, one step after the other.
//
#ifndef SLUICE_SRC_TESTING_READER_TRIALS_HPP
#define SLUICE_SRC_TESTING_READER_TRIALS_HPP

#include <sluice/testing/check_options.hpp>
#include <sluice/testing/check_reader.hpp>

#include "testing/followed_reader.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sluice::detail {

/// One way to go on: by read_some of n bytes, by several pieces, by the window, by skip.
struct way {
  enum class kind { read, pieces, fill, skip };
  kind how;
  std::size_t n;
};

std::string name_of(way w);
went step(followed_reader& reader, way w);

/// Steps until something else than went::on comes of it.
went run(followed_reader& reader, way w);

class reader_trials {
 public:
  reader_trials(const reader_factory& factory, std::span<const std::byte> expected, const check_options& options,
                contract_report& report);

  struct trial {
    followed_reader reader;
    reader_subject& subject;
    const inner_source& inner;
  };

  /// Makes a reader, over an inner source with these faults, and passes it to `body`.
  void make(const std::string& where, const faults& what, std::optional<contract_rule> under,
            const std::function<void(trial&)>& body);

  /// The same without faults.
  void make(const std::string& where, const std::function<void(trial&)>& body) { make(where, {}, {}, body); }

  /// All ways that this reader has, for requests of `n` bytes.
  std::vector<way> ways(std::initializer_list<std::size_t> sizes) const;

  const reader_subject::abilities& can() const noexcept { return can_; }
  std::span<const std::byte> expected() const noexcept { return expected_; }
  std::span<const std::byte> input() const noexcept { return input_; }
  const check_options& options() const noexcept { return options_; }
  contract_report& report() noexcept { return report_; }
  const reader_factory& factory() const noexcept { return factory_; }

 private:
  const reader_factory& factory_;
  std::span<const std::byte> expected_;
  std::span<const std::byte> input_;
  const check_options& options_;
  contract_report& report_;
  reader_subject::abilities can_;
};

// The parts of the check, each in a file of its own.
void check_plain_reads(reader_trials& trials);
void check_capabilities(reader_trials& trials);
void check_walks(reader_trials& trials);
void check_moves(reader_trials& trials);
void check_faults_below(reader_trials& trials);

/// A seeded mixture of all calls.
void walk(reader_trials::trial& t, std::uint32_t seed);

}  // namespace sluice::detail

#endif
