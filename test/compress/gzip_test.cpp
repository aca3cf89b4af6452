// SPDX-License-Identifier: BSL-1.0
#include "compress/codec_support.hpp"
#include "compress/gzip_codecs.hpp"

TEST(gzip, placeholder) {}
