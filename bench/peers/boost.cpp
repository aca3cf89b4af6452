// SPDX-License-Identifier: BSL-1.0
//
// The rows of the benchmarks, with Boost.Iostreams; see peer.hpp.
//
#include "peer.hpp"

#include <fstream>
#include <sstream>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/stream.hpp>

namespace {

namespace io = boost::iostreams;
using namespace sluice::bench;

void move(const arguments&) {
  once([] {
    return static_cast<std::uintmax_t>(io::copy(io::file_descriptor_source(0, io::never_close_handle),
                                                io::file_descriptor_sink(1, io::never_close_handle), buffer_size));
  });
}

// Its copy closes both devices.
void small_file(const arguments& given) {
  const two_files files(given[1], std::stoul(given[0]));
  const int from = ::open(files.from.path().c_str(), O_RDONLY | O_CLOEXEC);
  const int to = ::open(files.to.path().c_str(), O_WRONLY | O_CLOEXEC);
  repeat([&] {
    ::lseek(from, 0, SEEK_SET);
    ::lseek(to, 0, SEEK_SET);
    return static_cast<std::uintmax_t>(io::copy(io::file_descriptor_source(from, io::never_close_handle),
                                                io::file_descriptor_sink(to, io::never_close_handle)));
  });
}

void read_file(const arguments& given) {
  const input_file file(given[1], std::string(std::stoul(given[0]), 'x'));
  repeat([&] {
    std::string all;
    io::copy(io::file_descriptor_source(file.path()), io::back_inserter(all), buffer_size);
    return std::uintmax_t{all.size()};
  });
}

void read_pipe(const arguments& given) {
  const std::uintmax_t bytes = std::stoull(given[0]);
  repeat([&] {
    const fed_pipe pipe(bytes);
    std::string all;
    io::copy(io::file_descriptor_source(pipe.fd(), io::never_close_handle), io::back_inserter(all), buffer_size);
    return std::uintmax_t{all.size()};
  });
}

void lines(const arguments& given) {
  const input_file file(given[1], text_of_lines(std::stoul(given[0])));
  repeat([&] {
    io::stream<io::file_descriptor_source> from(io::file_descriptor_source(file.path()),
                                                static_cast<std::streamsize>(small_buffer_size));
    std::uintmax_t total = 0;
    for (std::string line; std::getline(from, line);) total += line.size() + 1;
    require(total >= text_size);
    return std::uintmax_t{text_size};
  });
}

std::string content_of(const std::string& path) {
  std::ifstream from(path, std::ios::binary);
  std::ostringstream all;
  all << from.rdbuf();
  return std::move(all).str();
}

void gunzip(const arguments& given) {
  const std::string packed = content_of(given[0]);
  repeat([&] {
    io::filtering_istream from;
    from.push(io::gzip_decompressor(io::zlib::default_window_bits, small_buffer_size));
    from.push(io::array_source(packed.data(), packed.size()));
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
                  {{"move", &move},
                   {"small_file", &small_file},
                   {"read_all file", &read_file},
                   {"read_all pipe", &read_pipe},
                   {"lines", &lines},
                   {"gunzip", &gunzip}});
}
