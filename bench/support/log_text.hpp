// SPDX-License-Identifier: BSL-1.0
//
// Text like the log of a web server: the content of compressed files.
//
#ifndef SLUICE_BENCH_SUPPORT_LOG_TEXT_HPP
#define SLUICE_BENCH_SUPPORT_LOG_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>

namespace sluice::bench {

inline std::string log_text(std::size_t size) {
  static constexpr const char* paths[] = {"/index.html", "/images/logo.png", "/api/v1/items", "/login", "/favicon.ico"};
  static constexpr const char* agents[] = {"Mozilla/5.0 (X11; Linux x86_64)", "curl/7.88.1", "Go-http-client/1.1"};
  std::mt19937 random(1);
  std::string text;
  text.reserve(size + 200);
  for (std::uintmax_t second = 0; text.size() < size; second += random() % 2) {
    text += "10.0." + std::to_string(random() % 4) + '.' + std::to_string(random() % 256) + " - - [" +
            std::to_string(1'700'000'000 + second) + "] \"GET " + paths[random() % std::size(paths)] + " HTTP/1.1\" " +
            (random() % 10 == 0 ? "404 " : "200 ") + std::to_string(random() % 100'000) + " \"-\" \"" +
            agents[random() % std::size(agents)] + "\"\n";
  }
  text.resize(size);
  return text;
}

}  // namespace sluice::bench

#endif
