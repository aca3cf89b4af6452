// SPDX-License-Identifier: BSL-1.0
#include "copy_command.hpp"

#include <sluice/adaptor/limit.hpp>
#include <sluice/adaptor/throttle.hpp>
#include <sluice/copy.hpp>
#include <sluice/erased/reader_ref.hpp>
#include <sluice/erased/writer_ref.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/system/standard_streams.hpp>

#include "codec.hpp"
#include "command_line.hpp"
#include "endpoint.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "stop_signals.hpp"
#include "text.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace sluice::tool {

namespace {

using copied = std::expected<std::uintmax_t, copy_error>;

std::string_view signal_name(int signal) noexcept { return signal == SIGINT ? "SIGINT" : "SIGTERM"; }

/// Adds what one copy of several did.
void add(copy_report& sum, const copy_report& part) {
  for (std::size_t i = 0; i < copy_path_count; ++i) {
    sum.shares[i].bytes += part.shares[i].bytes;
    sum.shares[i].calls += part.shares[i].calls;
    if (part.shares[i].gave_way) sum.shares[i].gave_way = part.shares[i].gave_way;
  }
}

/// One run of the command, and what has become of it so far.
class run {
 public:
  run(const process& self, copy_settings settings)
      : self_(self), settings_(std::move(settings)), bytes_left_(settings_.bytes), skip_left_(settings_.skip) {
    account_.several = settings_.sources.size() > 1;
  }

  ending operator()() {
    if (!open()) return account_.error ? fails() : ending{exit_failure};
    const auto start = std::chrono::steady_clock::now();
    while (copy_source() && open_next_source()) {
    }
    end_destination();
    if (progress_) progress_->finish(account_.bytes, !account_.error);
    account_.time = std::chrono::steady_clock::now() - start;
    report();
    return account_.error ? fails() : ending{};
  }

 private:
  const endpoint_spec& source_spec() const { return settings_.sources[current_]; }

  bool failed(copy_side side, std::error_code code, const char* doing) {
    account_.error = failure{code, side, doing};
    return false;
  }

  /// Opens the first source and the destination, which is emptied when nothing speaks against the copy any more.
  bool open() {
    if (!look_at_sources() || !open_source_now()) return false;
    destination_options how{.append = settings_.append};
    // Before it takes another one's place a file has to be on the disk: the new name may be there sooner than it.
    if (settings_.atomic) how.atomic = settings_.sync.value_or(sync_level::data);
    result<endpoint> opened = open_destination(settings_.destination, how, signals_);
    if (!opened && opened.error() == io_errc::unsupported) return refused("only a regular file can be replaced");
    if (!opened) return failed(copy_side::writer, opened.error(), "opening");
    destination_ = *std::move(opened);
    if (settings_.rate) throttled_.emplace(destination_.stream, *settings_.rate);
    if (settings_.codec.pack) packed_.emplace(packing_into(written(), settings_.codec));
    account_.destination = {.name = destination_.name, .kind = destination_.kind, .remark = {}};
    if (!check_different_sources()) return false;
    if (settings_.sync && !can_sync(destination_))
      return refused("a " + std::string(describe(destination_.kind)) + " can't be synced");
    if (settings_.destination.form != endpoint_form::path || settings_.append) return true;
    if (const result<void> emptied = empty_destination(destination_); !emptied)
      return failed(copy_side::writer, emptied.error(), "opening");
    return true;
  }

  /// The destination can't be had with these options, which no error code tells.
  bool refused(const std::string& why) const {
    say(printable(destination_name(settings_.destination)) + ": " + why + " (opening; 0 bytes copied)");
    return false;
  }

  /// Of several sources the later ones too, whose turn comes when the destination has been emptied.
  bool look_at_sources() {
    if (!account_.several) return true;
    total_ = 0;
    for (current_ = 0; current_ < settings_.sources.size(); ++current_) {
      const result<std::optional<std::uintmax_t>> size = look_at_source(source_spec());
      if (!size) return failed(copy_side::reader, size.error(), "opening");
      total_ = total_ && *size ? std::optional(*total_ + **size) : std::nullopt;
    }
    if (total_) *total_ -= std::min(*total_, skip_left_);
    current_ = 0;
    return true;
  }

  bool check_different_sources() {
    if (const result<void> different = check_different(source_, destination_); !different)
      return failed(account_.several ? copy_side::reader : copy_side::writer, different.error(), "opening");
    for (std::size_t i = 1; i < settings_.sources.size(); ++i) {
      if (const result<void> different = check_different(settings_.sources[i], destination_); !different) {
        current_ = i;
        return failed(copy_side::reader, different.error(), "opening");
      }
    }
    return true;
  }

  bool open_source_now() {
    if (unpacked_) unpacked_before_ += unpacked_->source_bytes();
    unpacked_.reset();
    account_.sources.push_back({.side = {.name = source_name(source_spec()), .remark = {}}});
    source_ = {};  // the descriptor of the one before
    result<endpoint> opened = open_source(source_spec(), signals_);
    if (!opened) return failed(copy_side::reader, opened.error(), "opening");
    source_ = *std::move(opened);
    account_.sources.back().side.kind = source_.kind;
    return true;
  }

  bool open_next_source() {
    if (current_ + 1 == settings_.sources.size() || bytes_left_ == 0) return false;
    ++current_;
    if (!open_source_now()) return false;
    // It may be another one than that which was looked at.
    if (const result<void> different = check_different(source_, destination_); !different)
      return failed(copy_side::reader, different.error(), "opening");
    return true;
  }

  /// Skips and copies what there is in the current source.
  bool copy_source() {
    const stop_signals::watch watch(signals_);
    settings_.options.stop = signals_.token();
    if (settings_.codec.unpacks()) unpacked_.emplace(source_.stream, settings_.codec, signals_.token());
    if (!pass_over()) return false;
    if (settings_.show_progress && !progress_) begin_progress();

    reader_ref from = content();
    std::optional<limit_reader<reader_ref>> limited;
    if (bytes_left_) from = limited.emplace(content(), *bytes_left_);
    std::optional<digesting_reader> digested;
    if (settings_.digest) from = digested.emplace(from, *settings_.digest);
    return copy_all(from);
  }

  bool copy_all(reader_ref from) {
    copy_report report;
    settings_.options.report = &report;
    const copied done = copy(from, destination(), settings_.options);
    const std::uintmax_t bytes = done ? *done : done.error().bytes;
    account_.bytes += bytes;
    account_.sources.back().bytes += bytes;
    if (bytes_left_) *bytes_left_ -= bytes;
    add(account_.report, report);
    if (bytes >= most_) {
      most_ = bytes;
      account_.report.reason = settings_.codec.changes_bytes() ? codec_reason
                               : settings_.digest              ? digest_reason
                                                               : report.reason;
    }
    if (done) return true;
    const copy_side side = done.error().side;
    return failed(side, done.error().code,
                  side == copy_side::reader   ? "reading"
                  : side == copy_side::writer ? "writing"
                                              : "");
  }

  reader_ref content() { return unpacked_ ? reader_ref(*unpacked_) : reader_ref(source_.stream); }

  writer_ref written() { return throttled_ ? writer_ref(*throttled_) : writer_ref(destination_.stream); }
  writer_ref destination() { return packed_ ? writer_ref(*packed_) : written(); }

  /// Passes over what is to be skipped, by seeking where that does it.
  bool pass_over() {
    if (skip_left_ == 0) return true;
    if (!unpacked_) {
      const result<std::uintmax_t> sought = source_.stream.skip(skip_left_);
      if (!sought && sought.error() != io_errc::unsupported)
        return failed(copy_side::reader, sought.error(), "skipping");
      if (sought) {
        skip_left_ -= *sought;
        return true;
      }
    }
    const copied read = copy(content() | limit(skip_left_), null_writer(), {.stop = signals_.token()});
    if (!read) return failed(copy_side::reader, read.error().code, "skipping");
    skip_left_ -= *read;
    return true;
  }

  void begin_progress() {
    std::optional<std::uintmax_t> total = account_.several ? total_ : source_.stream.size_hint();
    // What is unpacked is measured in bytes of the sources, of which the size is known.
    if (bytes_left_ && !unpacked_) total = std::min(total.value_or(*bytes_left_), *bytes_left_);
    progress_.emplace(total, settings_.progress_interval);
    settings_.options.on_progress = [this](std::uintmax_t bytes) {
      progress_->advance_to(unpacked_ ? unpacked_before_ + unpacked_->source_bytes() : account_.bytes + bytes);
    };
    if (settings_.progress_interval)
      settings_.options.progress_interval = std::min(settings_.options.progress_interval, *settings_.progress_interval);
  }

  /// Syncs and closes the destination and puts it into its place; or gives it up.
  void end_destination() {
    const stop_signals::watch watch(signals_);
    const auto done = [this](const result<void>& step, const char* doing) {
      return step || failed(copy_side::writer, step.error(), doing);
    };
    if (account_.error || (packed_ && !done(packed_->finish(), "writing")) || !sync_file() ||
        !done(finish_destination(destination_, signals_.token()), "closing") ||
        !done(commit_destination(destination_), "replacing"))
      return abandon_destination(destination_);
    const bool has_name = settings_.destination.form == endpoint_form::path;
    if (settings_.sync == sync_level::all && has_name && !settings_.atomic &&
        !done(sync_folder_of(settings_.destination), "syncing"))
      return;
    if (settings_.digest) account_.digest = digest_account{settings_.digest->name(), settings_.digest->value()};
  }

  /// A file that takes another one's place is synced by that.
  bool sync_file() {
    if (!settings_.sync || settings_.atomic) return true;
    const result<void> synced = sync_destination(destination_, *settings_.sync);
    return synced || failed(copy_side::writer, synced.error(), "syncing");
  }

  void report() const {
    std::string text;
    if (settings_.report == report_format::text) text = report_text(account_);
    if (settings_.report == report_format::json) text = report_json(account_);
    if (!text.empty())
      (void)copy(span_reader(text), standard_error());
    else if (account_.digest)
      say(std::string(account_.digest->name) + " " + account_.digest->value);
  }

  /// Says how the copy has failed.
  ending fails() const {
    const failure& error = *account_.error;
    // Nobody reads our output any more, and nobody wants to be told.
    const bool into_output = settings_.destination.form == endpoint_form::standard_stream;
    if (error.code == std::errc::broken_pipe && error.side == copy_side::writer && into_output &&
        !self_.sigpipe_was_ignored())
      return {exit_failure, SIGPIPE};

    const std::string moved = byte_count(account_.bytes) + " copied";
    if (error.code == io_errc::cancelled) {
      say("stopped by " + std::string(signal_name(signals_.caught())) + " (" + moved + ")");
      return {exit_failure, signals_.caught()};
    }
    std::string line;
    if (error.side == copy_side::reader) line = printable(source_name(source_spec())) + ": ";
    if (error.side == copy_side::writer) line = printable(destination_name(settings_.destination)) + ": ";
    line += message(error.code);
    if (error.code == std::errc::no_such_file_or_directory && error.doing == "opening")
      line += scheme_hint(error.side == copy_side::reader ? source_spec() : settings_.destination);
    say(line + " (" + (error.doing.empty() ? "" : error.doing + "; ") + moved + ")");
    return {exit_failure};
  }

  const process& self_;
  copy_settings settings_;
  stop_signals signals_;
  std::size_t current_ = 0;  // of the sources
  endpoint source_;
  endpoint destination_;
  std::optional<std::uintmax_t> bytes_left_;
  std::uintmax_t skip_left_;
  std::optional<std::uintmax_t> total_;                   // of several sources, where it can be known
  std::uintmax_t most_ = 0;                               // bytes of the largest copy, whose reason is reported
  std::optional<throttle_stream<fd_stream&>> throttled_;  // the destination, for all sources together
  std::optional<content_reader> unpacked_;                // the current source
  std::uintmax_t unpacked_before_ = 0;                    // bytes of the sources before it
  std::optional<packing_writer> packed_;                  // the destination
  std::optional<progress> progress_;
  copy_account account_;
};

}  // namespace

ending copy_command(const process& self, int argc, char** argv) {
  std::expected<copy_settings, ending> settings = parse_copy_line("copy", argc, argv);
  if (!settings) return settings.error();
  return run(self, *std::move(settings))();
}

}  // namespace sluice::tool
