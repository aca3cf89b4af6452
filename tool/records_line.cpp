// SPDX-License-Identifier: BSL-1.0
#include "records_line.hpp"

#include "help.hpp"
#include "text.hpp"
#include "words.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <limits>
#include <string_view>

namespace sluice::tool {

namespace {

std::uintmax_t number_of(const std::string& option, std::string_view text) {
  std::uintmax_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (text.empty() || error != std::errc() || end != last)
    throw CLI::ValidationError(option, "'" + std::string(text) + "' is no number");
  return number;
}

/// A:B, either of which may be missing.
void take_range(const std::string& text, records_settings& settings) {
  const std::string_view range = text;
  const std::size_t colon = range.find(':');
  if (colon == std::string_view::npos)
    throw CLI::ValidationError("--range", "'" + text + "' is no range; 10:20, 10: and :20 are");
  if (colon != 0) settings.first = number_of("--range", range.substr(0, colon));
  if (colon + 1 != range.size()) settings.behind = number_of("--range", range.substr(colon + 1));
  if (settings.behind && *settings.behind < settings.first)
    throw CLI::ValidationError("--range", "'" + text + "' ends before it begins");
}

std::size_t size_of(const std::string& option, const std::string& text) {
  const std::optional<std::uintmax_t> size = parse_size(text);
  if (!size || *size == 0 || *size > std::numeric_limits<std::uint32_t>::max())
    throw CLI::ValidationError(option, "'" + text + "' is no size below 4G; 4096, 64K and 1MiB are");
  return static_cast<std::size_t>(*size);
}

record_format format_of(const std::string& option, const std::string& text) {
  return word_of<record_format>(option, text,
                                {{"recordio", record_format::recordio},
                                 {"tfrecord", record_format::tfrecord},
                                 {"dmlc", record_format::dmlc},
                                 {"mesos", record_format::mesos},
                                 {"thrift", record_format::thrift}});
}

struct words {
  std::vector<std::string> paths;
  std::string range, from, to, compress, chunk_size, split, on_damage;
};

void add_options(CLI::App& app, words& line) {
  app.set_help_flag("-h,--help");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("FILE", line.paths)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  for (const char* const flag : {"--count", "--chunks", "--verify"}) app.add_flag(flag);
  app.add_option("--split", line.split);
  app.add_option("--range", line.range);
  app.add_option("--from", line.from);
  app.add_option("--to", line.to);
  app.add_option("--compress", line.compress);
  app.add_option("--chunk-size", line.chunk_size);
  app.add_option("--on-damage", line.on_damage);
}

records_settings settings_of(const words& line, const CLI::App& app) {
  using task = records_settings::task;
  const auto given = [&](const char* option) { return app.count(option) != 0; };
  records_settings settings;
  if (line.paths.empty()) throw CLI::RequiredError("FILE");
  if (line.paths.size() > 2) throw CLI::ExtrasError({line.paths.begin() + 2, line.paths.end()});
  settings.source = line.paths.front();
  const auto take_task = [&](task what, const char* option) {
    if (settings.what != task::list) throw CLI::ValidationError(option, "one thing is done at a time");
    settings.what = what;
  };
  if (line.paths.size() == 2) {
    settings.destination = line.paths.back();
    settings.what = task::write;
  }
  if (given("--count")) take_task(task::count, "--count");
  if (given("--chunks")) take_task(task::chunks, "--chunks");
  if (given("--verify")) take_task(task::verify, "--verify");
  if (given("--split")) {
    take_task(task::split, "--split");
    const std::uintmax_t parts = number_of("--split", line.split);
    if (parts == 0 || parts > 1'000'000) throw CLI::ValidationError("--split", "from 1 to 1000000");
    settings.parts = static_cast<std::size_t>(parts);
  }
  if (given("--range")) take_range(line.range, settings);
  if (given("--from")) settings.from = format_of("--from", line.from);
  if (given("--to")) settings.to = format_of("--to", line.to);
  if (given("--compress"))
    settings.writing.compression = word_of<recordio_compression>("--compress", line.compress,
                                                                 {{"none", recordio_compression::none},
                                                                  {"snappy", recordio_compression::snappy},
                                                                  {"gzip", recordio_compression::gzip}});
  if (given("--chunk-size")) settings.writing.max_chunk_size = size_of("--chunk-size", line.chunk_size);
  if (given("--on-damage"))
    settings.reading.policy = word_of<recordio_policy>(
        "--on-damage", line.on_damage,
        {{"fail", recordio_policy::fail}, {"skip", recordio_policy::skip_chunk}, {"resync", recordio_policy::resync}});

  for (const char* const option : {"--to", "--compress", "--chunk-size"}) {
    if (given(option) && settings.what != task::write) throw CLI::ValidationError(option, "it belongs to a DST");
    if (given(option) && option != std::string_view("--to") && settings.to != record_format::recordio)
      throw CLI::ValidationError(option, "only recordio has chunks");
  }
  const bool needs_chunks = settings.what == task::chunks || settings.what == task::split;
  if (settings.from != record_format::recordio && (needs_chunks || given("--on-damage")))
    throw CLI::ValidationError("--from", "only recordio has chunks");
  if (needs_chunks && settings.source == "-")
    throw CLI::ValidationError("FILE", "it has to be a file for that, not standard input");
  if (needs_chunks && settings.has_range()) throw CLI::ValidationError("--range", "chunks are told as a whole");
  return settings;
}

}  // namespace

std::expected<records_settings, ending> parse_records_line(int argc, char** argv) {
  CLI::App app;
  words line;
  add_options(app, line);
  try {
    app.parse(argc, argv);
    return settings_of(line, app);
  } catch (const CLI::CallForHelp&) {
    return std::unexpected(ending{print(help_for("records")) ? exit_success : exit_failure});
  } catch (const CLI::ParseError& wrong) {
    say("records: " + printable(wrong.what()) + "; see 'sluice records --help'");
    return std::unexpected(ending{exit_usage});
  }
}

}  // namespace sluice::tool
