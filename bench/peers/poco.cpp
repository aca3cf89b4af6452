// SPDX-License-Identifier: BSL-1.0
//
// The rows of the benchmarks, with POCO; see peer.hpp.
//
#include "peer.hpp"

#include <sstream>

#include <Poco/FileStream.h>
#include <Poco/InflatingStream.h>
#include <Poco/MemoryStream.h>
#include <Poco/StreamCopier.h>

namespace {

using namespace sluice::bench;

void move(const arguments&) {
  once([] {
    Poco::FileInputStream from("/dev/stdin");
    Poco::FileOutputStream to("/dev/stdout", std::ios::out | std::ios::binary);
    const auto n = static_cast<std::uintmax_t>(Poco::StreamCopier::copyStream(from, to, buffer_size));
    to.close();
    return n;
  });
}

void small_file(const arguments& given) {
  const two_files files(given[1], std::stoul(given[0]));
  Poco::FileInputStream from(files.from.path());
  Poco::FileOutputStream to(files.to.path());
  repeat([&] {
    from.clear();
    from.seekg(0);
    to.seekp(0);
    const auto n = static_cast<std::uintmax_t>(Poco::StreamCopier::copyStream(from, to));
    to.flush();
    return n;
  });
}

void read_file(const arguments& given) {
  const input_file file(given[1], std::string(std::stoul(given[0]), 'x'));
  repeat([&] {
    Poco::FileInputStream from(file.path());
    std::string all;
    Poco::StreamCopier::copyToString(from, all, buffer_size);
    return std::uintmax_t{all.size()};
  });
}

void gunzip(const arguments& given) {
  std::string packed;
  Poco::FileInputStream file(given[0]);
  Poco::StreamCopier::copyToString(file, packed, buffer_size);
  repeat([&] {
    Poco::MemoryInputStream memory(packed.data(), static_cast<std::streamsize>(packed.size()));
    Poco::InflatingInputStream from(memory, Poco::InflatingStreamBuf::STREAM_GZIP);
    std::string piece(buffer_size, '\0');
    std::uintmax_t total = 0;
    while (from.read(piece.data(), static_cast<std::streamsize>(piece.size())) || from.gcount() != 0)
      total += static_cast<std::uintmax_t>(from.gcount());
    return total;
  });
}

}  // namespace

int main(int argc, char** argv) {
  return run_peer(argc, argv,
                  {{"move", &move}, {"small_file", &small_file}, {"read_all file", &read_file}, {"gunzip", &gunzip}});
}
