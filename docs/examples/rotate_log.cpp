// SPDX-License-Identifier: BSL-1.0
//
// A log that begins a new file when one has grown large enough. No line is lost or torn: closing passes on what is
// pending and says whether that worked, and the buffer goes on with the next file.
//
#include <sluice/sluice.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>

using namespace sluice;

namespace {

class rotating_log {
 public:
  rotating_log(std::filesystem::path path, std::uintmax_t largest)
      : path_(std::move(path)), largest_(largest), out_(or_throw(file::create(path_))) {}

  result<void> write(std::string_view line) {
    if (size_ + line.size() > largest_) {
      if (auto done = rotate(); !done) return done;
    }
    size_ += line.size();
    if (auto written = write_all(out_, line); !written) return fail(written.error());
    return {};
  }

  result<void> close() { return out_.close(); }
  int files() const { return files_; }

 private:
  result<void> rotate() {
    if (auto closed = out_.close(); !closed) return closed;
    std::filesystem::rename(path_, path_.string() + '.' + std::to_string(files_++));
    auto next = file::create(path_);
    if (!next) return fail(next.error());
    size_ = 0;
    return out_.reset(*std::move(next));
  }

  std::filesystem::path path_;
  std::uintmax_t largest_;
  std::uintmax_t size_ = 0;
  int files_ = 1;
  line_writer<file> out_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  rotating_log log(argv[1], 1000);
  for (int i = 0; i != 200; ++i) or_throw(log.write("request " + std::to_string(i) + " answered\n"));
  or_throw(log.close());

  std::uintmax_t lines = 0;
  for (int i = 1; i <= log.files(); ++i) {
    const std::string name = argv[1] + (i == log.files() ? std::string() : '.' + std::to_string(i));
    const std::string text = or_throw(read_to_string(or_throw(file::open(name))));
    lines += static_cast<std::uintmax_t>(std::ranges::count(text, '\n'));
  }
  std::cout << lines << " lines in " << log.files() << " files\n";
  return lines == 200 ? 0 : 1;
}
