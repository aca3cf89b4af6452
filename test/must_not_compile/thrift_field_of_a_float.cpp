// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/thrift/mapping.hpp>
#include <sluice/memory/span_reader.hpp>

struct sample {
  double good = 0;
  float bad = 0;
};

template <>
struct sluice::thrift::mapping<sample> {
#ifdef SLUICE_REJECTED
  static constexpr auto fields = std::tuple{field<1>(&sample::good), field<2>(&sample::bad)};
#else
  static constexpr auto fields = std::tuple{field<1>(&sample::good)};
#endif
};

void run() { (void)sluice::thrift::read<sample>(sluice::span_reader()); }
