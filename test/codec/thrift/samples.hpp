// SPDX-License-Identifier: BSL-1.0
//
// The files of other implementations in test/data/thrift, and what this one says of each.
//
#ifndef SLUICE_TEST_CODEC_THRIFT_SAMPLES_HPP
#define SLUICE_TEST_CODEC_THRIFT_SAMPLES_HPP

#include <sluice/codec/thrift.hpp>
#include <sluice/sluice.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice::test {

inline std::filesystem::path sample_path(const std::string& name) {
  return std::filesystem::path(SLUICE_TEST_DATA) / name;
}

inline std::string sample_text(const std::string& name) {
  return or_throw(read_to_string(or_throw(file::open(sample_path(name)))));
}

inline bytes sample(const std::string& name) { return or_throw(read_all(or_throw(file::open(sample_path(name))))); }

/// The names that begin so, without ".bin", in order.
inline std::vector<std::string> sample_names(const std::string& prefix) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SLUICE_TEST_DATA))
    if (entry.path().extension() == ".bin" && entry.path().filename().string().starts_with(prefix))
      names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

/// Well-formed structs without an envelope.
inline std::vector<std::string> good_structs() {
  auto names = sample_names("thrift-");
  std::erase_if(names, [](const std::string& name) { return name.starts_with("thrift-envelope-"); });
  return names;
}

inline std::string printed(std::span<const std::byte> b) { return {reinterpret_cast<const char*>(b.data()), b.size()}; }

}  // namespace sluice::test

#endif
