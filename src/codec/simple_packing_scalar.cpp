// SPDX-License-Identifier: Apache-2.0
// A build without Highway: the plain loop is all there is.
#include "codec/simple_packing.hpp"

namespace tgmap::codec {

bool unpack(std::span<const std::byte> packed, unsigned bits, double reference, double scale, std::uint64_t first,
            std::span<double> out) noexcept {
  return unpack_plain(packed, bits, reference, scale, first, out);
}

}  // namespace tgmap::codec
