// SPDX-License-Identifier: Apache-2.0
#include "codec/masks/mask_blob.hpp"

#include <algorithm>
#include <array>

#include "codec/codec_functions.hpp"
#include "codec/decompressor.hpp"
#include "codec/rle/rle.hpp"
#include "codec/roaring/roaring_format.hpp"

namespace tgmap::codec {

namespace {

constexpr std::array<std::string_view, 6> mask_method_names{"none", "rle", "roaring", "lz4", "zstd", "blosc2"};

/// An unsigned LEB128 number at the start of `from`, which loses its bytes; nothing when it is cut or too large.
std::optional<std::uint64_t> take_leb128(std::span<const std::byte>& from) noexcept {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !from.empty(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(from.front());
    from = from.subspan(1);
    if (shift == 63 && byte > 1) return std::nullopt;
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

/// Sets the bits [begin, end), which are some.
void set_run(std::span<std::byte> bits, std::uint64_t begin, std::uint64_t end) noexcept {
  const auto from = static_cast<std::size_t>(begin / 8), last = static_cast<std::size_t>((end - 1) / 8);
  const std::byte head = std::byte{0xff} >> (begin % 8), tail = std::byte{0xff} << (7 - (end - 1) % 8);
  if (from == last) {
    bits[from] |= head & tail;
    return;
  }
  bits[from] |= head;
  const auto whole = bits.subspan(from + 1, last - from - 1);
  std::fill(whole.begin(), whole.end(), std::byte{0xff});
  bits[last] |= tail;
}

/// Elements that the runs tell of, up to the first that cannot be: too long, empty, cut, or after one all too many.
struct run_outcome {
  std::uint64_t told = 0;
  bool sound = false;
};

/// Runs of equal bits, the first one's value before them.
run_outcome read_runs(std::span<const std::byte> runs, std::uint64_t elements, std::span<std::byte> bits) noexcept {
  std::fill(bits.begin(), bits.end(), std::byte{0});
  if (runs.empty()) return {.told = 0, .sound = elements == 0};
  bool value = runs.front() == std::byte{1};
  if (runs.front() > std::byte{1} || elements == 0) return {};
  std::uint64_t told = 0;
  for (runs = runs.subspan(1); !runs.empty(); value = !value) {
    const auto length = take_leb128(runs);
    if (!length || *length == 0) return {.told = told};
    if (*length > elements - told) return {.told = *length > UINT64_MAX - told ? UINT64_MAX : told + *length};
    if (value) set_run(bits, told, told + *length);
    told += *length;
  }
  return {.told = told, .sound = told == elements};
}

failure untold(std::uint64_t elements, std::uint64_t told) noexcept {
  return {.code = errc::bad_mask, .expected = elements, .found = told};
}

failure read_stored(mask_method method, std::span<const std::byte> blob, std::uint64_t elements,
                    std::span<std::byte> bits, const mask_library& library) noexcept {
  switch (method) {
    case mask_method::none:
      if (blob.size() != bits.size()) return untold(elements, std::uint64_t{blob.size()} * 8);
      std::copy(blob.begin(), blob.end(), bits.begin());
      return {};
    case mask_method::rle: {
      const auto [told, sound] = read_runs(blob, elements, bits);
      return sound ? failure{} : untold(elements, told);
    }
    case mask_method::blosc2:
      if (elements == 0 && blob.empty()) return {};  // as it is written: there is no frame of nothing
      break;
    default: break;
  }
  if (library.read == nullptr) return {.code = errc::codec_absent};
  return library.read(library.context, method, blob, elements, bits);
}

}  // namespace

std::optional<mask_method> mask_method_from_name(std::string_view name) noexcept {
  const auto* const at = std::find(mask_method_names.begin(), mask_method_names.end(), name);
  if (at == mask_method_names.end()) return std::nullopt;
  return static_cast<mask_method>(at - mask_method_names.begin());
}

failure read_mask(mask_method method, std::span<const std::byte> blob, std::uint64_t elements,
                  std::span<std::byte> bits, const mask_library& library) noexcept {
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
  const decompressor* const by = find_decompressor(compression_of(method));
  if (by == nullptr) return {.code = errc::codec_absent};
  if constexpr (TGMAP_HAS_ROARING)  // without the count that it has as a compression
    if (method == mask_method::roaring) return unpack_roaring(blob, elements, bits);
  return by->run({.bytes = blob}, bits);
}

}  // namespace

const mask_library& mask_libraries() noexcept {
  static constexpr mask_library all{.read = read_by_library, .context = nullptr};
  return all;
}

// Masks on the way out (§6.2): see mask_blob.hpp for the way in.

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
