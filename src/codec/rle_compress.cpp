// SPDX-License-Identifier: Apache-2.0
// rle as a compression (§7.10), the way out. The count is of the bits that the bytes hold, those behind the last
// element too.
#include "codec/bit_count.hpp"
#include "codec/bit_runs_write.hpp"
#include "codec/compressions.hpp"

namespace tgmap::codec {

failure compress_rle(const uncompressed& from, core::scratch& memory, compressed& out) noexcept {
  std::uint64_t bits = 0;
  failure why = count_bits(from.bytes.size(), bits);
  if (why) return why;
  const auto to = memory.take(bit_count_bytes + most_run_bytes(from.bytes, bits), why);
  if (why) return why;
  store_bit_count(bits, to);
  out.bytes = to.first(bit_count_bytes + pack_runs(from.bytes, bits, to.subspan(bit_count_bytes)));
  return {};
}

}  // namespace tgmap::codec
