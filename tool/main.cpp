// SPDX-License-Identifier: BSL-1.0
#include "copy_command.hpp"
#include "explain_command.hpp"
#include "process.hpp"
#if SLUICE_TOOL_HAS_RECORDIO
#include "records_command.hpp"
#endif
#include "text.hpp"

#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace {

using namespace sluice::tool;

constexpr std::string_view help_text = R"(Usage: sluice COMMAND [OPTION]... [ARGUMENT]...

Commands:
  copy SRC... DST    copy between files, pipes, standard streams, and TCP and Unix sockets
  explain SRC DST    say which path that copy would take, and why
  records FILE [DST] list, count, verify, cut and convert records: RecordIO, TFRecord and others

Options:
  --help             show this text; 'sluice COMMAND --help' tells of a command
  --version          show the version
)";

int print_and_exit(std::string_view text) { return print(text) ? exit_success : exit_failure; }

/// `argv[0]` is the command.
int dispatch(const process& self, int argc, char** argv) {
  const std::string_view command = argc > 0 ? argv[0] : "";
  if (command == "copy") return self.end(copy_command(self, argc, argv));
  if (command == "explain") return self.end(explain_command(argc, argv));
  if (command == "records") {
#if SLUICE_TOOL_HAS_RECORDIO
    return self.end(records_command(argc, argv));
#else
    say("this build lacks the command records: it was made without the component recordio");
    return exit_usage;
#endif
  }
  if (command == "--help" || command == "-h") return print_and_exit(help_text);
  if (command == "--version") return print_and_exit("sluice " SLUICE_VERSION "\n");
  say((command.empty() ? std::string("a command is missing") : "no command '" + printable(command) + "'") +
      "; see 'sluice --help'");
  return exit_usage;
}

}  // namespace

int main(int argc, char** argv) {
  const process self;
  try {
    return dispatch(self, argc - 1, argv + 1);
  } catch (const std::bad_alloc&) {
    say("out of memory");
  } catch (const std::exception& unexpected) {
    say(unexpected.what());
  }
  return exit_failure;
}
