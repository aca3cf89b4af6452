// SPDX-License-Identifier: BSL-1.0
#include "testing/writer_trials.hpp"

#include <sluice/testing/sample_bytes.hpp>

#include "testing/words.hpp"

namespace sluice::detail {

std::string name_of(writing_way w) {
  switch (w.how) {
    case writing_way::kind::write: return "by write_some of " + number(w.n);
    case writing_way::kind::pieces: return "by pieces of " + number(w.n);
    case writing_way::kind::place: return "by prepare and commit of " + number(w.n);
  }
  return {};
}

went step(followed_writer& writer, writing_way w) {
  switch (w.how) {
    case writing_way::kind::write: return writer.write(w.n);
    case writing_way::kind::pieces: {
      const std::size_t sizes[] = {0, w.n, 0, 2 * w.n, 1};
      return writer.pieces(sizes);
    }
    case writing_way::kind::place: {
      const went how = writer.place(w.n, w.n);
      return how == went::failed && writer.error() == io_errc::buffer_too_small ? writer.place(1, w.n) : how;
    }
  }
  return went::broken;
}

went run(followed_writer& writer, writing_way w) {
  while (!writer.rest().empty()) {
    if (const went how = step(writer, w); how != went::on) return how;
  }
  const went how = writer.flush();
  return how == went::on ? went::ended : how;
}

writer_trials::writer_trials(const writer_factory& factory, const check_options& options, contract_report& report)
    : factory_(factory), options_(options), report_(report) {
  if (options.input.empty()) sample_ = sample_bytes(307);
  bytes_.input = options.input.empty() ? sample_ : options.input;
  memory_.resize(bytes_.input.size());
  bytes_.memory = memory_;
  bytes_.unchanged = options.expected.empty();
  bytes_.expected = bytes_.unchanged ? bytes_.input : options.expected;
  make("", [this](trial& t) { can_ = t.subject.can(); });
}

void writer_trials::make(const std::string& where, const faults& what, std::optional<contract_rule> under,
                         const std::function<void(trial&)>& body) {
  const std::string place = at_place(factory_.name, where);
  try_out(report_, place, [&] {
    inner_sink inner(what);
    const std::unique_ptr<writer_subject> subject = factory_.make(inner);
    trial t{followed_writer(*subject, bytes_, report_, place, under), *subject, inner};
    body(t);
  });
}

std::vector<writing_way> writer_trials::ways(std::initializer_list<std::size_t> sizes) const {
  std::vector<writing_way> all;
  for (const std::size_t n : sizes) {
    all.push_back({writing_way::kind::write, n});
    if (can_.vectored) all.push_back({writing_way::kind::pieces, n});
    if (can_.buffered) all.push_back({writing_way::kind::place, n});
  }
  return all;
}

}  // namespace sluice::detail
