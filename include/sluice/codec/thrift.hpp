// SPDX-License-Identifier: BSL-1.0
//
// All of Thrift's binary protocol.
//
#ifndef SLUICE_CODEC_THRIFT_HPP
#define SLUICE_CODEC_THRIFT_HPP

#include <sluice/codec/thrift/envelope.hpp>
#include <sluice/codec/thrift/framed.hpp>
#include <sluice/codec/thrift/limits.hpp>
#include <sluice/codec/thrift/mapping.hpp>
#include <sluice/codec/thrift/reader.hpp>
#include <sluice/codec/thrift/skip.hpp>
#include <sluice/codec/thrift/types.hpp>
#include <sluice/codec/thrift/value.hpp>
#include <sluice/codec/thrift/writer.hpp>

#endif
