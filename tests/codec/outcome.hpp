// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>

#include "codec/decompressor.hpp"

namespace tgmap_test {

struct outcome {
  tgmap::failure why;
  bytes data;  ///< what came out, when nothing failed
};

/// Decompresses where the stored bytes end with the memory, and where writing beyond the output shows.
outcome decompress(tgmap::compression, std::string_view stored, std::size_t size,
                   const tgmap::codec::codec_parameters& = {});

/// Holds a sound stream against what it was made of, and against outputs of other sizes.
void check_sound(tgmap::compression, std::string_view stored, std::string_view expected,
                 const tgmap::codec::codec_parameters& = {});

/// Cuts and damages a sound stream in many ways. What is cut off short fails, or was not needed.
void check_hostile(tgmap::compression, std::string_view stored, std::string_view expected,
                   const tgmap::codec::codec_parameters& = {});

/// Damages a stream at random, so many times: whatever comes out, it stays inside the output.
void check_damaged(tgmap::compression, std::string_view stored, std::size_t size,
                   const tgmap::codec::codec_parameters& = {}, int rounds = 10);

/// Reads a stream in steps, out of bytes that are others each time: it stays inside the output.
void check_changing(tgmap::compression, std::string_view stored, std::size_t size,
                    const tgmap::codec::codec_parameters& = {});

/// Numbers of no pattern, and numbers that compress well.
bytes noise(std::size_t size, unsigned seed = 1);
bytes waves(std::size_t size);

}  // namespace tgmap_test
