// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>
#include <vector>

#include "codec/compressor.hpp"
#include "outcome.hpp"

namespace tgmap_test {

struct packed_up {
  tgmap::failure why;
  bytes data;
  std::vector<std::uint64_t> block_offsets;
};

/// Compresses where the input ends with the memory, twice with the same tools and from another address: all three must
/// come to the same.
packed_up compress(const tgmap::pipeline&, std::string_view raw, const tgmap::codec::uncompressed& facts = {});

/// What a reader is told of it.
tgmap::codec::codec_parameters parameters_of(const tgmap::pipeline&, const tgmap::codec::uncompressed& facts = {});

/// Compresses, and decompresses to the same.
void check_round_trip(const tgmap::pipeline&, std::string_view raw, const tgmap::codec::uncompressed& facts = {});

/// Lengths around blocks, words and nothing; contents of every kind.
std::vector<bytes> samples_of_all_kinds(std::size_t element);

}  // namespace tgmap_test
