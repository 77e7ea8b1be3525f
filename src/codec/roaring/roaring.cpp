// SPDX-License-Identifier: Apache-2.0
// roaring by CRoaring: the compression (§7.10) and masks (§6.2).
#include <roaring/roaring.h>
#include <algorithm>
#include <array>
#include <memory>

#include "codec/bit_count.hpp"
#include "codec/codec_functions.hpp"
#include "codec/roaring/roaring_format.hpp"
#include "runtime/loaded_library.hpp"

namespace tgmap::codec {

#define TGMAP_ROARING_FUNCTIONS(F)            \
  F(roaring_bitmap_free)                      \
  F(roaring_bitmap_portable_deserialize_safe) \
  F(roaring_init_iterator)                    \
  F(roaring_read_uint32_iterator)

#ifdef TGMAP_LOADS_ROARING
TGMAP_LOADED_LIBRARY(roaring_library, TGMAP_LOADS_ROARING, TGMAP_ROARING_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(roaring_library, TGMAP_ROARING_FUNCTIONS);
#endif

/// Returns the library, which must be present: only codecs whose library is present are called.
inline const roaring_library& roaring() noexcept { return *roaring_library::get(); }

namespace {

struct roaring_closer {
  void operator()(roaring_bitmap_t* bitmap) const noexcept { roaring().roaring_bitmap_free(bitmap); }
};

/// Returns text such as "0.2.66". Older headers have only numbers.
consteval std::array<char, 16> make_roaring_version() {
  std::array<char, 16> text{};
  std::size_t at = 0;
  for (const int part : {int{ROARING_VERSION_MAJOR}, int{ROARING_VERSION_MINOR}, int{ROARING_VERSION_REVISION}}) {
    if (at > 0) text[at++] = '.';
    if (part >= 100) text[at++] = static_cast<char>('0' + part / 100);
    if (part >= 10) text[at++] = static_cast<char>('0' + part / 10 % 10);
    text[at++] = static_cast<char>('0' + part % 10);
  }
  return text;
}
constexpr auto roaring_version_text = make_roaring_version();

}  // namespace

failure read_roaring(std::span<const std::byte> blob, std::uint64_t bits, std::span<std::byte> packed) noexcept {
  if (!is_valid_roaring(blob, bits)) return codec_failed();
  const std::unique_ptr<roaring_bitmap_t, roaring_closer> bitmap(
      roaring().roaring_bitmap_portable_deserialize_safe(reinterpret_cast<const char*>(blob.data()), blob.size()));
  if (!bitmap) return no_memory();  // it is well-formed

  std::fill(packed.begin(), packed.end(), std::byte{0});
  roaring_uint32_iterator_t at;
  roaring().roaring_init_iterator(bitmap.get(), &at);
  std::array<std::uint32_t, 1024> some;
  while (const auto n = roaring().roaring_read_uint32_iterator(&at, some.data(), some.size()))
    for (std::uint32_t i = 0; i < n; ++i) packed[some[i] / 8] |= std::byte(0x80u >> some[i] % 8);
  return {};
}

failure decompress_roaring(const compressed_payload& payload, std::span<std::byte> out) noexcept {
  counted_bits counted;
  if (auto why = split_bit_count(payload, out.size(), counted)) return why;
  return read_roaring(counted.blob, counted.bits, out);
}

bool has_roaring() noexcept { return roaring_library::get() != nullptr; }

std::string_view roaring_version() noexcept { return {roaring_version_text.data()}; }

// Compression by roaring (§7.10).

failure compress_roaring(const compression_input& input, core::scratch& memory, compression_output& out) noexcept {
  std::uint64_t bits = 0;
  failure why = count_bits(input.bytes.size(), bits);
  if (why) return why;
  const auto to = memory.take(bit_count_bytes + max_roaring_bytes(bits), why);
  if (why) return why;
  store_bit_count(bits, to);
  out.bytes = to.first(bit_count_bytes + write_roaring(input.bytes, to.subspan(bit_count_bytes)));
  return {};
}

}  // namespace tgmap::codec
