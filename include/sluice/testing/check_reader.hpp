// SPDX-License-Identifier: BSL-1.0
//
// Puts a reader of one's own through the contract.
//
//   contract_report check_reader(make, std::span<const std::byte> expected, const check_options& = {});
//
//   // a reader by itself: each call of the function makes a fresh one
//   const contract_report report = check_reader([&] { return my_reader(data); }, data);
//   EXPECT_TRUE(report) << report;
//
//   // a wrapper: made over the inner reader that it is given, in which the check makes faults
//   check_reader([](auto& inner) { return rot13_reader(inner); }, plain, {.input = secret});
//
#ifndef SLUICE_TESTING_CHECK_READER_HPP
#define SLUICE_TESTING_CHECK_READER_HPP

#include <sluice/testing/check_options.hpp>
#include <sluice/testing/contract.hpp>
#include <sluice/testing/detail/reader_subject.hpp>
#include <sluice/testing/inner_streams.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

namespace sluice {

namespace detail {

/// Makes fresh readers under test.
struct reader_factory {
  std::function<std::unique_ptr<reader_subject>(inner_source&)> make;
  bool wraps = false;     // over the inner source
  std::string name = {};  // where there are several
};

void check_reader(const reader_factory& factory, std::span<const std::byte> expected, const check_options& options,
                  contract_report& report);

template <class Inner, class Make>
reader_factory factory_over(Make& make, std::string name) {
  using R = std::remove_cvref_t<std::invoke_result_t<Make&, Inner&>>;
  static_assert(reader<R>, "the function has to make a reader");
  return {[&make](inner_source& source) -> std::unique_ptr<reader_subject> {
            struct with_inner {
              Inner inner;
            };
            // The wrapper may refer to the inner reader, which therefore lives as long.
            struct subject : private with_inner, public reader_subject_of<R> {
              subject(inner_source& from, Make& m)
                  : with_inner{Inner(from)}, reader_subject_of<R>([&]() -> R { return m(this->inner); }) {}
            };
            return std::make_unique<subject>(source, make);
          },
          true, std::move(name)};
}

}  // namespace detail

/// Checks a reader against every rule that its capabilities bring. Returns what was broken; a report that is true means
/// that nothing was.
///
/// `make` takes nothing, or the inner reader that the result is to wrap, and returns a fresh reader each time. The
/// reader delivers `expected` and then ends; a few hundred bytes show as much as many, and the time grows with their
/// square.
///
/// Tried are requests of all sizes from 1 to 64 and some beyond; vectored requests, cut everywhere, with empty pieces
/// in between; the window; skip, seek, position, the hint of the size; the kernel's endpoint, by reading from the
/// descriptor itself; moving; random walks over all of these; all of it behind any_reader. Below a wrapper also: short
/// reads of many sizes, a cut at each byte, the failure of each call, descriptors that are never ready at once, and a
/// reader that counts too much. A function that accepts both inner readers, as a generic lambda does, is checked over
/// both.
///
/// After a rule of the plainest kind is broken, those that build on it are left out.
template <class Make>
contract_report check_reader(Make make, std::span<const std::byte> expected, const check_options& options = {}) {
  contract_report report;
  if constexpr (std::invocable<Make&, inner_reader&>) {
    detail::check_reader(detail::factory_over<inner_reader>(make, "over a plain reader"), expected, options, report);
    if constexpr (std::invocable<Make&, vectored_inner_reader&>)
      detail::check_reader(detail::factory_over<vectored_inner_reader>(make, "over a vectored reader"), expected,
                           options, report);
  } else {
    using R = std::remove_cvref_t<std::invoke_result_t<Make&>>;
    static_assert(reader<R>, "the function has to make a reader");
    const auto subject = [&make](detail::inner_source&) -> std::unique_ptr<detail::reader_subject> {
      return std::make_unique<detail::reader_subject_of<R>>(make);
    };
    detail::check_reader({subject}, expected, options, report);
  }
  return report;
}

}  // namespace sluice

#endif
