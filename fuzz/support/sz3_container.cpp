// SPDX-License-Identifier: Apache-2.0
#include "support/sz3_container.hpp"

#include <algorithm>

namespace tgmap_fuzz {

namespace {

void put(std::vector<std::byte>& to, std::uint64_t number, unsigned width) {
  for (unsigned i = 0; i < width; ++i) to.push_back(static_cast<std::byte>(number >> 8 * i));
}

/// Returns a frame of one uncompressed block.
std::vector<std::byte> zstd_frame(std::span<const std::byte> content) {
  std::vector<std::byte> out;
  put(out, 0xFD2FB528, 4);
  put(out, 0xE0, 1);  // one segment, eight bytes for the size of the content
  put(out, content.size(), 8);
  put(out, content.size() << 3 | 1, 3);  // the last block, raw
  out.insert(out.end(), content.begin(), content.end());
  return out;
}

}  // namespace

std::vector<std::byte> sz3_container(std::span<const std::byte> content, std::uint64_t elements, bool lorenzo,
                                     std::uint8_t block_size) {
  content = content.first(std::min<std::size_t>(content.size(), 64 << 10));
  const auto frame = zstd_frame(content);
  std::vector<std::byte> out;
  put(out, 0xF342F310, 4);
  put(out, 0x03030200, 4);
  put(out, frame.size() + 8, 8);
  put(out, content.size(), 8);
  out.insert(out.end(), frame.begin(), frame.end());
  put(out, 40, 1);  // size of the configuration
  put(out, 1, 1);
  put(out, 64, 1);
  put(out, elements, 8);
  put(out, elements, 8);
  put(out, lorenzo ? 0 : 2, 1);
  put(out, 0, 1);
  put(out, 0, 8);
  put(out, lorenzo ? 0xC0 : 0xA0, 1);
  put(out, 1, 1);
  put(out, 65536, 4);
  put(out, std::uint64_t{1} + block_size, 4);
  put(out, 0, 1);
  return out;
}

}  // namespace tgmap_fuzz
