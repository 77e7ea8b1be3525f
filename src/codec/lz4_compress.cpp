// SPDX-License-Identifier: Apache-2.0
// lz4 (§7.6), the way out: the size as 32 bits, little-endian, then one block.

#include "codec/compressions.hpp"
#include "codec/failures.hpp"
#include "codec/lz4_library.hpp"

namespace tgmap::codec {

namespace {

constexpr std::size_t lz4_size_bytes = 4;

}  // namespace

failure compress_lz4(const uncompressed& from, core::scratch& memory, compressed& out) noexcept {
  const std::size_t size = from.bytes.size();
  if (size > LZ4_MAX_INPUT_SIZE) return {.code = errc::too_large, .expected = LZ4_MAX_INPUT_SIZE, .found = size};
  const int room = lz4().LZ4_compressBound(static_cast<int>(size));
  failure why;
  const auto to = memory.take(lz4_size_bytes + static_cast<std::size_t>(room), why);
  if (why) return why;

  for (std::size_t i = 0; i < lz4_size_bytes; ++i) to[i] = static_cast<std::byte>(size >> 8 * i);
  const char none = 0;
  const char* const at = size == 0 ? &none : reinterpret_cast<const char*>(from.bytes.data());
  const int came =
      lz4().LZ4_compress_default(at, reinterpret_cast<char*>(to.data() + lz4_size_bytes), static_cast<int>(size), room);
  if (came <= 0) return codec_failed(came);
  out.bytes = to.first(lz4_size_bytes + static_cast<std::size_t>(came));
  return {};
}

}  // namespace tgmap::codec
