// SPDX-License-Identifier: BSL-1.0
#include "copy_command.hpp"

#include <sluice/adaptor/limit.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/system/standard_streams.hpp>

#include "command_line.hpp"
#include "endpoint.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "stop_signals.hpp"
#include "text.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace sluice::tool {

namespace {

using copied = std::expected<std::uintmax_t, copy_error>;

std::string_view signal_name(int signal) noexcept { return signal == SIGINT ? "SIGINT" : "SIGTERM"; }

/// One run of the command, and what has become of it so far.
class run {
 public:
  run(const process& self, copy_settings settings) : self_(self), settings_(std::move(settings)) {}

  ending operator()() {
    result<endpoint> source = open_source(settings_.source, signals_);
    if (!source) return fails(copy_side::reader, source.error(), "opening");
    result<endpoint> destination = open_destination(settings_.destination, *source, settings_.append, signals_);
    if (!destination) return fails(copy_side::writer, destination.error(), "opening");

    account_.source = {.name = source->name, .kind = source->kind, .remark = {}};
    account_.destination = {.name = destination->name, .kind = destination->kind, .remark = {}};
    transfer(*source, *destination);
    report();
    return account_.error ? fails() : ending{};
  }

 private:
  /// Skips, copies and closes.
  void transfer(endpoint& source, endpoint& destination) {
    const stop_signals::watch watch(signals_);
    settings_.options.stop = signals_.token();
    settings_.options.report = &account_.report;

    const auto start = std::chrono::steady_clock::now();
    if (pass_over(source)) {
      const copied done =
          settings_.show_progress ? copy_with_progress(source, destination) : copy_all(source, destination);
      account_.bytes = done ? *done : done.error().bytes;
      if (!done) note(done.error());
    }
    if (account_.error) {
      abandon_destination(destination);
    } else {
      if (const result<void> closed = finish_destination(destination, signals_.token()); !closed)
        account_.error = failure{closed.error(), copy_side::writer, "closing"};
    }
    if (progress_) progress_->finish(account_.bytes, !account_.error);
    account_.time = std::chrono::steady_clock::now() - start;
  }

  void note(const copy_error& error) {
    const char* doing = error.side == copy_side::reader ? "reading" : error.side == copy_side::writer ? "writing" : "";
    account_.error = failure{error.code, error.side, doing};
  }

  /// Passes over what is to be skipped: by seeking where that does it.
  bool pass_over(endpoint& source) {
    if (settings_.skip == 0) return true;
    const result<std::uintmax_t> sought = source.stream.skip(settings_.skip);
    if (sought) return true;
    if (sought.error() != io_errc::unsupported) {
      account_.error = failure{sought.error(), copy_side::reader, "skipping"};
      return false;
    }
    const copied read = copy(source.stream | limit(settings_.skip), null_writer(), {.stop = signals_.token()});
    if (read) return true;
    account_.error = failure{read.error().code, copy_side::reader, "skipping"};
    return false;
  }

  copied copy_all(endpoint& source, endpoint& destination) {
    if (settings_.bytes) return copy(source.stream | limit(*settings_.bytes), destination.stream, settings_.options);
    return copy(source.stream, destination.stream, settings_.options);
  }

  copied copy_with_progress(endpoint& source, endpoint& destination) {
    std::optional<std::uintmax_t> total = source.stream.size_hint();
    if (settings_.bytes) total = std::min(total.value_or(*settings_.bytes), *settings_.bytes);
    progress_.emplace(total, settings_.progress_interval);
    settings_.options.on_progress = [this](std::uintmax_t bytes) { progress_->advance_to(bytes); };
    if (settings_.progress_interval)
      settings_.options.progress_interval = std::min(settings_.options.progress_interval, *settings_.progress_interval);
    return copy_all(source, destination);
  }

  void report() const {
    std::string text;
    if (settings_.report == report_format::text) text = report_text(account_);
    if (settings_.report == report_format::json) text = report_json(account_);
    if (!text.empty()) (void)copy(span_reader(text), standard_error());
  }

  ending fails(copy_side side, std::error_code code, const char* doing) {
    account_.error = failure{code, side, doing};
    return fails();
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
    if (error.side == copy_side::reader) line = printable(source_name(settings_.source)) + ": ";
    if (error.side == copy_side::writer) line = printable(destination_name(settings_.destination)) + ": ";
    line += message(error.code);
    if (error.code == std::errc::no_such_file_or_directory && error.doing == "opening")
      line += scheme_hint(error.side == copy_side::reader ? settings_.source : settings_.destination);
    say(line + " (" + (error.doing.empty() ? "" : error.doing + "; ") + moved + ")");
    return {exit_failure};
  }

  const process& self_;
  copy_settings settings_;
  stop_signals signals_;
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
