// SPDX-License-Identifier: BSL-1.0
#include "help.hpp"

namespace sluice::tool {

namespace {

constexpr std::string_view copy_summary = R"(Usage: sluice copy [OPTION]... SRC... DST

Copies SRC to DST until SRC ends, on the fastest path that the kernel has for the two. Several SRC
are copied one after the other into the one DST.
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
What is copied, and where to:
  --bytes N               stop after N bytes; a SRC that ends before is no error
  --skip N                pass over the first N bytes of SRC: by seeking in a regular file, else by
                          reading; a SRC that ends before gives an empty copy. Several SRC count as
                          one text, here and for --bytes
  --append                write at the end of DST, a path, instead of emptying it
  --atomic                DST, a path, appears whole or not at all: it is written under another name
                          and then renamed; an older DST stays in place until then
  --sync[=all|data]       have DST, a file, on the disk before success is reported: data: its bytes;
                          all: its times, permissions and name as well

How it is changed on the way:
  --gzip, --zstd, --lz4   compress; --level N says how much, as the format's own command counts
  --gunzip, --unzstd, --unlz4, --decompress
                          decompress each SRC; --decompress finds out the format, and copies as it is
                          what is in none. --bytes, --skip and --digest go by the content, --progress
                          by the compressed bytes. One of each row makes one format of another

How it is copied:
  --rate N[/s]            no more than N bytes a second
  --kernel WHEN           automatic: kernel paths that leave the bytes safe from later changes of a
                          file; never: read and write only; aliasing: also splice a file into a pipe
  --sparse WHEN           automatic: holes of SRC become holes of DST; never: they are written;
                          always: blocks of zeros become holes too
  --buffer SIZE           bytes read at once where the bytes pass through memory; at most 1G

What is told, on standard error:
  --digest NAME           the digest of the bytes: crc32, crc32c, xxh3 or sha256. All of them pass
                          through memory then, as with --kernel never
  --progress[=SECONDS]    how far the copy is: a bar on a terminal, every 0.2 seconds; lines
                          elsewhere, every second
  --report[=text|json]    which path moved how many bytes
  --help                  show this text, on standard output
Sizes take K, M, G, T, P or E, also as KiB and so on, for powers of 1024.
)";

constexpr std::string_view copy_exit_help = R"(
The exit status is 0 only when every byte has arrived and DST was closed without an error. It is 1
after a failure, with one line on standard error that names the side, the reason and the bytes that
were copied; without --atomic what was copied stays in DST. It is 2 for a wrong command line. SIGINT
and SIGTERM stop the copy between two pieces; a second one kills. When the reader of standard output
has gone, sluice dies of SIGPIPE like other commands, or exits with 1 where SIGPIPE is ignored.
)";

constexpr std::string_view explain_exit_help = R"(
The explanation goes to standard output, with --report=json as one line of JSON. The exit status is
0, 1 if the copy would fail to open SRC or DST, and 2 for a wrong command line.
)";

constexpr std::string_view records_help = R"(Usage: sluice records [OPTION]... FILE [DST]

Lists the records of FILE, a line each: number, tab, bytes. With DST writes them there. Either may be
-, for standard input and output.

What is done:
  --count                 only say how many there are; of RecordIO only headers are read
  --verify                read everything, and say how much it is; exit status 1 where there is damage
  --chunks                a line for each chunk: number, offset, bytes, records, its first record's
                          number, compression. Headers only
  --split N               N parts of FILE that can be read without one another, a line each: number,
                          offset, bytes. Headers only
  --range A:B             records A up to, but not with, B; from the first without A, to the last
                          without B

Formats:
  --from, --to FORMAT     of FILE and of DST: recordio (that of wangkuiyi, PaddlePaddle and, read only,
                          elasticdl), tfrecord, dmlc (MXNet), mesos, thrift (framed)
  --compress HOW          the chunks of DST, if it is recordio: none, snappy or gzip
  --chunk-size SIZE       bytes of records in a chunk of DST, 32M by default
  --on-damage WHAT        of a FILE in recordio. fail: the first damage is the end; skip: bad chunks are
                          left out; resync: and where no chunk begins, the next one is looked for. What
                          was left out is told on standard error, and the exit status is 1
  --help                  show this text, on standard output

The exit status is 0 only where everything was read and written. It is 1 after a failure, with one line
on standard error, and 2 for a wrong command line.
)";

}  // namespace

std::string help_for(std::string_view command) {
  if (command == "records") return std::string(records_help);
  const bool explains = command == "explain";
  std::string text;
  text += explains ? explain_summary : copy_summary;
  text += endpoints_help;
  text += options_help;
  text += explains ? explain_exit_help : copy_exit_help;
  return text;
}

}  // namespace sluice::tool
