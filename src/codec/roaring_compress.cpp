// SPDX-License-Identifier: Apache-2.0
// roaring as a compression (§7.10), the way out.
#include "codec/bit_count.hpp"
#include "codec/compressions.hpp"
#include "codec/roaring_write.hpp"

namespace tgmap::codec {

failure compress_roaring(const uncompressed& from, core::scratch& memory, compressed& out) noexcept {
  std::uint64_t bits = 0;
  failure why = count_bits(from.bytes.size(), bits);
  if (why) return why;
  const auto to = memory.take(bit_count_bytes + most_roaring_bytes(bits), why);
  if (why) return why;
  store_bit_count(bits, to);
  out.bytes = to.first(bit_count_bytes + pack_roaring(from.bytes, to.subspan(bit_count_bytes)));
  return {};
}

}  // namespace tgmap::codec
