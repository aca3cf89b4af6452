// SPDX-License-Identifier: BSL-1.0
#include "explain_command.hpp"

#include <sluice/adaptor/limit.hpp>
#include <sluice/copy.hpp>
#include <sluice/system/pipe.hpp>
#include <sluice/system/socket.hpp>

#include "command_line.hpp"
#include "endpoint.hpp"
#include "report.hpp"
#include "text.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::tool {

namespace {

namespace fs = std::filesystem;

std::error_code last_error() noexcept { return {errno, std::system_category()}; }

/// A side as copy would have it, or something of the same kind in its place: a FIFO must not be
/// opened and nobody be connected to, for others would notice.
struct examined {
  endpoint side;
  std::string remark;
};

/// Holds what has to stay open while the two sides are looked at.
struct helpers {
  std::vector<fd_stream> others;  // the far sides of pipes and sockets
  std::vector<std::string> notes;
};

result<examined> stand_in(std::string name, fd_stream stream, std::string remark) {
  examined made{{.name = std::move(name), .stream = std::move(stream)}, std::move(remark)};
  made.side.kind = made.side.stream.kind();
  return made;
}

/// A duplicate, for standard output is still to be written to.
result<examined> standard_stream(std::string name, int fd) {
  fd_stream duplicate(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
  if (!duplicate.is_open()) return fail(last_error());
  return stand_in(std::move(name), std::move(duplicate), "");
}

result<examined> unopened_fifo(std::string name, bool read_end, helpers& help) {
  result<pipe_ends> ends = make_pipe();
  if (!ends) return fail(ends.error());
  fd_stream reader(ends->reader.release());
  fd_stream writer(ends->writer.release());
  help.others.push_back(std::move(read_end ? writer : reader));
  return stand_in(std::move(name), std::move(read_end ? reader : writer), "not opened");
}

result<examined> unconnected_socket(std::string name, const endpoint_spec& spec, helpers& help) {
  if (spec.form == endpoint_form::unix_socket || spec.form == endpoint_form::unix_listen) {
    result<std::pair<socket, socket>> pair = socket::pair();
    if (!pair) return fail(pair.error());
    help.others.emplace_back(pair->second.release());
    return stand_in(std::move(name), fd_stream(pair->first.release()), "not connected");
  }
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return fail(last_error());
  return stand_in(std::move(name), fd_stream(fd), "not connected");
}

/// Opens what copy would open, and waits for nobody.
result<fd_stream> open_quietly(const std::string& path, int flags) {
  fd_stream opened(::open(path.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!opened.is_open()) return fail(last_error());
  if (const result<void> set = opened.set_non_blocking(false); !set) return fail(set.error());
  return opened;
}

/// The mode bits of what the path leads to.
result<mode_t> mode_of(const std::string& path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) != 0) return fail(last_error());
  return facts.st_mode;
}

/// A regular file that has no name and is gone when it is closed, in the folder where copy would
/// create one; elsewhere if that file system has no such files.
result<fd_stream> nameless_file(const fs::path& folder, bool append, helpers& help) {
  const int flags = O_WRONLY | O_CLOEXEC | (append ? O_APPEND : 0);
#ifdef O_TMPFILE
  fd_stream here(::open(folder.c_str(), flags | O_TMPFILE, 0600));
  if (here.is_open()) return here;
  // EISDIR is the answer of kernels that don't know the flag.
  if (errno != EOPNOTSUPP && errno != EISDIR) return fail(last_error());
#endif
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return fail(last_error());
  help.notes.push_back("judged by a file in the folder for temporary files; " + printable(folder.string()) +
                       " has no files without a name");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> elsewhere(std::tmpfile(), &std::fclose);
  if (!elsewhere) return fail(last_error());
  fd_stream copied(::fcntl(::fileno(elsewhere.get()), F_DUPFD_CLOEXEC, 3));
  if (!copied.is_open()) return fail(last_error());
  if (append && ::fcntl(copied.fd(), F_SETFL, O_APPEND) != 0) return fail(last_error());
  return copied;
}

result<examined> new_file(const endpoint_spec& spec, bool append, std::string remark, helpers& help) {
  const result<fs::path> path = resolved(spec.path);
  if (!path) return fail(path.error());
  if (path->empty()) return fail(std::make_error_code(std::errc::no_such_file_or_directory));
  if (!path->has_filename()) return fail(std::make_error_code(std::errc::is_a_directory));
  const fs::path folder = path->has_parent_path() ? path->parent_path() : fs::path(".");
  result<fd_stream> made = nameless_file(folder, append, help);
  if (!made) return fail(made.error());
  return stand_in(destination_name(spec), *std::move(made), std::move(remark));
}

result<examined> examine_source(const endpoint_spec& spec, helpers& help) {
  if (spec.form == endpoint_form::standard_stream) return standard_stream(source_name(spec), STDIN_FILENO);
  if (spec.is_socket()) return unconnected_socket(source_name(spec), spec, help);

  const result<mode_t> mode = mode_of(spec.path);
  if (!mode) return fail(mode.error());
  if (S_ISDIR(*mode)) return fail(std::make_error_code(std::errc::is_a_directory));
  if (S_ISFIFO(*mode)) return unopened_fifo(source_name(spec), true, help);
  result<fd_stream> opened = open_quietly(spec.path, O_RDONLY);
  if (!opened) return fail(opened.error());
  const std::optional<std::uintmax_t> size = opened->size_hint();
  return stand_in(source_name(spec), *std::move(opened), size ? byte_count(*size) : std::string());
}

result<examined> examine_destination(const endpoint_spec& spec, destination_options how, helpers& help) {
  if (spec.form == endpoint_form::standard_stream) return standard_stream(destination_name(spec), STDOUT_FILENO);
  if (spec.is_socket()) return unconnected_socket(destination_name(spec), spec, help);

  const result<mode_t> mode = mode_of(spec.path);
  if (!mode && mode.error() == std::errc::no_such_file_or_directory)
    return new_file(spec, how.append, "would be created", help);
  if (!mode) return fail(mode.error());
  if (how.atomic && S_ISREG(*mode)) return new_file(spec, false, "would be replaced", help);
  if (how.atomic) return fail(S_ISDIR(*mode) ? std::make_error_code(std::errc::is_a_directory) : io_errc::unsupported);
  if (S_ISFIFO(*mode)) return unopened_fifo(destination_name(spec), false, help);
  result<fd_stream> opened = open_quietly(spec.path, O_WRONLY | (how.append ? O_APPEND : 0));
  if (!opened) return fail(opened.error());
  const char* remark = !S_ISREG(*mode) ? "" : how.append ? "would be appended to" : "would be emptied";
  return stand_in(destination_name(spec), *std::move(opened), remark);
}

ending fails(const std::string& name, std::error_code code, std::string_view hint = "") {
  if (code != std::errc::no_such_file_or_directory) hint = "";
  say(printable(name) + ": " + message(code) + std::string(hint) + " (opening)");
  return {exit_failure};
}

}  // namespace

ending explain_command(int argc, char** argv) {
  const std::expected<copy_settings, ending> settings = parse_copy_line("explain", argc, argv);
  if (!settings) return settings.error();

  const endpoint_spec& from_spec = settings->sources.front();
  helpers help;
  result<examined> source = examine_source(from_spec, help);
  if (!source) return fails(source_name(from_spec), source.error(), scheme_hint(from_spec));
  destination_options how{.append = settings->append};
  if (settings->atomic) how.atomic = sync_level::data;
  result<examined> destination = examine_destination(settings->destination, how, help);
  if (!destination)
    return fails(destination_name(settings->destination), destination.error(), scheme_hint(settings->destination));
  if (const result<void> different = check_different(source->side, destination->side); !different)
    return fails(destination->side.name, different.error());

  fd_stream& from = source->side.stream;
  fd_stream& to = destination->side.stream;
  // The position of standard input is not ours to move.
  if (from_spec.form == endpoint_form::path) (void)from.skip(settings->skip);
  copy_plan plan = settings->bytes ? explain(from | limit(*settings->bytes), to, settings->options)
                                   : explain(from, to, settings->options);
  if (settings->digest) plan.reason = digest_reason;
  if (settings->codec.changes_bytes()) plan.reason = codec_reason;
  const plan_account account{
      .source = {source->side.name, source->side.kind, source->remark},
      .destination = {destination->side.name, destination->side.kind, destination->remark},
      .plan = plan,
      .notes = std::move(help.notes),
  };
  const bool json = settings->report == report_format::json;
  return {print(json ? plan_json(account) : plan_text(account)) ? exit_success : exit_failure};
}

}  // namespace sluice::tool
