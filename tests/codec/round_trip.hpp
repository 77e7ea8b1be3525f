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

/// Returns bytes that compress well.
bytes waves(std::size_t size);

struct compressed_data {
  tgmap::failure why;
  bytes data;
  std::vector<std::uint64_t> block_offsets;
};

/// Compresses where the input ends with the memory, twice with the same tools and from another address: all three must
/// come to the same.
compressed_data compress(const tgmap::pipeline&, std::string_view raw,
                         const tgmap::codec::compression_input& facts = {});

/// What a reader is told of it.
tgmap::codec::codec_parameters parameters_of(const tgmap::pipeline&, const tgmap::codec::compression_input& facts = {});

/// Compresses, and decompresses to the same.
void check_round_trip(const tgmap::pipeline&, std::string_view raw, const tgmap::codec::compression_input& facts = {});

/// Lengths around blocks, words and nothing; contents of every kind.
std::vector<bytes> samples_of_all_kinds(std::size_t element);

/// What a writer with that pipeline tells a compressor of its bytes.
tgmap::codec::compression_input compression_input_of(const tgmap::descriptor&, const tgmap::pipeline&,
                                                     std::span<const std::byte>);

}  // namespace tgmap_test
