// SPDX-License-Identifier: Apache-2.0
#include "codec/masks/mask_blob.hpp"

#include <algorithm>

#include "codec/codec_functions.hpp"
#include "codec/decompressor.hpp"
#include "codec/rle/rle.hpp"
#include "codec/roaring/roaring_format.hpp"

namespace tgmap::codec {

namespace {

failure wrong_element_count(std::uint64_t elements, std::uint64_t found) noexcept {
  return {.code = errc::bad_mask, .expected = elements, .found = found};
}

failure read_stored(mask_method method, std::span<const std::byte> blob, std::uint64_t elements,
                    std::span<std::byte> bits, const mask_codecs& library) noexcept {
  switch (method) {
    case mask_method::none:
      if (blob.size() != bits.size()) return wrong_element_count(elements, std::uint64_t{blob.size()} * 8);
      std::copy(blob.begin(), blob.end(), bits.begin());
      return {};
    case mask_method::rle: {
      std::uint64_t total = 0;
      return read_runs(blob, elements, bits, total) ? failure{} : wrong_element_count(elements, total);
    }
    case mask_method::blosc2:
      if (elements == 0 && blob.empty()) return {};  // writers store no frame for an empty mask
      break;
    default: break;
  }
  if (library.read == nullptr) return {.code = errc::codec_absent};
  return library.read(library.context, method, blob, elements, bits);
}

}  // namespace

failure read_mask(mask_method method, std::span<const std::byte> blob, std::uint64_t elements,
                  std::span<std::byte> bits, const mask_codecs& library) noexcept {
  failure why = read_stored(method, blob, elements, bits, library);
  if (!why && elements % 8 != 0) bits.back() &= std::byte{0xff} << (8 - elements % 8);
  return why;
}

compression compression_of(mask_method method) noexcept {
  switch (method) {
    case mask_method::none: return compression::none;
    case mask_method::rle: return compression::rle;
    case mask_method::roaring: return compression::roaring;
    case mask_method::lz4: return compression::lz4;
    case mask_method::zstd: return compression::zstd;
    case mask_method::blosc2: return compression::blosc2;
  }
  return compression::other;
}

namespace {

failure read_by_library(void*, mask_method method, std::span<const std::byte> blob, std::uint64_t elements,
                        std::span<std::byte> bits) noexcept {
  const decompressor* const decompressor = find_decompressor(compression_of(method));
  if (decompressor == nullptr) return {.code = errc::codec_absent};
  if constexpr (TGMAP_HAS_ROARING)  // without the bit count of the compression
    if (method == mask_method::roaring) return read_roaring(blob, elements, bits);
  return decompressor->run({.bytes = blob}, bits);
}

}  // namespace

const mask_codecs& built_mask_codecs() noexcept {
  static constexpr mask_codecs all{.read = read_by_library, .context = nullptr};
  return all;
}

// Writing of masks (§6.2).

namespace {

failure write_mask_runs(std::span<const std::byte> bits, std::uint64_t elements, core::scratch& memory,
                        std::span<const std::byte>& blob) noexcept {
  failure why;
  const auto to = memory.take(max_run_bytes(bits, elements), why);
  if (!why) blob = to.first(write_runs(bits, elements, to));
  return why;
}

failure write_mask_roaring(std::span<const std::byte> bits, std::uint64_t elements, core::scratch& memory,
                           std::span<const std::byte>& blob) noexcept {
  if constexpr (!TGMAP_HAS_ROARING) return {.code = errc::codec_absent};
  constexpr std::uint64_t most = UINT32_MAX;
  if (elements > most) return {.code = errc::too_large, .expected = mask_bytes(most), .found = mask_bytes(elements)};
  failure why;
  const auto to = memory.take(max_roaring_bytes(elements), why);
  if (!why) blob = to.first(write_roaring(bits, to));
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
  const compressor* const compressor = find_compressor(compression_of(method));
  if (compressor == nullptr) return {.code = errc::codec_absent};
  const pipeline defaults;
  compression_output out;
  failure why = compressor->run({.bytes = bits, .how = &defaults}, memory, out);
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
