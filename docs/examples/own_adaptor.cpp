// SPDX-License-Identifier: BSL-1.0
//
// An adaptor of one's own, in both forms: notes when the first byte came, and keeps the kernel paths. Copies a
// file through it, and the report says which way the bytes took.
//
#include <sluice/sluice.hpp>

#include <chrono>
#include <iostream>

using namespace sluice;

// --- the adaptor
template <reader R>
struct timed_reader {
  R inner;  // a reader, or a reference to one
  std::optional<std::chrono::steady_clock::time_point> first_byte = {};

  result<std::size_t> read_some(std::span<std::byte> b) {
    const auto n = sluice::read_some(inner, b);
    note(n.value_or(0));
    return n;
  }
  auto kernel_endpoint()
    requires kernel_reader<R>
  {
    return sluice::kernel_endpoint(inner);
  }
  void kernel_advanced(std::uintmax_t n)
    requires kernel_reader<R>
  {
    note(n);
    sluice::kernel_advanced(inner, n);
  }
  void note(std::uintmax_t n) {
    if (n != 0 && !first_byte) first_byte = std::chrono::steady_clock::now();
  }
};

struct timed_fn {
  template <reader R>
  auto operator()(R&& r) const {
    return timed_reader<R>{std::forward<R>(r)};
  }
  auto operator()() const { return adaptor_closure(*this); }
};
inline constexpr timed_fn timed{};
// --- that is all of it

static_assert(kernel_reader<timed_reader<file>> && kernel_reader<timed_reader<limit_reader<file&>>>);
static_assert(!kernel_reader<timed_reader<span_reader>>);

template <class R>
bool copies_in_the_kernel(R r, const std::string& target) {
  file to = or_throw(file::create(target));
  copy_report report;
  const auto bytes = or_throw(copy(r, to, {.report = &report}));
  const auto in_kernel =
      report[copy_path::clone].bytes + report[copy_path::copy_file_range].bytes + report[copy_path::sendfile].bytes;
  std::cout << bytes << " bytes, " << in_kernel << " of them in the kernel\n";
  return r.first_byte && in_kernel > bytes / 2;
}

int main(int, char** argv) {
  const std::string source = std::string(argv[0]) + ".source";
  const std::string target = std::string(argv[0]) + ".target";
  or_throw(write_all(or_throw(file::create(source)), std::string(1'000'000, 's')));
  file from = or_throw(file::open(source));
  const bool by_call = copies_in_the_kernel(timed(from), target);
  const bool by_pipe = copies_in_the_kernel(or_throw(file::open(source)) | limit(900'000) | timed(), target);
  auto text = span_reader("no descriptor") | (counted() | timed());
  const bool elsewhere = or_throw(copy(text, null_writer())) == 13 && text.first_byte;
  return by_call && by_pipe && elsewhere ? 0 : 1;
}
