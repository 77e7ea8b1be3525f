// SPDX-License-Identifier: Apache-2.0
// Masks on the way out (§6.2): see mask_blob.hpp for the way in.
#include "codec/bit_runs_write.hpp"
#include "codec/compressions.hpp"
#include "codec/mask_library.hpp"
#include "codec/roaring_write.hpp"

namespace tgmap::codec {

namespace {

failure write_mask_runs(std::span<const std::byte> bits, std::uint64_t elements, core::scratch& memory,
                        std::span<const std::byte>& blob) noexcept {
  failure why;
  const auto to = memory.take(most_run_bytes(bits, elements), why);
  if (!why) blob = to.first(pack_runs(bits, elements, to));
  return why;
}

failure write_mask_roaring(std::span<const std::byte> bits, std::uint64_t elements, core::scratch& memory,
                           std::span<const std::byte>& blob) noexcept {
  if constexpr (!TGMAP_HAS_ROARING) return {.code = errc::codec_absent};
  constexpr std::uint64_t most = UINT32_MAX;
  if (elements > most) return {.code = errc::too_large, .expected = mask_bytes(most), .found = mask_bytes(elements)};
  failure why;
  const auto to = memory.take(most_roaring_bytes(elements), why);
  if (!why) blob = to.first(pack_roaring(bits, to));
  return why;
}

failure write_mask_blosc2([[maybe_unused]] std::span<const std::byte> bits, [[maybe_unused]] core::scratch& memory,
                          [[maybe_unused]] std::span<const std::byte>& blob) noexcept {
  if constexpr (TGMAP_HAS_BLOSC2)
    return bits.empty() ? failure{} : compress_mask_by_blosc2(bits, memory, blob);
  else
    return {.code = errc::codec_absent};
}

failure write_mask_compressed(mask_method method, std::span<const std::byte> bits, core::scratch& memory,
                              std::span<const std::byte>& blob) noexcept {
  const compressor* const by = find_compressor(compression_of(method));
  if (by == nullptr) return {.code = errc::codec_absent};
  const pipeline as_usual;
  compressed out;
  failure why = by->run({.bytes = bits, .how = &as_usual}, memory, out);
  if (!why) blob = out.bytes;
  return why;
}

}  // namespace

failure write_mask(mask_method method, std::span<const std::byte> bits, std::uint64_t elements, core::scratch& memory,
                   std::span<const std::byte>& blob) noexcept {
  blob = {};
  switch (method) {
    case mask_method::none: blob = bits; return {};
    case mask_method::rle: return write_mask_runs(bits, elements, memory, blob);
    case mask_method::roaring: return write_mask_roaring(bits, elements, memory, blob);
    case mask_method::blosc2: return write_mask_blosc2(bits, memory, blob);
    case mask_method::lz4:
    case mask_method::zstd: return write_mask_compressed(method, bits, memory, blob);
  }
  return {.code = errc::unknown_codec};
}

}  // namespace tgmap::codec
