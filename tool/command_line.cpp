// SPDX-License-Identifier: BSL-1.0
#include "command_line.hpp"

#include "text.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <string>
#include <system_error>
#include <utility>

namespace sluice::tool {

namespace {

// More in one buffer serves nobody, and a slip of the hand is told better here than by bad_alloc.
constexpr std::uintmax_t largest_buffer = std::uintmax_t{1} << 30U;

constexpr std::string_view copy_summary = R"(Usage: sluice copy [OPTION]... SRC DST

Copies SRC to DST until SRC ends, on the fastest path that the kernel has for the two.
)";

constexpr std::string_view explain_summary = R"(Usage: sluice explain [OPTION]... SRC DST

Says which path `sluice copy` would take with the same arguments, what would stand in where that
path fails, and why. Moves nothing, connects to nothing, and leaves DST as it is.
)";

constexpr std::string_view endpoints_help = R"(
SRC and DST are each one of
  PATH                    a file, a FIFO or a device. DST is created, or emptied if it is a regular
                          file; a new one gets the permissions 0666 less the umask
  -                       standard input or output, from or at its current offset; never emptied
  tcp:HOST:PORT           connects by TCP; an IPv6 address stands in brackets, tcp:[::1]:7000
  unix:PATH               connects to a Unix socket; a PATH starting with @ is an abstract name
  tcp-listen:HOST:PORT    accepts one connection; no HOST: at all addresses; PORT 0: any free port
  unix-listen:PATH        accepts one connection, and removes the socket file then
A file whose name looks like one of these is written ./NAME, and after -- if it starts with a dash.
)";

constexpr std::string_view options_help = R"(
Options:
  --bytes N               stop after N bytes; a SRC that ends before is no error
  --skip N                pass over the first N bytes of SRC: by seeking in a regular file, else by
                          reading; a SRC that ends before gives an empty copy
  --append                write at the end of DST, a path, instead of emptying it
  --progress[=SECONDS]    tell on standard error how far the copy is: a bar on a terminal, every 0.2
                          seconds; lines elsewhere, every second
  --report[=text|json]    tell on standard error which path moved how many bytes
  --kernel WHEN           automatic: kernel paths that leave the bytes safe from later changes of a
                          file; never: read and write only; aliasing: also splice a file into a pipe
  --sparse WHEN           automatic: holes of SRC become holes of DST; never: they are written;
                          always: blocks of zeros become holes too
  --buffer SIZE           bytes read at once where the bytes pass through memory; at most 1G
  --help                  show this text
Sizes take K, M, G, T, P or E, also as KiB and so on, for powers of 1024.
)";

constexpr std::string_view copy_exit_help = R"(
The exit status is 0 only when every byte has arrived and DST was closed without an error. It is 1
after a failure, with one line on standard error that names the side, the reason and the bytes that
were copied; what was copied stays in DST. It is 2 for a wrong command line. SIGINT and SIGTERM stop
the copy between two pieces; a second one kills. When the reader of standard output has gone, sluice
dies of SIGPIPE like other commands, or exits with 1 where SIGPIPE is ignored.
)";

constexpr std::string_view explain_exit_help = R"(
The explanation goes to standard output, with --report=json as one line of JSON. The exit status is
0, 1 if the copy would fail to open SRC or DST, and 2 for a wrong command line.
)";

std::string help_for(std::string_view command) {
  const bool explains = command == "explain";
  std::string text;
  text += explains ? explain_summary : copy_summary;
  text += endpoints_help;
  text += options_help;
  text += explains ? explain_exit_help : copy_exit_help;
  return text;
}

std::uintmax_t size_of(const std::string& option, const std::string& text) {
  const std::optional<std::uintmax_t> size = parse_size(text);
  if (!size) throw CLI::ValidationError(option, "'" + text + "' is no size; 4096, 64K and 1MiB are");
  return *size;
}

/// Nothing where the text is no number of seconds from 0.01 to 86400.
std::optional<std::chrono::milliseconds> parse_interval(const std::string& text) {
  double seconds = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, seconds);
  if (error != std::errc() || end != last || !(seconds >= 0.01 && seconds <= 86400)) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

std::chrono::milliseconds interval_of(const std::string& text) {
  const std::optional<std::chrono::milliseconds> interval = parse_interval(text);
  if (!interval) throw CLI::ValidationError("--progress", "'" + text + "' is no number of seconds from 0.01 to 86400");
  return *interval;
}

endpoint_spec endpoint_of(const std::string& text) {
  std::expected<endpoint_spec, std::string> spec = parse_endpoint(text);
  if (!spec) throw CLI::ValidationError(spec.error());
  return *std::move(spec);
}

/// One of several words for the values of an enumeration.
template <class E, std::size_t N>
E word_of(const std::string& option, const std::string& text, const std::pair<std::string_view, E> (&words)[N]) {
  std::string all;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    all += (all.empty() ? "" : ", ") + std::string(word);
  }
  throw CLI::ValidationError(option, "'" + text + "' is none of " + all);
}

/// The raw words of the line.
struct words {
  std::string source, destination, bytes, skip, buffer, progress, report, kernel, sparse;
  bool append = false;
};

void add_options(CLI::App& app, words& line) {
  app.set_help_flag("-h,--help");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("SRC", line.source);
  app.add_option("DST", line.destination);
  app.add_option("--bytes", line.bytes);
  app.add_option("--skip", line.skip);
  app.add_option("--buffer", line.buffer);
  app.add_option("--kernel", line.kernel);
  app.add_option("--sparse", line.sparse);
  app.add_flag("--append", line.append);
  // Flags, so that a word after them is not taken for their value.
  app.add_flag("--progress{default}", line.progress);
  app.add_flag("--report{text}", line.report);
}

copy_settings settings_of(const words& line, CLI::App& app) {
  const auto given = [&](const char* option) { return app.count(option) != 0; };
  if (!given("SRC")) throw CLI::RequiredError("SRC");
  if (!given("DST")) throw CLI::RequiredError("DST");

  copy_settings settings;
  settings.source = endpoint_of(line.source);
  settings.destination = endpoint_of(line.destination);
  if (given("--bytes")) settings.bytes = size_of("--bytes", line.bytes);
  if (given("--skip")) settings.skip = size_of("--skip", line.skip);
  if (given("--buffer")) {
    const std::uintmax_t size = size_of("--buffer", line.buffer);
    if (size == 0 || size > largest_buffer)
      throw CLI::ValidationError("--buffer", "'" + line.buffer + "' is not from 1 to 1G");
    settings.options.buffer_size = static_cast<std::size_t>(size);
  }
  settings.append = line.append;
  if (settings.append && settings.destination.form != endpoint_form::path)
    throw CLI::ValidationError("--append", "DST has to be a path; a shell appends with >>");
  settings.show_progress = given("--progress");
  if (settings.show_progress && line.progress != "default") settings.progress_interval = interval_of(line.progress);
  if (given("--report"))
    settings.report =
        word_of<report_format>("--report", line.report, {{"text", report_format::text}, {"json", report_format::json}});
  if (given("--kernel"))
    settings.options.kernel = word_of<kernel_policy>("--kernel", line.kernel,
                                                     {{"automatic", kernel_policy::automatic},
                                                      {"never", kernel_policy::never},
                                                      {"aliasing", kernel_policy::aliasing}});
  if (given("--sparse"))
    settings.options.sparse = word_of<sparse_policy>(
        "--sparse", line.sparse,
        {{"automatic", sparse_policy::automatic}, {"never", sparse_policy::never}, {"always", sparse_policy::always}});
  return settings;
}

/// What to add to the message about a word too many, where the first one was meant to be the value of an option.
std::string value_hint(const words& line) {
  if (line.progress == "default" && parse_interval(line.source))
    return "; a value of --progress comes after =, as in --progress=" + line.source;
  if (line.report == "text" && (line.source == "text" || line.source == "json"))
    return "; a value of --report comes after =, as in --report=" + line.source;
  return "";
}

}  // namespace

std::expected<copy_settings, ending> parse_copy_line(std::string_view command, int argc, char** argv) {
  CLI::App app;
  words line;
  add_options(app, line);
  try {
    app.parse(argc, argv);
    return settings_of(line, app);
  } catch (const CLI::CallForHelp&) {
    return std::unexpected(ending{print(help_for(command)) ? exit_success : exit_failure});
  } catch (const CLI::ParseError& wrong) {
    const std::string hint = dynamic_cast<const CLI::ExtrasError*>(&wrong) ? value_hint(line) : "";
    say(std::string(command) + ": " + printable(wrong.what() + hint) + "; see 'sluice " + std::string(command) +
        " --help'");
    return std::unexpected(ending{exit_usage});
  }
}

}  // namespace sluice::tool
