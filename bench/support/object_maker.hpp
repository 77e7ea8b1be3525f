// SPDX-License-Identifier: Apache-2.0
// Archives in memory whose objects were encoded by other means: payload, masks and what their descriptors say.
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
  std::string kind, method;  ///< as in descriptors
  octets blob{};
};

/// One object, as stored.
struct encoded_object {
  std::string dtype = "float64";
  std::vector<std::uint64_t> shape{};
  std::string byte_order = "little", encoding = "none", filter = "none", compression = "none";
  std::vector<std::pair<std::string, std::string>> parameters{};  ///< key, value in CBOR
  octets payload{};
  std::size_t decompressed = 0;             ///< bytes before compression
  std::vector<std::uint64_t> piece_bits{};  ///< of szip: at which bit each interval begins
  std::vector<encoded_mask> masks{};
};

/// An archive of one message of these objects.
std::string archive_of(std::span<const encoded_object>);

}  // namespace tgmap_bench
