// SPDX-License-Identifier: Apache-2.0
// A build without Highway: the plain loops are all there is.
#include "codec/pack.hpp"

namespace tgmap::codec {

bool pack(std::span<const double> numbers, const packing_rule& by, std::span<std::byte> out) noexcept {
  return pack_plain(numbers, by, out);
}

void number_range::add(std::span<const double> numbers) noexcept { add_plain(numbers); }

}  // namespace tgmap::codec
