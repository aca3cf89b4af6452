// SPDX-License-Identifier: BSL-1.0
#include "command_line.hpp"

#include "help.hpp"
#include "text.hpp"
#include "words.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::tool {

namespace {

// More in one buffer serves nobody, and a slip of the hand is told better here than by bad_alloc.
constexpr std::uintmax_t largest_buffer = std::uintmax_t{1} << 30U;

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

/// Bytes a second.
std::uintmax_t rate_of(std::string_view text) {
  std::string_view size = text;
  if (size.ends_with("/s")) size.remove_suffix(2);
  const std::optional<std::uintmax_t> rate = parse_size(size);
  if (!rate || *rate == 0)
    throw CLI::ValidationError("--rate", "'" + std::string(text) + "' is no rate; 4096, 64K and 1MiB/s are");
  return *rate;
}

endpoint_spec endpoint_of(const std::string& text) {
  std::expected<endpoint_spec, std::string> spec = parse_endpoint(text);
  if (!spec) throw CLI::ValidationError(spec.error());
  return *std::move(spec);
}

/// The raw words of the line.
struct words {
  std::vector<std::string> paths;  // the last one is DST
  std::string bytes, skip, sync, rate, kernel, sparse, buffer, digest, level, progress, report;
  bool append = false;
  bool atomic = false;
};

struct packing_words {
  const char* pack;
  const char* unpack;
  packing format;
};
constexpr packing_words packings[] = {
    {"--gzip", "--gunzip", packing::gzip}, {"--zstd", "--unzstd", packing::zstd}, {"--lz4", "--unlz4", packing::lz4}};

/// Level of compression, as the format has them.
int level_of(const std::string& text) {
  int level = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, level);
  if (error != std::errc() || end != last) throw CLI::ValidationError("--level", "'" + text + "' is no whole number");
  return level;
}

codec codec_of(const words& line, const CLI::App& app) {
  codec wanted;
  const auto only = [](auto& place, auto value, const char* option) {
    if (place) throw CLI::ValidationError(option, "only one format is packed into, and only one unpacked");
    place = value;
  };
  for (const packing_words& words : packings) {
    if (app.count(words.pack) != 0) only(wanted.pack, words.format, words.pack);
    if (app.count(words.unpack) != 0) only(wanted.unpack, words.format, words.unpack);
  }
  wanted.unpack_any = app.count("--decompress") != 0;
  if (wanted.unpack_any && wanted.unpack)
    throw CLI::ValidationError("--decompress", "it finds the format by itself; none is named beside it");
  if (app.count("--level") != 0) {
    if (!wanted.pack) throw CLI::ValidationError("--level", "it belongs to --gzip, --zstd or --lz4");
    wanted.level = level_of(line.level);
  }
  if (const std::optional<std::string> missing = missing_in(wanted))
    throw CLI::ValidationError("compression", *missing);
  return wanted;
}

void add_options(CLI::App& app, words& line) {
  app.set_help_flag("-h,--help");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("SRC", line.paths)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--bytes", line.bytes);
  app.add_option("--skip", line.skip);
  app.add_option("--rate", line.rate);
  app.add_option("--buffer", line.buffer);
  app.add_option("--kernel", line.kernel);
  app.add_option("--sparse", line.sparse);
  app.add_option("--digest", line.digest);
  app.add_option("--level", line.level);
  for (const packing_words& words : packings) {
    app.add_flag(words.pack);
    app.add_flag(words.unpack);
  }
  app.add_flag("--decompress");
  app.add_flag("--append", line.append);
  app.add_flag("--atomic", line.atomic);
  // Flags, so that a word after them is not taken for their value.
  app.add_flag("--sync{all}", line.sync);
  app.add_flag("--progress{default}", line.progress);
  app.add_flag("--report{text}", line.report);
}

/// The message about a first source of several that was meant to be the value of an option; else empty.
std::string taken_for_source(const words& line) {
  const std::string& first = line.paths.front();
  const auto message = [&](const std::string& option) {
    return "'" + first + "' was taken for a file, which is written ./" + first + "; a value of " + option +
           " comes after =, as in " + option + "=" + first;
  };
  if (line.progress == "default" && parse_interval(first)) return message("--progress");
  if (line.report == "text" && (first == "text" || first == "json")) return message("--report");
  if (line.sync == "all" && (first == "all" || first == "data")) return message("--sync");
  return "";
}

void take_paths(const words& line, copy_settings& settings) {
  if (line.paths.empty()) throw CLI::RequiredError("SRC");
  if (line.paths.size() == 1) throw CLI::RequiredError("DST");
  if (line.paths.size() > 2) {
    if (const std::string wrong = taken_for_source(line); !wrong.empty()) throw CLI::ValidationError("SRC", wrong);
  }
  for (const std::string& source : std::span(line.paths).first(line.paths.size() - 1))
    settings.sources.push_back(endpoint_of(source));
  settings.destination = endpoint_of(line.paths.back());
  const auto is_input = [](const endpoint_spec& s) { return s.form == endpoint_form::standard_stream; };
  if (std::ranges::count_if(settings.sources, is_input) > 1)
    throw CLI::ValidationError("SRC", "standard input, '-', can be copied only once");
}

/// Refuses what can't be had together, or can't be had of such a destination.
void check_together(const copy_settings& settings) {
  const endpoint_spec& to = settings.destination;
  if (settings.append && to.form != endpoint_form::path)
    throw CLI::ValidationError("--append", "DST has to be a path; a shell appends with >>");
  if (settings.atomic && to.form != endpoint_form::path) throw CLI::ValidationError("--atomic", "DST has to be a path");
  if (settings.atomic && settings.append)
    throw CLI::ValidationError("--atomic", "a file that is replaced can't be appended to with --append");
  if (settings.sync && to.is_socket())
    throw CLI::ValidationError("--sync", "DST has to be a file, for nothing is known of the disk behind a connection");
  const char* const sees_bytes = settings.digest                  ? "--digest"
                                 : settings.codec.changes_bytes() ? "compression"
                                                                  : nullptr;
  if (sees_bytes && settings.options.kernel == kernel_policy::aliasing)
    throw CLI::ValidationError(sees_bytes, "it has to see every byte, and --kernel=aliasing keeps them from it");
  if (sees_bytes && settings.options.sparse == sparse_policy::always)
    throw CLI::ValidationError(sees_bytes, "it has to see every byte, and --sparse=always keeps some from it");
}

copy_settings settings_of(const words& line, CLI::App& app) {
  const auto given = [&](const char* option) { return app.count(option) != 0; };
  copy_settings settings;
  take_paths(line, settings);
  if (given("--bytes")) settings.bytes = size_of("--bytes", line.bytes);
  if (given("--skip")) settings.skip = size_of("--skip", line.skip);
  settings.append = line.append;
  settings.atomic = line.atomic;
  if (given("--sync"))
    settings.sync = word_of<sync_level>("--sync", line.sync, {{"all", sync_level::all}, {"data", sync_level::data}});
  if (given("--rate")) settings.rate = rate_of(line.rate);
  if (given("--kernel"))
    settings.options.kernel = word_of<kernel_policy>("--kernel", line.kernel,
                                                     {{"automatic", kernel_policy::automatic},
                                                      {"never", kernel_policy::never},
                                                      {"aliasing", kernel_policy::aliasing}});
  if (given("--sparse"))
    settings.options.sparse = word_of<sparse_policy>(
        "--sparse", line.sparse,
        {{"automatic", sparse_policy::automatic}, {"never", sparse_policy::never}, {"always", sparse_policy::always}});
  if (given("--buffer")) {
    const std::uintmax_t size = size_of("--buffer", line.buffer);
    if (size == 0 || size > largest_buffer)
      throw CLI::ValidationError("--buffer", "'" + line.buffer + "' is not from 1 to 1G");
    settings.options.buffer_size = static_cast<std::size_t>(size);
  }
  if (given("--digest")) {
    std::expected<named_digest, std::string> found = named_digest::find(line.digest);
    if (!found) throw CLI::ValidationError("--digest", found.error());
    settings.digest = *std::move(found);
  }
  settings.codec = codec_of(line, app);
  settings.show_progress = given("--progress");
  if (settings.show_progress && line.progress != "default") settings.progress_interval = interval_of(line.progress);
  if (given("--report"))
    settings.report =
        word_of<report_format>("--report", line.report, {{"text", report_format::text}, {"json", report_format::json}});
  check_together(settings);
  if (settings.digest || settings.codec.changes_bytes()) settings.options.kernel = kernel_policy::never;
  return settings;
}

}  // namespace

std::expected<copy_settings, ending> parse_copy_line(std::string_view command, int argc, char** argv) {
  CLI::App app;
  words line;
  add_options(app, line);
  try {
    app.parse(argc, argv);
    copy_settings settings = settings_of(line, app);
    if (command == "explain" && settings.sources.size() > 1)
      throw CLI::ValidationError("SRC", "one is explained at a time");
    return settings;
  } catch (const CLI::CallForHelp&) {
    return std::unexpected(ending{print(help_for(command)) ? exit_success : exit_failure});
  } catch (const CLI::ParseError& wrong) {
    say(std::string(command) + ": " + printable(wrong.what()) + "; see 'sluice " + std::string(command) + " --help'");
    return std::unexpected(ending{exit_usage});
  }
}

}  // namespace sluice::tool
