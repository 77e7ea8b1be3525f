// SPDX-License-Identifier: Apache-2.0
// rle as a compression (§7.10).
#include "codec/bit_count.hpp"
#include "codec/bit_runs.hpp"
#include "codec/libraries.hpp"

namespace tgmap::codec {

failure run_rle(const stored& from, std::span<std::byte> out) noexcept {
  counted_bits counted;
  if (auto why = split_bit_count(from, out.size(), counted)) return why;
  std::uint64_t told = 0;
  if (unpack_runs(counted.blob, counted.bits, out, told)) return {};
  if (told > counted.bits) return decoded_size(out.size(), told / 8 + (told % 8 != 0));
  return codec_failed();
}

}  // namespace tgmap::codec
