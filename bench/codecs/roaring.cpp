// SPDX-License-Identifier: Apache-2.0
#include <roaring/roaring.h>

#include <memory>

#include "codecs/bare_codec.hpp"

namespace tgmap_bench {

octets roaring_blob(std::span<const std::byte> bits) {
  const std::unique_ptr<roaring_bitmap_t, decltype(&roaring_bitmap_free)> all(roaring_bitmap_create(),
                                                                              roaring_bitmap_free);
  for (std::uint32_t i = 0; i < bits.size() * 8; ++i)
    if ((bits[i / 8] & (std::byte{0x80} >> static_cast<int>(i % 8))) != std::byte{0}) roaring_bitmap_add(all.get(), i);
  roaring_bitmap_run_optimize(all.get());
  octets out(roaring_bitmap_portable_size_in_bytes(all.get()));
  roaring_bitmap_portable_serialize(all.get(), reinterpret_cast<char*>(out.data()));
  return out;
}

}  // namespace tgmap_bench
