// SPDX-License-Identifier: Apache-2.0
// Runs every decompressor and every mask method on unchecked bytes. The result fills the output, and does not depend on
// its previous content.
//
// The first eight bytes select the codec, four parameters and the size of the output; the rest are stored bytes. The
// samples are payloads of the reference implementation.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "codec/decompressor.hpp"
#include "codec/masks/mask_blob.hpp"
#include "codec/szip/szip.hpp"
#include "support/require.hpp"
#include "support/sz3_container.hpp"

namespace {

using namespace tgmap::codec;

struct recipe {
  std::uint8_t codec = 0;
  std::uint8_t parameters[4]{};
  std::uint64_t size = 0;
};
constexpr std::size_t recipe_size = 8;

recipe recipe_of(const std::uint8_t* bytes) {
  return {.codec = bytes[0],
          .parameters = {bytes[1], bytes[2], bytes[3], bytes[4]},
          .size = bytes[5] | std::uint64_t{bytes[6]} << 8 | std::uint64_t{bytes[7]} << 16};
}

/// Returns parameters that a descriptor could contain.
codec_parameters parameters_of(const recipe& from) {
  const auto& [a, b, c, d] = from.parameters;
  codec_parameters out;
  out.szip = {.rsi = 1U + a, .block_size = 2U * (b % 64 + 1), .flags = c, .bits = 1U + d % 32};
  out.szip.sample_size = szip_sample_size(out.szip.bits, out.szip.flags);
  out.zfp = {
      .mode = static_cast<zfp_method>(a % 3), .rate = (b + 1) / 4.0, .precision = b, .tolerance = (b + 1) / 64.0};
  return out;
}

tgmap::failure fill(const recipe& from, std::span<const std::byte> bytes, std::span<std::byte> out) {
  const auto all = decompressors();
  if (from.codec < all.size()) {
    const auto* const codec = find_decompressor(all[from.codec].which);
    return codec ? codec->run({bytes, parameters_of(from)}, out) : tgmap::failure{.code = tgmap::errc::codec_absent};
  }
  if (from.codec == all.size()) {
    const std::uint64_t unused = out.empty() ? 0 : from.parameters[1] % 8;  // bits of the last byte
    return read_mask(static_cast<mask_method>(from.parameters[0] % 6), bytes, out.size() * 8 - unused, out,
                     built_mask_codecs());
  }
  // The container is made here, because zstd rejects most changes of compressed bytes.
  const auto* const sz3 = find_decompressor(tgmap::compression::sz3);
  if (!sz3) return {.code = tgmap::errc::codec_absent};
  const auto container =
      tgmap_fuzz::sz3_container(bytes, out.size() / 8, from.parameters[0] % 2 != 0, from.parameters[1]);
  return sz3->run({container}, out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < recipe_size) return 0;
  const recipe from = recipe_of(bytes);
  const auto rest = std::as_bytes(std::span(bytes, size).subspan(recipe_size));
  const auto out_size = static_cast<std::size_t>(std::min<std::uint64_t>(from.size, 1U << 16));
  const std::unique_ptr<std::byte[]> first(new std::byte[out_size]), second(new std::byte[out_size]);
  const std::span one(first.get(), out_size), other(second.get(), out_size);
  std::fill(one.begin(), one.end(), std::byte{0});
  std::fill(other.begin(), other.end(), std::byte{0xff});
  const tgmap::failure why = fill(from, rest, one), again = fill(from, rest, other);
  tgmap_fuzz::require(why.code == again.code, "the same bytes fail with the same error");
  tgmap_fuzz::require(why || std::equal(one.begin(), one.end(), other.begin()), "all of the output is written");
  return 0;
}
