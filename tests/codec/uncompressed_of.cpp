// SPDX-License-Identifier: Apache-2.0
#include "uncompressed_of.hpp"

#include <algorithm>

namespace tgmap_test {

tgmap::codec::uncompressed uncompressed_of(const tgmap::descriptor& of, const tgmap::pipeline& how,
                                           std::span<const std::byte> from) {
  const bool packed = of.encoding == tgmap::encoding::simple_packing, bitmask = of.dtype == tgmap::dtype::bitmask;
  tgmap::codec::uncompressed out{.bytes = from, .how = &how, .elements = of.element_count, .packed = packed};
  const unsigned bits = packed ? how.packing.bits : bitmask ? 0 : static_cast<unsigned>(8 * element_size(of.dtype));
  const bool shuffled = of.filter == tgmap::filter::shuffle && !packed;
  out.element_bytes = shuffled ? 1 : std::max<std::size_t>((bits + 7) / 8, 1);
  out.sample_bits = shuffled ? 8 : bits;
  return out;
}

}  // namespace tgmap_test
