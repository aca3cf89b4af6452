// SPDX-License-Identifier: BSL-1.0
//
// The sample files of test/data/recordio, which wangkuiyi/recordio has written, and what their manifests say.
//
//   sample load_sample("rio-few-none");
//
#ifndef SLUICE_TEST_CODEC_RECORDIO_SAMPLES_HPP
#define SLUICE_TEST_CODEC_RECORDIO_SAMPLES_HPP

#include <sluice/codec/recordio.hpp>
#include <sluice/digest/crc32.hpp>
#include <sluice/digest/hex.hpp>
#include <sluice/digest/sha256.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/system/file.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace recordio_test {

using sluice::bytes;
using record_list = std::vector<std::vector<std::byte>>;

inline bytes content_of(const std::filesystem::path& path) {
  auto file = sluice::or_throw(sluice::file::open(path));
  return sluice::or_throw(sluice::read_all(file));
}

struct sample {
  std::string name;
  bytes stored = {};
  std::vector<sluice::recordio_chunk> chunks = {};  // as the manifest has them
  std::vector<bool> sound = {};                     // whose checksum fits
  std::vector<std::string> written = {};            // SHA-256 of each record
  std::size_t read_by_original = 0;                 // records until the original reader stopped
};

// The manifests are JSON with one member a line, so that looking for names is enough.
class manifest_lines {
 public:
  explicit manifest_lines(std::string_view text) : rest_(text) {}

  bool next(std::string& key, std::string& value) {
    while (!rest_.empty()) {
      const auto line = rest_.substr(0, rest_.find('\n'));
      rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
      const auto open = line.find('"');
      const auto colon = line.find("\": ");
      if (open == line.npos || colon == line.npos) continue;
      key = line.substr(open + 1, colon - open - 1);
      value = line.substr(colon + 3);
      while (!value.empty() && (value.back() == ',' || value.back() == '"')) value.pop_back();
      if (!value.empty() && value.front() == '"') value.erase(0, 1);
      return true;
    }
    return false;
  }

 private:
  std::string_view rest_;
};

inline sample load_sample(const std::string& name) {
  const std::filesystem::path folder = SLUICE_TEST_DATA "/recordio";
  sample s{.name = name, .stored = content_of(folder / (name + ".recordio"))};
  const bytes manifest = content_of(folder / (name + ".recordio.json"));
  manifest_lines lines(std::string_view(reinterpret_cast<const char*>(manifest.data()), manifest.size()));
  const auto number = [](const std::string& text, int base = 10) {
    std::uintmax_t n = 0;
    std::from_chars(text.data(), text.data() + text.size(), n, base);
    return n;
  };
  for (std::string key, value; lines.next(key, value);) {
    if (key == "offset") s.chunks.push_back({.offset = number(value)});
    if (key == "crc32_ieee_of_payload") s.chunks.back().checksum = static_cast<std::uint32_t>(number(value, 16));
    if (key == "payload_size") s.chunks.back().payload_size = static_cast<std::uint32_t>(number(value));
    if (key == "num_records" && !s.chunks.empty() && s.sound.size() < s.chunks.size())
      s.chunks.back().records = static_cast<std::uint32_t>(number(value));
    if (key == "compressor" && !s.chunks.empty() && value.size() == 1)
      s.chunks.back().compressor = static_cast<std::uint32_t>(number(value));
    if (key == "crc_matches_payload") s.sound.push_back(value == "true");
    if (key == "sha256") s.written.push_back(value);
    if (key == "records_read_before_stop") s.read_by_original = number(value);
  }
  return s;
}

inline std::vector<std::string> all_samples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SLUICE_TEST_DATA "/recordio"))
    if (entry.path().extension() == ".recordio") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

inline std::vector<std::string> good_samples() {
  std::vector<std::string> names;
  for (const std::string& name : all_samples())
    if (name.starts_with("rio-few") || name.starts_with("rio-many") || name.starts_with("rio-empty") ||
        name == "rio-zero-bytes")
      names.push_back(name);
  return names;
}

inline std::string sha256(std::span<const std::byte> b) { return sluice::to_hex(sluice::sha256_of(b)); }

// What a reader delivers, and how it ends.
struct outcome {
  record_list records;
  std::error_code error = {};
};

template <class R>
outcome read_records(R& from) {
  outcome all;
  for (;;) {
    const sluice::next_record next = from.next();
    if (!next) {
      all.error = next.error();
      return all;
    }
    if (!*next) return all;
    all.records.emplace_back((*next)->begin(), (*next)->end());
  }
}

inline outcome read_stored(std::span<const std::byte> stored, const sluice::recordio_options& options = {}) {
  sluice::recordio_reader in{sluice::span_reader(stored), options};
  return read_records(in);
}

// The hashes of records [from, from + n) that a manifest names.
inline bool are_written(const sample& s, const record_list& list, std::size_t from = 0) {
  if (from + list.size() > s.written.size()) return false;
  return std::ranges::equal(list, std::span(s.written).subspan(from, list.size()), {},
                            [](const auto& record) { return sha256(record); });
}

// A file in memory that is read by place.
struct memory_file {
  std::span<const std::byte> data;
  std::size_t reads = 0;
  std::size_t bytes_read = 0;

  sluice::result<std::size_t> read_at(std::uintmax_t offset, std::span<std::byte> b) {
    ++reads;
    const std::size_t n =
        offset >= data.size() ? 0 : std::min(b.size(), data.size() - static_cast<std::size_t>(offset));
    std::ranges::copy(data.subspan(std::min<std::size_t>(static_cast<std::size_t>(offset), data.size()), n), b.begin());
    bytes_read += n;
    return n;
  }
  sluice::result<std::uintmax_t> size() { return data.size(); }
};

}  // namespace recordio_test

#endif
