// SPDX-License-Identifier: BSL-1.0
//
// RecordIO: the chunked format of wangkuiyi/recordio and PaddlePaddle, and the dialects. Component recordio.
//
//   recordio_reader, recordio_writer             any reader, any writer
//   recordio_index, recordio_range               files: where the chunks are; some records of them
//   records(r)                                   as a range
//   tfrecord_reader, dmlc_reader, mesos_reader, thrift_frame_reader       and the writers
//   copy_records(from, to)                       from any of them to any other
//
#ifndef SLUICE_CODEC_RECORDIO_HPP
#define SLUICE_CODEC_RECORDIO_HPP

#include <sluice/codec/recordio/chunk.hpp>
#include <sluice/codec/recordio/dmlc.hpp>
#include <sluice/codec/recordio/index.hpp>
#include <sluice/codec/recordio/mesos.hpp>
#include <sluice/codec/recordio/policy.hpp>
#include <sluice/codec/recordio/range.hpp>
#include <sluice/codec/recordio/reader.hpp>
#include <sluice/codec/recordio/record_stream.hpp>
#include <sluice/codec/recordio/records.hpp>
#include <sluice/codec/recordio/tfrecord.hpp>
#include <sluice/codec/recordio/thrift_frame.hpp>
#include <sluice/codec/recordio/writer.hpp>

#endif
