// SPDX-License-Identifier: Apache-2.0
// Runs every compressor on any bytes with any options that check_compression accepts. The result can be decompressed,
// and a lossless codec restores the same bytes.
//
// The first eight bytes select the codec and its options; the rest is compressed.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/compressor.hpp"
#include "codec/decompressor.hpp"
#include "codec/masks/mask_blob.hpp"
#include "codec/szip/szip.hpp"
#include "codec/szip/szip_offsets.hpp"
#include "support/require.hpp"

namespace {

using namespace tgmap::codec;
using tgmap::compression;

constexpr std::size_t recipe_size = 8;

tgmap::pipeline pipeline_of(std::span<const std::uint8_t, recipe_size> of) {
  tgmap::pipeline out{.compression = static_cast<compression>(1 + of[0] % 8)};
  out.szip = {.rsi = of[1], .block_size = of[2], .flags = of[3]};
  out.zstd_level = static_cast<std::int8_t>(of[1]) % 10;  // higher ones take long
  out.blosc2 = {.codec = static_cast<tgmap::blosc2_codec>(of[1]), .level = static_cast<std::int8_t>(of[2])};
  out.zfp = {.mode = static_cast<tgmap::zfp_mode>(of[1]),
             .rate = of[2] / 4.0,
             .precision = of[2],
             .tolerance = std::ldexp(1, static_cast<std::int8_t>(of[2])) - 1};
  out.sz3 = {.mode = static_cast<tgmap::sz3_bound>(of[1]),
             .bound = std::ldexp(1, static_cast<std::int8_t>(of[2]) / 4) - 0x1p-20};
  return out;
}

codec_parameters parameters_of(const tgmap::pipeline& how, const compression_input& from) {
  codec_parameters out;
  const auto flags = how.szip.flags | (from.packed ? szip_msb : 0u) | (from.sample_bits == 24 ? szip_3_bytes : 0u);
  out.szip = {.rsi = how.szip.rsi, .block_size = how.szip.block_size, .flags = flags, .bits = from.sample_bits};
  out.szip.sample_size = szip_sample_size(out.szip.bits, flags);
  out.zfp = {.mode = static_cast<zfp_method>(how.zfp.mode),
             .rate = how.zfp.rate,
             .precision = how.zfp.precision,
             .tolerance = how.zfp.tolerance};
  return out;
}

bool takes_doubles(compression which) { return which == compression::zfp || which == compression::sz3; }

/// Makes the input of these codecs finite, and small enough for their arithmetic.
std::vector<double> finite(std::span<const std::byte> bytes) {
  std::vector<double> out(bytes.size() / sizeof(double));
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(8 * i), 8, reinterpret_cast<std::byte*>(&out[i]));
    if (!(std::abs(out[i]) < 1e100)) out[i] = static_cast<double>(i);
  }
  return out;
}

void check_codec(const tgmap::pipeline& how, compression_input from) {
  using tgmap::dtype;
  const bool bits = how.compression == compression::rle || how.compression == compression::roaring;
  const dtype of = bits ? dtype::bitmask : takes_doubles(how.compression) ? dtype::float64 : dtype::uint8;
  if (check_compression(how, of, from.sample_bits)) return;
  tgmap::core::scratch memory;
  compression_output compressed;
  const auto why = find_compressor(how.compression)->run(from, memory, compressed);
  if (why) {
    tgmap_fuzz::require(why.code == tgmap::errc::bad_combination || why.code == tgmap::errc::bad_parameter,
                        "a compressor only rejects empty input and incomplete samples");
    return;
  }
  const std::unique_ptr<std::byte[]> room(new std::byte[from.bytes.size() + 1]);
  const std::span back(room.get(), from.bytes.size());
  const auto with = parameters_of(how, from);
  const auto error = find_decompressor(how.compression)->run({compressed.bytes, with}, back);
  tgmap_fuzz::require(!error, "compressed bytes can be decompressed");
  tgmap_fuzz::require(takes_doubles(how.compression) || std::ranges::equal(from.bytes, back),
                      "a lossless codec restores the bytes");
  std::vector<std::uint64_t> again(compressed.block_offsets.size());
  if (!again.empty())
    tgmap_fuzz::require(find_szip_offsets(with.szip, compressed.bytes, again) && again == compressed.block_offsets,
                        "the offsets of intervals are found again");
}

void check_mask(mask_method method, std::span<const std::byte> bytes, unsigned unused) {
  std::vector<std::byte> bits(bytes.begin(), bytes.end()), back(bytes.size());
  const std::uint64_t elements = bits.empty() ? 0 : bits.size() * 8 - unused;
  if (!bits.empty()) bits.back() &= std::byte(0xff << unused);
  tgmap::core::scratch memory;
  std::span<const std::byte> blob;
  const auto why = write_mask(method, bits, elements, memory, blob);
  if (why.code == tgmap::errc::codec_absent) return;
  tgmap_fuzz::require(!why, "any mask can be written");
  tgmap_fuzz::require(!read_mask(method, blob, elements, back, built_mask_codecs()),
                      "a mask that was written can be read");
  tgmap_fuzz::require(bits == back, "a mask is read back unchanged");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < recipe_size) return 0;
  const std::span<const std::uint8_t, recipe_size> recipe(bytes, recipe_size);
  const auto rest = std::as_bytes(std::span(bytes, size).subspan(recipe_size));
  const auto how = pipeline_of(recipe);
  if (recipe[7] % 4 == 3) {
    check_mask(static_cast<mask_method>(recipe[1] % 6), rest, recipe[2] % 8);
    return 0;
  }
  const auto doubles = takes_doubles(how.compression) ? finite(rest) : std::vector<double>();
  check_codec(how, {.bytes = takes_doubles(how.compression) ? std::as_bytes(std::span(doubles)) : rest,
                    .how = &how,
                    .element_bytes = recipe[4] % 20U,
                    .sample_bits = 8U * (1 + recipe[5] % 4),
                    .packed = recipe[6] % 2 != 0});
  return 0;
}
