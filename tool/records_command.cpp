// SPDX-License-Identifier: BSL-1.0
#include "records_command.hpp"

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/system/file.hpp>
#include <sluice/write.hpp>

#include "records_line.hpp"
#include "text.hpp"

#include <unistd.h>

#include <functional>
#include <memory>
#include <utility>

namespace sluice::tool {

namespace {

using task = records_settings::task;

/// Records of any format, and the account of damage where the format has one.
struct record_source {
  std::function<next_record()> next_record_of;
  std::function<const recordio_report&()> report = {};

  next_record next() { return next_record_of(); }
};

struct record_sink {
  std::function<result<void>(std::span<const std::byte>)> write_to;
  std::function<result<void>()> close;

  result<void> write(std::span<const std::byte> record) { return write_to(record); }
  result<void> flush() { return {}; }
};

template <class Reader>
record_source source_of(Reader reader) {
  auto shared = std::make_shared<Reader>(std::move(reader));
  record_source source{[shared] { return shared->next(); }};
  if constexpr (requires { shared->report(); })
    source.report = [shared]() -> const recordio_report& { return shared->report(); };
  return source;
}

template <class Writer>
record_sink sink_of(Writer writer) {
  auto shared = std::make_shared<Writer>(std::move(writer));
  return {[shared](std::span<const std::byte> record) { return shared->write(record); },
          [shared] { return shared->close(); }};
}

result<fd_stream> open_stream(const std::string& path) {
  if (path == "-") return fd_stream(STDIN_FILENO);
  result<file> opened = file::open(path);
  if (!opened) return fail(opened.error());
  return fd_stream(opened->release());
}

result<fd_stream> create_stream(const std::string& path) {
  if (path == "-") return fd_stream(STDOUT_FILENO);
  result<file> made = file::create(path);
  if (!made) return fail(made.error());
  return fd_stream(made->release());
}

record_source records_in(fd_stream stream, const records_settings& settings) {
  buf_reader in(std::move(stream));
  switch (settings.from) {
    case record_format::tfrecord: return source_of(tfrecord_reader(std::move(in)));
    case record_format::dmlc: return source_of(dmlc_reader(std::move(in)));
    case record_format::mesos: return source_of(mesos_reader(std::move(in)));
    case record_format::thrift: return source_of(thrift_frame_reader(std::move(in)));
    case record_format::recordio: break;
  }
  return source_of(recordio_reader(std::move(in), settings.reading));
}

record_sink records_into(fd_stream stream, const records_settings& settings) {
  buf_writer out(std::move(stream));
  switch (settings.to) {
    case record_format::tfrecord: return sink_of(tfrecord_writer(std::move(out)));
    case record_format::dmlc: return sink_of(dmlc_writer(std::move(out)));
    case record_format::mesos: return sink_of(mesos_writer(std::move(out)));
    case record_format::thrift: return sink_of(thrift_frame_writer(std::move(out)));
    case record_format::recordio: break;
  }
  return sink_of(recordio_writer(std::move(out), settings.writing));
}

std::string_view name(const std::optional<recordio_compression>& compression) noexcept {
  if (!compression) return "unknown";
  return *compression == recordio_compression::none   ? "none"
         : *compression == recordio_compression::gzip ? "gzip"
                                                      : "snappy";
}

std::string source_name(const std::string& path) { return path == "-" ? "standard input" : printable(path); }
std::string destination_name(const std::string& path) { return path == "-" ? "standard output" : printable(path); }

std::string record_count(std::uintmax_t n) { return std::to_string(n) + (n == 1 ? " record" : " records"); }

/// One run of the command.
class run {
 public:
  explicit run(records_settings settings) : settings_(std::move(settings)) {}

  ending operator()() {
    switch (settings_.what) {
      case task::chunks: return with_index([this](const recordio_index& index) { return list_chunks(index); });
      case task::split: return with_index([this](const recordio_index& index) { return split(index); });
      case task::count:
        if (counts_by_headers())
          return with_index(
              [this](const recordio_index& index) { return printed(count_line(wanted_of(index.records()))); });
        return walk([](auto) { return true; }, [this] { return printed(count_line(records_)); });
      case task::verify: return walk([](auto) { return true; }, [this] { return verified(); });
      case task::list: return list();
      case task::write: return write();
    }
    return {exit_failure};
  }

 private:
  static ending printed(const std::string& text) { return {print(text) ? exit_success : exit_failure}; }
  static std::string count_line(std::uintmax_t n) { return std::to_string(n) + "\n"; }

  bool counts_by_headers() const {
    return settings_.from == record_format::recordio && settings_.source != "-" &&
           settings_.reading.policy == recordio_policy::fail;
  }

  /// How many of so many records are in the range.
  std::uintmax_t wanted_of(std::uintmax_t all) const {
    const std::uintmax_t behind = std::min(settings_.behind.value_or(all), all);
    return behind - std::min(behind, settings_.first);
  }

  ending source_fails(std::error_code why, const char* doing) const {
    say(source_name(settings_.source) + ": " + message(why) + " (" + doing + "; " + record_count(records_) + ")");
    return {exit_failure};
  }

  ending destination_fails(std::error_code why, const char* doing) const {
    say(destination_name(settings_.destination) + ": " + message(why) + " (" + doing + "; " + record_count(records_) +
        ")");
    return {exit_failure};
  }

  template <class Use>
  ending with_index(Use use) {
    result<file> opened = file::open(settings_.source);
    if (!opened) return source_fails(opened.error(), "opening");
    const auto index = recordio_index::load(*opened, settings_.reading);
    if (index) return use(*index);
    records_ = index.error().arrived.records();
    return source_fails(index.error(), "indexing");
  }

  ending list_chunks(const recordio_index& index) {
    std::string text = "chunk\toffset\tbytes\trecords\tfirst\tcompression\n";
    for (std::size_t i = 0; const recordio_chunk& chunk : index.chunks()) {
      text += std::to_string(i) + '\t' + std::to_string(chunk.offset) + '\t' + std::to_string(chunk.size()) + '\t' +
              std::to_string(chunk.records) + '\t' + std::to_string(index.records_before(i)) + '\t' +
              std::string(name(chunk.compression())) + '\n';
      ++i;
    }
    return printed(text);
  }

  ending split(const recordio_index& index) {
    std::string text = "part\toffset\tbytes\n";
    for (std::size_t i = 0; const byte_range& part : index.ranges(settings_.parts))
      text += std::to_string(i++) + '\t' + std::to_string(part.offset) + '\t' + std::to_string(part.length) + '\n';
    return printed(text);
  }

  /// Goes through the records of the range. `use` says whether to go on.
  template <class Use, class End>
  ending walk(Use use, End end) {
    result<fd_stream> stream = open_stream(settings_.source);
    if (!stream) return source_fails(stream.error(), "opening");
    record_source source = records_in(*std::move(stream), settings_);
    for (std::uintmax_t number = 0; number < settings_.behind.value_or(unbounded); ++number) {
      const next_record record = source.next();
      if (!record) return source_fails(record.error(), "reading");
      if (!*record) break;
      if (number < settings_.first) continue;
      bytes_ += (**record).size();
      ++records_;
      if (!use(**record)) return {exit_failure};
    }
    const ending done = end();
    return tell_damage(source) ? ending{exit_failure} : done;
  }

  /// What was left out, on standard error.
  bool tell_damage(const record_source& source) const {
    if (!source.report || source.report().complete()) return false;
    const recordio_report& report = source.report();
    for (const recordio_loss& loss : report.places)
      say(source_name(settings_.source) + ": " + message(loss.error) + " at offset " + std::to_string(loss.offset) +
          ": " + byte_count(loss.bytes) + " left out, with " + record_count(loss.records));
    if (report.losses > report.places.size())
      say(source_name(settings_.source) + ": " + std::to_string(report.losses - report.places.size()) + " more places");
    return true;
  }

  ending verified() const { return printed(record_count(records_) + ", " + byte_count(bytes_) + " in them\n"); }

  ending list() {
    buf_writer out(fd_stream(STDOUT_FILENO));
    std::error_code why;
    std::uintmax_t number = settings_.first;
    const ending walked = walk(
        [&](std::span<const std::byte> record) {
          const auto written = write_all(out, std::to_string(number++) + '\t' + std::to_string(record.size()) + '\n');
          if (!written) why = written.error();
          return written.has_value();
        },
        [&] {
          if (const result<void> closed = out.close(); !closed) why = closed.error();
          return ending{why ? exit_failure : exit_success};
        });
    if (why) {
      say("standard output: " + message(why));
      return {exit_failure};
    }
    return walked;
  }

  ending write() {
    result<fd_stream> stream = create_stream(settings_.destination);
    if (!stream) return destination_fails(stream.error(), "opening");
    record_sink sink = records_into(*std::move(stream), settings_);
    std::error_code why;
    const ending walked = walk(
        [&](std::span<const std::byte> record) {
          const result<void> written = sink.write(record);
          if (!written) why = written.error();
          return written.has_value();
        },
        [] { return ending{}; });
    if (!why) {
      if (const result<void> closed = sink.close(); !closed) why = closed.error();
    }
    return why ? destination_fails(why, "writing") : walked;
  }

  records_settings settings_;
  std::uintmax_t records_ = 0;
  std::uintmax_t bytes_ = 0;
};

}  // namespace

ending records_command(int argc, char** argv) {
  std::expected<records_settings, ending> settings = parse_records_line(argc, argv);
  if (!settings) return settings.error();
  return run(*std::move(settings))();
}

}  // namespace sluice::tool
