// SPDX-License-Identifier: BSL-1.0
#include "compress/codec_sweeps.hpp"
#include "compress/gzip_codecs.hpp"

namespace {

using namespace support;

TEST(gzip_sweep, round_trips) {
  by_both_engines<gzip_codec>([](const auto& codec) { sweep_round_trips(codec); });
}

TEST(gzip_sweep, a_cut_anywhere_is_truncated_after_the_good_bytes) {
  by_both_engines<gzip_codec>([](const auto& codec) { sweep_cuts(codec); });
}

TEST(gzip_sweep, a_wrong_byte_is_an_error_or_changes_nothing) {
  by_both_engines<gzip_codec>([](const auto& codec) { sweep_corruptions(codec); });
}

TEST(gzip_sweep, several_members_are_one_content) {
  by_both_engines<gzip_codec>([](const auto& codec) { sweep_members(codec); });
}

TEST(gzip_sweep, what_follows_is_dealt_with_by_the_policy) {
  by_both_engines<gzip_codec>([](const auto& codec) { sweep_trailing(codec); });
}

TEST(gzip_sweep, chunks_and_requests_of_any_size) {
  by_both_engines<gzip_codec>([](const auto& codec) { sweep_chunks(codec); });
}

TEST(gzip_sweep, max_size_is_exact) {
  by_both_engines<gzip_codec>([](const auto& codec) { sweep_max_size(codec); });
}

TEST(gzip_sweep, the_reader_keeps_the_contract) {
  by_both_engines<gzip_codec>([](const auto& codec) { sweep_reader_contract(codec); });
}

TEST(gzip_sweep, the_writer_keeps_the_contract) { sweep_writer_contract(gzip_codec{}); }

TEST(gzip_sweep, a_writer_that_fails_loses_nothing) { sweep_failures(gzip_codec{}); }

TEST(gzip_sweep, after_a_flush_all_can_be_read) {
  by_both_engines<gzip_codec>([](const auto& codec) { sweep_flushes(codec); });
}

TEST(gzip_sweep, the_destructor_finishes) { sweep_destructor(gzip_codec{}); }

}  // namespace
