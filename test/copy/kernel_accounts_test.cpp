// SPDX-License-Identifier: BSL-1.0
//
// System calls that fail, fall short or say end in the middle, on every kernel path: the bytes are right, or exactly
// accounted, and the copy ends.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t size = 163'841;

enum class route {
  file_to_file,
  file_to_other_file_system,
  sparse_to_file,
  file_to_socket,
  file_to_pipe_aliasing,
  pipe_to_file,
  pipe_to_pipe,
  pipe_to_socket,
  socket_to_file,
  socket_to_pipe,
  socket_to_socket,
};

constexpr std::array route_names{"file_to_file",          "file_to_other_file_system",
                                 "sparse_to_file",        "file_to_socket",
                                 "file_to_pipe_aliasing", "pipe_to_file",
                                 "pipe_to_pipe",          "pipe_to_socket",
                                 "socket_to_file",        "socket_to_pipe",
                                 "socket_to_socket"};

void PrintTo(route r, std::ostream* out) { *out << route_names.at(static_cast<std::size_t>(r)); }

const std::string& content() {
  static const std::string text = some_text(size);
  return text;
}

// Data, a hole, data and a hole again.
const std::string& sparse_content() {
  static const std::string text = [] {
    std::string made = content();
    std::fill(made.begin() + 8192, made.begin() + 65536, '\0');
    std::fill(made.begin() + 131072, made.end(), '\0');
    return made;
  }();
  return text;
}

// A source that holds everything, and a destination with room for everything.
class stage {
 public:
  stage(route r, const temporary_folder& disk, const memory_folder& memory) : route_(r) {
    switch (r) {
      case route::file_to_file:
      case route::file_to_other_file_system:
      case route::file_to_socket:
      case route::file_to_pipe_aliasing:
        from_.reader = handle(::open((disk / "from").c_str(), O_RDONLY | O_CLOEXEC));
        if (::lseek(from_.reader.get(), 0, SEEK_END) == 0) from_.reader = file_with(disk / "from", content());
        ::lseek(from_.reader.get(), 0, SEEK_SET);
        break;
      case route::sparse_to_file: make_sparse(disk / "sparse"); break;
      case route::pipe_to_file:
      case route::pipe_to_pipe:
      case route::pipe_to_socket: fill(make_pipe_ends(1 << 20)); break;
      default: fill(make_socket_pair()); break;
    }
    switch (r) {
      case route::file_to_other_file_system: path_ = memory / "to"; break;
      case route::file_to_file:
      case route::sparse_to_file:
      case route::pipe_to_file:
      case route::socket_to_file: path_ = disk / "to"; break;
      case route::file_to_pipe_aliasing:
      case route::pipe_to_pipe:
      case route::socket_to_pipe: to_ = make_pipe_ends(1 << 20); break;
      default: to_ = make_socket_pair(); break;
    }
    if (!path_.empty()) to_.writer = new_file(path_);
  }

  static void prepare(const temporary_folder& disk) { file_with(disk / "from", content()); }

  const std::string& expected() const { return route_ == route::sparse_to_file ? sparse_content() : content(); }

  std::expected<std::uintmax_t, copy_error> run(copy_report* report = nullptr, std::size_t buffer_size = 0) {
    fd_ref from(from_.reader.get());
    fd_ref to(to_.writer.get());
    return copy(from, to,
                {.buffer_size = buffer_size,
                 .kernel = route_ == route::file_to_pipe_aliasing ? kernel_policy::aliasing : kernel_policy::automatic,
                 .report = report});
  }

  std::string rest() { return everything(from_.reader.get()); }
  int to() const { return to_.writer.get(); }

  // What has arrived, after which nothing more can.
  std::string arrived() {
    if (!path_.empty()) return content_of(path_);
    to_.writer.reset();
    return everything(to_.reader.get());
  }

 private:
  void fill(two_ends ends) {
    from_ = std::move(ends);
    write_text(from_.writer.get(), content());
    from_.writer.reset();
  }

  void make_sparse(const std::string& path) {
    from_.writer = new_file(path);
    const std::string& text = sparse_content();
    bool right = ::pwrite(from_.writer.get(), text.data(), 8192, 0) == 8192;
    right = right && ::pwrite(from_.writer.get(), text.data() + 65536, 65536, 65536) == 65536;
    right = right && ::ftruncate(from_.writer.get(), static_cast<off_t>(size)) == 0;
    if (!right) throw std::runtime_error("sparse file");
    from_.reader = handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  }

  route route_;
  std::string path_;
  two_ends from_;
  two_ends to_;
};

class copy_kernel_accounts : public testing::TestWithParam<route> {
 protected:
  void SetUp() override {
    if (!memory && GetParam() == route::file_to_other_file_system) GTEST_SKIP() << "no /dev/shm";
    stage::prepare(disk);
  }

  // Runs with a fault in force, and looks at what became of every byte.
  void check(const fault_plan& plan, std::size_t buffer_size = 0) {
    SCOPED_TRACE(std::string(plan.call) + " call " + std::to_string(plan.at) + " error " + std::to_string(plan.error));
    stage s(GetParam(), disk, memory);
    copy_report report;
    std::expected<std::uintmax_t, copy_error> copied;
    {
      const fault broken(plan);
      copied = s.run(&report, buffer_size);
    }
    if (copied) {
      EXPECT_EQ(*copied, size);
      EXPECT_EQ(sum_of(report), size);
      ASSERT_TRUE(s.arrived() == s.expected());
      return;
    }
    const copy_error& error = copied.error();
    EXPECT_EQ(sum_of(report), error.bytes);
    const std::string unwritten = support::text(error.unwritten);
    const std::string rest = s.rest();
    ASSERT_EQ(error.bytes + unwritten.size() + rest.size(), size) << show(copied);
    ASSERT_TRUE(unwritten + rest == s.expected().substr(error.bytes));
    const std::string arrived = s.arrived();
    // A hole may have been made before what should follow it failed: zeros, then.
    ASSERT_GE(arrived.size(), error.bytes);
    ASSERT_TRUE(arrived.starts_with(std::string_view(s.expected()).substr(0, error.bytes)));
    if (GetParam() != route::sparse_to_file) {
      ASSERT_EQ(arrived.size(), error.bytes);
    }
    if (plan.error != 0) {
      EXPECT_EQ(error.code.value(), plan.error) << show(copied);
    }
  }

  // How often a copy without any fault makes the call.
  std::size_t calls_of(std::string_view call) {
    stage s(GetParam(), disk, memory);
    const fault counted({.call = call});
    EXPECT_EQ(show(s.run()), std::to_string(size));
    return counted.calls();
  }

  temporary_folder disk;
  memory_folder memory;
};

TEST_P(copy_kernel_accounts, any_call_may_fail_once) {
  for (const std::string_view call :
       {"copy_file_range", "sendfile", "splice", "read", "write", "send", "pwritev2", "fstat", "poll", "pipe2",
        "set_pipe_size", "clone_range", "get_flags", "getsockopt", "ftruncate", "fallocate"}) {
    const std::size_t calls = std::min<std::size_t>(calls_of(call), 6);
    for (std::size_t k = 1; k <= calls; ++k)
      for (const int error :
           {EINTR, EAGAIN, EINVAL, EPERM, EXDEV, EOPNOTSUPP, ENOSYS, EBADF, EIO, ENOSPC, ETXTBSY, EOVERFLOW, ENODATA})
        check({.call = call, .at = k, .error = error});
  }
}

// Also where only a few bytes fit into the buffer that the fallback has.
TEST_P(copy_kernel_accounts, a_path_may_fail_for_good) {
  for (const std::string_view call : {"copy_file_range", "sendfile", "splice", "clone_range"})
    for (std::size_t k = 1; k <= std::min<std::size_t>(calls_of(call), 5); ++k)
      for (const int error : {EINVAL, EPERM, EIO, ENOSYS})
        for (const std::size_t buffer_size : {std::size_t{0}, std::size_t{512}})
          check({.call = call, .at = k, .times = always, .error = error}, buffer_size);
}

TEST_P(copy_kernel_accounts, a_call_may_fall_short) {
  for (const std::string_view call : {"copy_file_range", "sendfile", "splice", "read", "write", "send", "pwritev2"}) {
    const std::size_t calls = std::min<std::size_t>(calls_of(call), 5);
    for (std::size_t k = 1; k <= calls; ++k) check({.call = call, .at = k, .shorten = 1});
    if (calls != 0) check({.call = call, .times = always, .shorten = 1000});
  }
}

// gentoo/portage#778: copy_file_range said 0 with data left, and a loop called it for ever.
TEST_P(copy_kernel_accounts, a_path_may_say_end_in_the_middle) {
  for (const std::string_view call : {"copy_file_range", "sendfile", "splice"}) {
    const std::size_t calls = std::min<std::size_t>(calls_of(call), 5);
    for (std::size_t k = 1; k <= calls; ++k) {
      for (const std::size_t buffer_size : {std::size_t{0}, std::size_t{512}}) {
        check({.call = call, .at = k, .answer = 0}, buffer_size);
        check({.call = call, .at = k, .times = always, .answer = 0}, buffer_size);
      }
    }
  }
}

TEST_P(copy_kernel_accounts, a_write_may_accept_nothing) {
  for (const std::string_view call : {"write", "send", "pwritev2"})
    for (std::size_t k = 1; k <= std::min<std::size_t>(calls_of(call), 3); ++k)
      check({.call = call, .at = k, .answer = 0});
}

// After lseek has failed nobody knows where the next read begins; but no copy says that all went well, and is wrong.
TEST_P(copy_kernel_accounts, a_failing_lseek_is_not_hidden) {
  const std::size_t calls = calls_of("lseek");
  for (std::size_t k = 1; k <= calls; ++k) {
    SCOPED_TRACE("call " + std::to_string(k));
    stage s(GetParam(), disk, memory);
    std::expected<std::uintmax_t, copy_error> copied;
    {
      const fault broken({.call = "lseek", .at = k, .error = EIO});
      copied = s.run();
    }
    if (copied) {
      EXPECT_EQ(*copied, size);
      EXPECT_TRUE(s.arrived() == s.expected());
    }
  }
}

// Two faults: the kernel path breaks off, and so does the write that should take what is in the private pipe.
TEST_P(copy_kernel_accounts, the_path_and_its_fallback_fail) {
  for (const std::string_view path : {"copy_file_range", "sendfile", "splice"}) {
    const std::size_t calls = std::min<std::size_t>(calls_of(path), 4);
    for (std::size_t k = 1; k <= calls; ++k) {
      for (const std::string_view call : {"write", "send", "pwritev2", "read"}) {
        const fault broken({.call = path, .at = k, .times = always, .error = EIO});
        // A private pipe that could not be read for good would take its bytes with it.
        const std::size_t times = call == "read" ? 1 : always;
        for (std::size_t j = 1; j <= 4; ++j) check({.call = call, .at = j, .times = times, .error = ENOSPC});
      }
    }
  }
}

// All that an error carries, and then another copy: the whole.
TEST_P(copy_kernel_accounts, another_copy_goes_on) {
  for (const std::string_view call : {"splice", "sendfile", "copy_file_range", "write", "send", "pwritev2"}) {
    for (std::size_t k = 1; k <= std::min<std::size_t>(calls_of(call), 4); ++k) {
      stage s(GetParam(), disk, memory);
      std::expected<std::uintmax_t, copy_error> copied;
      {
        const fault broken({.call = call, .at = k, .times = always, .error = EIO});
        const fault full({.call = "write", .at = 2, .times = always, .error = ENOSPC});
        const fault blocked({.call = "send", .at = 2, .times = always, .error = ENOSPC});
        const fault shut({.call = "pwritev2", .at = 2, .times = always, .error = ENOSPC});
        copied = s.run();
      }
      if (!copied) {
        write_text(s.to(), support::text(copied.error().unwritten));
        ASSERT_EQ(show(s.run()), std::to_string(size - copied.error().bytes - copied.error().unwritten.size()));
      }
      ASSERT_TRUE(s.arrived() == s.expected());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, copy_kernel_accounts,
                         testing::Values(route::file_to_file, route::file_to_other_file_system, route::sparse_to_file,
                                         route::file_to_socket, route::file_to_pipe_aliasing, route::pipe_to_file,
                                         route::pipe_to_pipe, route::pipe_to_socket, route::socket_to_file,
                                         route::socket_to_pipe, route::socket_to_socket),
                         [](const auto& p) { return route_names.at(static_cast<std::size_t>(p.param)); });

}  // namespace
}  // namespace sluice
