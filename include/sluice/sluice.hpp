// SPDX-License-Identifier: BSL-1.0
//
// Everything in the core. Larger programs include what they use instead.
//
#ifndef SLUICE_SLUICE_HPP
#define SLUICE_SLUICE_HPP

#include <sluice/adaptor/broadcast.hpp>
#include <sluice/adaptor/buffered.hpp>
#include <sluice/adaptor/chain.hpp>
#include <sluice/adaptor/closure.hpp>
#include <sluice/adaptor/counted.hpp>
#include <sluice/adaptor/digest.hpp>
#include <sluice/adaptor/inspect.hpp>
#include <sluice/adaptor/limit.hpp>
#include <sluice/adaptor/progress.hpp>
#include <sluice/adaptor/tee.hpp>
#include <sluice/adaptor/throttle.hpp>
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/buffered/line_writer.hpp>
#include <sluice/buffered/lost_bytes.hpp>
#include <sluice/concepts.hpp>
#include <sluice/copier.hpp>
#include <sluice/copy.hpp>
#include <sluice/erased/any_reader.hpp>
#include <sluice/erased/any_writer.hpp>
#include <sluice/erased/reader_ref.hpp>
#include <sluice/erased/writer_ref.hpp>
#include <sluice/literals.hpp>
#include <sluice/memory/bytes.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/memory/empty_reader.hpp>
#include <sluice/memory/memory_pipe.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/repeat_reader.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/span_writer.hpp>
#include <sluice/memory/string_writer.hpp>
#include <sluice/positional.hpp>
#include <sluice/read.hpp>
#include <sluice/result.hpp>
#include <sluice/skip.hpp>
#include <sluice/system/atomic_file.hpp>
#include <sluice/system/fd_ref.hpp>
#include <sluice/system/fd_stream.hpp>
#include <sluice/system/file.hpp>
#include <sluice/system/file_range.hpp>
#include <sluice/system/mapped_file.hpp>
#include <sluice/system/pipe.hpp>
#include <sluice/system/socket.hpp>
#include <sluice/system/standard_streams.hpp>
#include <sluice/transfer_error.hpp>
#include <sluice/wait_options.hpp>
#include <sluice/write.hpp>

#endif
