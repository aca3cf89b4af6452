// SPDX-License-Identifier: BSL-1.0
//
// A server that is asked for a file by a line with its name, and sends it; and a client of it. A large file goes from
// the page cache to the socket inside the kernel.
//
#include <sluice/sluice.hpp>

#include <filesystem>
#include <iostream>
#include <string>
#include <thread>

using namespace sluice;
using namespace std::chrono_literals;

namespace {

void serve_one(listener& here, const std::filesystem::path& folder) {
  socket peer = or_throw(here.accept());
  const auto deadline = std::chrono::steady_clock::now() + 5s;
  std::string request;
  {
    buf_reader lines(peer, 1024);
    or_throw(read_until(lines, std::byte{'\n'}, request, 255, {.deadline = deadline}));
  }
  if (!request.ends_with('\n')) return;
  request.pop_back();
  // Only a name of this folder, and no path out of it.
  auto wanted = file::open(folder / std::filesystem::path(request).filename());
  if (!wanted) return;
  copy_report report;
  const std::uintmax_t bytes = or_throw(copy(*wanted, peer, {.deadline = deadline, .report = &report}));
  or_throw(peer.shutdown_write());
  std::cout << "sent " << bytes << " bytes: " << report.reason << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path path = argv[1];
  listener here = or_throw(listener::listen_tcp("127.0.0.1", 0));
  std::jthread server([&] { serve_one(here, path.parent_path()); });

  socket connection = or_throw(socket::connect_tcp("127.0.0.1", here.port()));
  or_throw(write_all(connection, path.filename().string() + '\n'));
  or_throw(connection.shutdown_write());
  const std::string answer = or_throw(read_to_string(connection));
  server.join();
  return answer == or_throw(read_to_string(or_throw(file::open(path)))) ? 0 : 1;
}
