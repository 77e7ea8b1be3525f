// SPDX-License-Identifier: Apache-2.0
#include "convert/payload.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tgmap::convert {

void copy_payload(const object& from, const sink& to) {
  constexpr std::uint64_t block_size = std::uint64_t{1} << 20;
  std::vector<std::byte> block(static_cast<std::size_t>(std::min(from.payload_size(), block_size)));
  for (std::uint64_t at = 0; at < from.payload_size(); at += block.size()) {
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), from.payload_size() - at));
    const auto piece = std::span(block).first(length);
    from.read(at, piece);
    to(piece);
  }
}

}  // namespace tgmap::convert
