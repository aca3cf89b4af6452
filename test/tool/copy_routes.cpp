// SPDX-License-Identifier: BSL-1.0
#include "copy_routes.hpp"

#include "peer.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace sluice::test {
namespace {

constexpr std::size_t size = 163'841;
const std::string old_content(200'000, 'Y');

/// Data, a hole, data and a hole again.
std::string sparse_content() {
  std::string made = pattern(size);
  std::fill(made.begin() + 8192, made.begin() + 65536, '\0');
  std::fill(made.begin() + 131072, made.end(), '\0');
  return made;
}

}  // namespace

copy_routes::copy_routes() {
  const bool sparse = GetParam().from == source::sparse;
  content = sparse ? sparse_content() : pattern(size);
  if (!sparse) {
    folder.write("from", content);
    return;
  }
  const descriptor file = open_file(from, O_WRONLY | O_CREAT);
  EXPECT_EQ(::pwrite(file.get(), content.data(), 8192, 0), 8192);
  EXPECT_EQ(::pwrite(file.get(), content.data() + 65536, 65536, 65536), 65536);
  EXPECT_EQ(::ftruncate(file.get(), size), 0);
}

copy_routes::~copy_routes() {
  if (!elsewhere.empty()) ::unlink(elsewhere.c_str());
}

void copy_routes::SetUp() {
  if (const std::string why = preload_faults::why_not(); !why.empty()) GTEST_SKIP() << why;
  to = folder / "to";
  if (GetParam().to != destination::other_file_system) return;
  if (::access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "/dev/shm is not writable";
  if (status_of("/dev/shm").st_dev == status_of(folder.path()).st_dev)
    GTEST_SKIP() << "/dev/shm is on the file system of " << folder.path();
  std::string name = "/dev/shm/sluice-XXXXXX";
  ::close(::mkstemp(name.data()));
  to = elsewhere = name;
}

std::vector<arguments> copy_routes::modes() const {
  std::vector<arguments> all{{}, {"--kernel=never"}, {"--kernel=aliasing"}, {"--sparse=always"}, {"--progress=3600"}};
  if (into_path()) all.push_back({"--append"});
  return all;
}

void copy_routes::count(const arguments& mode) {
  EXPECT_EQ(check(mode, ""), 0);
  for (std::size_t i = 0; i != counts.size(); ++i) counts[i] = trace.calls(static_cast<preload::call>(i));
}

copy_routes::finished copy_routes::run_tool(const arguments& mode, const std::string& fault) {
  finished done;
  setup how{.environment = trace.environment(fault)};
  std::optional<peer> sender;
  std::optional<peer> receiver;
  descriptor in;
  descriptor out;
  const std::string at = folder / "at";
  ::unlink(at.c_str());
  ::unlink((at + "2").c_str());
  const auto tcp = [](const listener& l) { return "tcp:127.0.0.1:" + std::to_string(l.port()); };

  std::string src = from;
  switch (GetParam().from) {
    case source::file:
    case source::sparse: break;
    case source::standard_file:
      in = open_file(from, O_RDONLY);
      how.input_fd = in.get();
      src = "-";
      break;
    case source::pipe:
    case source::socket:
      how.input = content;
      how.input_by_socket = GetParam().from == source::socket;
      src = "-";
      break;
    case source::unix_peer:
      src = "unix:" + at;
      sender.emplace(*listener::listen_unix(at), content);
      break;
    case source::tcp_peer: {
      listener here = *listener::listen_tcp("127.0.0.1", 0);
      src = tcp(here);
      sender.emplace(std::move(here), content);
      break;
    }
    case source::tcp_listen: src = "tcp-listen:127.0.0.1:0"; break;
  }

  std::string dst = to;
  switch (GetParam().to) {
    case destination::file:
    case destination::other_file_system: {
      const descriptor old = open_file(to, O_WRONLY | O_CREAT | O_TRUNC);
      EXPECT_EQ(::write(old.get(), old_content.data(), old_content.size()), static_cast<ssize_t>(old_content.size()));
      break;
    }
    case destination::standard_file:
      out = open_file(to, O_WRONLY | O_CREAT | O_TRUNC);
      how.output_fd = out.get();
      dst = "-";
      break;
    case destination::pipe:
    case destination::socket:
      how.output_by_socket = GetParam().to == destination::socket;
      dst = "-";
      break;
    case destination::unix_peer:
      dst = "unix:" + at + "2";
      receiver.emplace(*listener::listen_unix(at + "2"));
      break;
    case destination::tcp_peer: {
      listener here = *listener::listen_tcp("127.0.0.1", 0);
      dst = tcp(here);
      receiver.emplace(std::move(here));
      break;
    }
  }

  arguments words{"copy", src, dst};
  words.insert(words.end(), mode.begin(), mode.end());
  child tool(words, std::move(how));
  if (GetParam().from == source::tcp_listen) {
    const std::string port = announced_port(tool);
    std::uint16_t number = 0;
    std::from_chars(port.data(), port.data() + port.size(), number);
    if (result<socket> client = socket::connect_tcp("127.0.0.1", number); number != 0 && client)
      write_as_taken(*client, content);
  }
  done.how = tool.wait();
  if (sender) sender->finish();
  done.arrived = receiver ? receiver->finish() : into_path() || out ? read_file(to) : done.how.out;
  done.source_name = src == "-" ? "standard input" : src;
  done.destination_name = dst == "-" ? "standard output" : dst;
  return done;
}

int copy_routes::check(const arguments& mode, const std::string& fault, int error) {
  const std::string options = mode.empty() ? "" : mode.front();
  SCOPED_TRACE("options '" + options + "', fault " + fault);
  const finished done = run_tool(mode, fault);
  const bool append = options == "--append";

  // Whoever injects a broken pipe gets what a shell gets when the reader has gone.
  if (error == EPIPE && into_output() && done.how.signal == SIGPIPE) {
    EXPECT_EQ(done.how.err, "");
    EXPECT_TRUE(content.starts_with(done.arrived));
    return -1;
  }
  EXPECT_EQ(done.how.signal, 0) << done.how.err;
  if (done.how.status == 0) {
    EXPECT_TRUE(done.arrived == (append ? old_content + content : content)) << done.arrived.size() << " bytes";
    if (GetParam().from != source::tcp_listen && !options.starts_with("--progress")) {
      EXPECT_EQ(done.how.err, "");
    }
  } else {
    check_failure(done, append, error);
  }
  return done.how.status;
}

// sluice: NAME: REASON (DOING; N bytes copied)
void copy_routes::check_failure(const finished& done, bool append, int error) {
  ASSERT_EQ(done.how.status, 1);
  std::string line = done.how.err;
  if (GetParam().from == source::tcp_listen && line.find(": listening at port ") != std::string::npos)
    line.erase(0, line.find('\n') + 1);
  ASSERT_EQ(count_lines(line), 1U) << line;
  SCOPED_TRACE(line);

  const std::size_t bracket = line.rfind(" (");
  ASSERT_NE(bracket, std::string::npos);
  const std::string doing = line.substr(bracket + 2, line.find(';', bracket) - bracket - 2);
  const std::size_t number_at = line.find("; ", bracket) + 2;
  std::size_t number = 0;
  const auto [end, bad] = std::from_chars(line.data() + number_at, line.data() + line.size(), number);
  ASSERT_EQ(std::string_view(end, line.data() + line.size()), number == 1 ? " byte copied)\n" : " bytes copied)\n");

  const bool of_source = line.starts_with("sluice: " + done.source_name + ": ");
  const bool of_destination = line.starts_with("sluice: " + done.destination_name + ": ");
  if (doing == "reading")
    EXPECT_TRUE(of_source);
  else if (doing == "writing" || doing == "closing")
    EXPECT_TRUE(of_destination);
  else
    EXPECT_TRUE(doing == "opening" && (of_source || of_destination)) << doing;
  if (error != 0) {
    EXPECT_NE(line.find(std::string(": ") + ::strerror(error) + " ("), std::string::npos);
  }

  // Of a file that is not emptied yet, all is there still.
  std::string arrived = done.arrived;
  if (append || (into_path() && doing == "opening")) {
    ASSERT_TRUE(arrived.starts_with(old_content)) << arrived.size();
    arrived.erase(0, old_content.size());
  }
  ASSERT_TRUE(content.starts_with(arrived)) << arrived.size();
  const bool holes = GetParam().from == source::sparse;
  if (GetParam().to == destination::tcp_peer)
    EXPECT_LE(arrived.size(), number);  // what a reset connection had not delivered is gone
  else if (holes)
    EXPECT_GE(arrived.size(), number);  // a hole may be made before what follows it fails
  else
    EXPECT_EQ(arrived.size(), number);
}

}  // namespace sluice::test
