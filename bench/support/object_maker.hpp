// SPDX-License-Identifier: Apache-2.0
// Builds archives in memory from objects that were encoded without the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tgmap_bench {

using octets = std::vector<std::byte>;

struct encoded_mask {
  std::string kind, method;  ///< words of the format's descriptors
  octets blob{};
};

/// An object in its stored form.
struct encoded_object {
  std::string dtype = "float64";
  std::vector<std::uint64_t> shape{};
  std::string byte_order = "little", encoding = "none", filter = "none", compression = "none";
  std::vector<std::pair<std::string, std::string>> parameters{};  ///< key, value in CBOR
  octets payload{};
  std::size_t decompressed = 0;             ///< bytes before compression
  std::vector<std::uint64_t> piece_bits{};  ///< szip: the bit at which each interval begins
  std::vector<encoded_mask> masks{};
};

/// Returns the bytes of an archive with one message that contains these objects.
std::string archive_of(std::span<const encoded_object>);

}  // namespace tgmap_bench
