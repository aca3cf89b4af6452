// SPDX-License-Identifier: BSL-1.0
#include "testing/reader_trials.hpp"

#include "testing/trial.hpp"
#include "testing/words.hpp"

namespace sluice::detail {

std::string name_of(way w) {
  switch (w.how) {
    case way::kind::read: return "by read_some of " + number(w.n);
    case way::kind::pieces: return "by pieces of " + number(w.n);
    case way::kind::fill: return "by fill and consume of " + number(w.n);
    case way::kind::skip: return "by skip of " + number(w.n) + " and read_some";
  }
  return {};
}

went step(followed_reader& reader, way w) {
  switch (w.how) {
    case way::kind::read: return reader.read(w.n);
    case way::kind::pieces: {
      const std::size_t sizes[] = {0, w.n, 0, 2 * w.n, 1};
      return reader.pieces(sizes);
    }
    case way::kind::fill: {
      went how = reader.fill(w.n);
      if (how == went::failed && reader.error() == io_errc::buffer_too_small) how = reader.fill(1);
      return how == went::on ? reader.consume(std::min(w.n, reader.held())) : how;
    }
    case way::kind::skip: {
      const went how = reader.skip(w.n);
      if (how == went::broken || how == went::ended) return how;
      if (how == went::failed && reader.error() != io_errc::unsupported) return how;
      return reader.read(w.n);
    }
  }
  return went::broken;
}

went run(followed_reader& reader, way w) {
  for (;;) {
    if (const went how = step(reader, w); how != went::on) return how;
  }
}

reader_trials::reader_trials(const reader_factory& factory, std::span<const std::byte> expected,
                             const check_options& options, contract_report& report)
    : factory_(factory),
      expected_(expected),
      input_(options.input.empty() ? expected : options.input),
      options_(options),
      report_(report) {
  make("", [this](trial& t) { can_ = t.subject.can(); });
}

void reader_trials::make(const std::string& where, const faults& what, std::optional<contract_rule> under,
                         const std::function<void(trial&)>& body) {
  const std::string place = at_place(factory_.name, where);
  try_out(report_, place, [&] {
    inner_source inner(input_, what);
    const std::unique_ptr<reader_subject> subject = factory_.make(inner);
    trial t{followed_reader(*subject, expected_, report_, place, under), *subject, inner};
    body(t);
  });
}

std::vector<way> reader_trials::ways(std::initializer_list<std::size_t> sizes) const {
  std::vector<way> all;
  for (const std::size_t n : sizes) {
    all.push_back({way::kind::read, n});
    if (can_.vectored) all.push_back({way::kind::pieces, n});
    if (can_.buffered) all.push_back({way::kind::fill, n});
    if (can_.skips) all.push_back({way::kind::skip, n});
  }
  return all;
}

}  // namespace sluice::detail
