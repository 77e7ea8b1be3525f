// SPDX-License-Identifier: Apache-2.0
#include "convert/pack_bits.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <tgmap/options.hpp>

#include "convert/refusal.hpp"

namespace tgmap::convert {

std::vector<std::byte> pack_bits(const npy_array& from) {
  if (element_size(from.elements.type) != 1)
    throw refusal("has elements of " + std::to_string(element_size(from.elements.type)) + " bytes, which are no bits",
                  "save them as bool or uint8, of 0 and 1");
  std::vector<std::byte> out(from.data.size() / 8 + (from.data.size() % 8 != 0 ? 1 : 0));
  std::array<std::uint64_t, max_rank> index{};
  std::int64_t at = 0;
  for (std::size_t i = 0; i < from.data.size(); ++i) {
    const auto element = from.data[static_cast<std::size_t>(at)];
    if (element > std::byte{1})
      throw refusal(
          "element " + std::to_string(i) + " is " + std::to_string(std::to_integer<int>(element)) + ", neither 0 nor 1",
          "compare the elements first, as in x != 0");
    out[i / 8] |= element << (7 - i % 8);
    for (std::size_t d = from.shape.size(); d-- > 0;) {
      at += from.strides[d];
      if (++index[d] < from.shape[d]) break;
      at -= from.strides[d] * static_cast<std::int64_t>(from.shape[d]);
      index[d] = 0;
    }
  }
  return out;
}

}  // namespace tgmap::convert
