// SPDX-License-Identifier: BSL-1.0
//
// Puts a writer of one's own through the contract.
//
//   contract_report check_writer(make, observe, const check_options& = {});
//   contract_report check_writer(make, const check_options& = {});
//
//   // a writer by itself: a function that makes a fresh one, and one that says what has arrived there
//   check_writer([] { return my_writer(); }, [](my_writer& w) { return w.content(); });
//
//   // a wrapper: made over the inner writer that it is given, in which the check makes faults
//   check_writer([](auto& inner) { return rot13_writer(inner); }, {.input = plain, .expected = secret});
//
#ifndef SLUICE_TESTING_CHECK_WRITER_HPP
#define SLUICE_TESTING_CHECK_WRITER_HPP

#include <sluice/testing/check_options.hpp>
#include <sluice/testing/contract.hpp>
#include <sluice/testing/detail/writer_subject.hpp>
#include <sluice/testing/inner_streams.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace sluice {

namespace detail {

/// Makes fresh writers under test.
struct writer_factory {
  std::function<std::unique_ptr<writer_subject>(inner_sink&)> make;
  bool wraps = false;     // over the inner sink
  std::string name = {};  // where there are several
};

void check_writer(const writer_factory& factory, const check_options& options, contract_report& report);

/// What has arrived at an inner writer.
struct observe_inner {
  const inner_sink* sink;
  template <class W>
  const std::vector<std::byte>& operator()(W&) const noexcept {
    return sink->data();
  }
};

template <class Inner, class Make>
writer_factory writer_factory_over(Make& make, std::string name) {
  using W = std::remove_cvref_t<std::invoke_result_t<Make&, Inner&>>;
  static_assert(writer<W>, "the function has to make a writer");
  return {[&make](inner_sink& sink) -> std::unique_ptr<writer_subject> {
            struct with_inner {
              Inner inner;
            };
            // The wrapper may refer to the inner writer, which therefore lives as long.
            struct subject : private with_inner, public writer_subject_of<W, observe_inner> {
              subject(inner_sink& to, Make& m)
                  : with_inner{Inner(to)},
                    writer_subject_of<W, observe_inner>([&]() -> W { return m(this->inner); }, observe_inner{&to}) {}
            };
            return std::make_unique<subject>(sink, make);
          },
          true, std::move(name)};
}

}  // namespace detail

/// Checks a writer against every rule that its capabilities bring. Returns what was broken; a report that is true means
/// that nothing was.
///
/// `make` returns a fresh writer each time, to which nothing was written. `observe` takes the writer and returns the
/// bytes that have arrived, all from the first; a writer that has a `flush` is flushed before.
///
/// Tried are requests of all sizes from 1 to 64 and some beyond; memory that changes after the request; vectored
/// requests, cut everywhere, with empty pieces in between; prepare, commit and flush; seek and position; the kernel's
/// endpoint, by writing to the descriptor itself; moving; random walks over all of these; all of it behind any_writer.
template <class Make, class Observe>
  requires writer<std::invoke_result_t<Make&>> && std::invocable<Observe&, std::invoke_result_t<Make&>&>
contract_report check_writer(Make make, Observe observe, const check_options& options = {}) {
  using W = std::remove_cvref_t<std::invoke_result_t<Make&>>;
  contract_report report;
  const auto subject = [&](detail::inner_sink&) -> std::unique_ptr<detail::writer_subject> {
    return std::make_unique<detail::writer_subject_of<W, Observe>>(make, observe);
  };
  detail::check_writer({subject}, options, report);
  return report;
}

/// The same for a writer that wraps another: `make` takes the inner writer. Below it are also tried: partial writes of
/// many sizes, the failure of each call, once and for good, writers that are never ready at once, that accept nothing,
/// and that count too much. A function that accepts both inner writers, as a generic lambda does, is checked over
/// both.
template <class Make>
  requires std::invocable<Make&, inner_writer&>
contract_report check_writer(Make make, const check_options& options = {}) {
  contract_report report;
  detail::check_writer(detail::writer_factory_over<inner_writer>(make, "over a plain writer"), options, report);
  if constexpr (std::invocable<Make&, vectored_inner_writer&>)
    detail::check_writer(detail::writer_factory_over<vectored_inner_writer>(make, "over a vectored writer"), options,
                         report);
  return report;
}

}  // namespace sluice

#endif
