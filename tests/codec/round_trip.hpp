// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <codec/noise.hpp>
#include <support/bytes.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/write/pipeline.hpp>
#include <vector>

#include "codec/compressor.hpp"
#include "codec/decompressor.hpp"

namespace tgmap_test {

struct outcome {
  tgmap::failure why;
  bytes data;  ///< the output; empty after a failure
};

/// Decompresses from bytes at the end of their memory, and detects writes outside the output.
outcome decompress(tgmap::compression, std::string_view stored, std::size_t size,
                   const tgmap::codec::codec_parameters& = {});

/// Decompresses a sound stream to its original bytes, and to outputs of other sizes.
void check_sound(tgmap::compression, std::string_view stored, std::string_view expected,
                 const tgmap::codec::codec_parameters& = {});

/// Truncates and damages a sound stream in many ways. A truncated stream fails, unless the missing bytes are not
/// needed.
void check_hostile(tgmap::compression, std::string_view stored, std::string_view expected,
                   const tgmap::codec::codec_parameters& = {});

/// Damages a stream at random many times. Nothing is written outside the output.
void check_damaged(tgmap::compression, std::string_view stored, std::size_t size,
                   const tgmap::codec::codec_parameters& = {}, int rounds = 10);

/// Reads a stream in steps from bytes that change each time. Nothing is written outside the output.
void check_changing(tgmap::compression, std::string_view stored, std::size_t size,
                    const tgmap::codec::codec_parameters& = {});

/// Returns bytes that compress well.
bytes waves(std::size_t size);

struct compressed_data {
  tgmap::failure why;
  bytes data;
  std::vector<std::uint64_t> block_offsets;
};

/// Compresses input at the end of its memory, twice with the same tools and once at another address. All results must
/// be equal.
compressed_data compress(const tgmap::pipeline&, std::string_view raw,
                         const tgmap::codec::compression_input& codec_input = {});

/// Returns the parameters for decompression.
tgmap::codec::codec_parameters parameters_of(const tgmap::pipeline&,
                                             const tgmap::codec::compression_input& codec_input = {});

/// Compresses, and decompresses to the same bytes.
void check_round_trip(const tgmap::pipeline&, std::string_view raw,
                      const tgmap::codec::compression_input& codec_input = {});

/// Returns inputs of many kinds, with lengths close to 0, words and blocks.
std::vector<bytes> samples_of_all_kinds(std::size_t element);

/// Returns the input of a compressor for a pipeline.
tgmap::codec::compression_input compression_input_of(const tgmap::descriptor&, const tgmap::pipeline&,
                                                     std::span<const std::byte>);

}  // namespace tgmap_test
