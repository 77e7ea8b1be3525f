// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {

/// simple_packing (§7.1) of float64: `value = reference + 2^binary_scale * 10^-decimal_scale * integer`, so many bits.
/// What is not given is computed from the elements, as the reference implementation does, bit for bit.
struct packing_options {
  unsigned bits = 16;  ///< of an element, 0 to 64; 0: all elements must be `reference`
  std::int32_t decimal_scale = 0;
  /// Given, both: elements that do not fit are refused. With masks for NaN and infinities they need not be given here,
  /// other than in the reference.
  std::optional<double> reference{};
  std::optional<std::int32_t> binary_scale{};
  /// As few bits, up to 64, as keep every element within this of what it was; `bits` is not looked at then.
  std::optional<double> max_error{};
};

/// szip (§7.4). Flags: 8 preprocesses; 1 signed, 64 any even block size. What loses data or what readers cannot undo is
/// refused: samples of other than 8, 16, 24 or 32 bits, PAD_RSI (32), RESTRICTED (16), 128.
struct szip_options {
  std::uint32_t rsi = 128;        ///< blocks between two reference samples, 1 to 4096
  std::uint32_t block_size = 16;  ///< samples: 8, 16, 32 or 64
  std::uint32_t flags = 8;
};

enum class blosc2_codec : std::uint8_t { blosclz, lz4, lz4hc, zlib, zstd };

struct blosc2_options {
  blosc2_codec codec = blosc2_codec::lz4;
  int level = 5;  ///< 0 to 9
};

enum class zfp_mode : std::uint8_t { fixed_rate, fixed_precision, fixed_accuracy };

/// zfp (§7.8), of float64. The number that belongs to the mode counts.
struct zfp_options {
  zfp_mode mode = zfp_mode::fixed_accuracy;
  double rate = 16;              ///< bits an element, above 0, at most 64
  std::uint32_t precision = 32;  ///< bit planes, 1 to 64
  /// Greatest error, above 0. zfp keeps about 58 bits of the largest element of each block of 4 in every dimension:
  /// beside one that is 2^58 times the tolerance, such as a fill value, the small ones of its block are lost.
  double tolerance = 1e-6;
};

enum class sz3_bound : std::uint8_t { absolute, relative, psnr };

/// sz3 (§7.9), of float64.
struct sz3_options {
  sz3_bound mode = sz3_bound::absolute;
  double bound = 1e-6;  ///< above 0; of `psnr` in dB
};

enum class mask_method : std::uint8_t { none, rle, roaring, lz4, zstd, blosc2 };

/// What becomes of NaN and infinities (§6.2). Not allowed, they are refused. Allowed, they are stored as masks beside
/// zeros: which NaN it was, and which component of a complex number, is lost.
struct missing_options {
  bool allow_nan = false, allow_infinite = false;
  /// How masks are stored; nothing: whichever of all that this build has takes least, asked of each mask.
  std::optional<mask_method> nan = mask_method::roaring, positive_infinity = mask_method::roaring,
                             negative_infinity = mask_method::roaring;
  /// Masks of up to so many bytes, uncompressed, are stored as they are. As the reference has it; 0: none.
  std::uint64_t small_mask_bytes = 128;
  /// False: elements are not looked at, NaN and infinities are stored as the numbers they are, as releases before
  /// version 3 did. Only where nothing but bytes is done to them: errc::bad_combination with simple_packing, zfp, sz3.
  bool check_elements = true;
};

/// What is done to the elements of an object on their way into an archive (§7). Aggregate:
/// `{.filter = filter::shuffle, .compression = compression::zstd}`.
struct pipeline {
  tgmap::encoding encoding = encoding::none;
  tgmap::filter filter = filter::none;
  tgmap::compression compression = compression::none;
  tgmap::packing_options packing{};
  std::size_t shuffle_size = 0;  ///< bytes; 0: the width of an element, packed: its bits as whole bytes
  szip_options szip{};
  int zstd_level = 3;  ///< as zstd has them
  blosc2_options blosc2{};
  zfp_options zfp{};
  sz3_options sz3{};
  missing_options missing{};
  /// The descriptor says zstd's level, and blosc2's codec and level, which no reader needs.
  bool store_levels = true;
};

/// Whether elements of that dtype can go that way and come back as §7 and the options say; if not, why: bad_combination
/// (stages that exclude each other: expected, found = the two), codec_dtype (expected = the dtype it takes, found =
/// this one), sample_bits (szip: found = bits), bad_parameter (found = its value), codec_absent. No allocation, any
/// thread.
[[nodiscard]] TGMAP_API failure validate_pipeline(const pipeline&, dtype) noexcept;

/// The way that the elements of an object went, to send others after them: parameters of packing are given, masks are
/// allowed where there are some, and NaN that was stored raw is stored raw again. Levels that the descriptor does not
/// tell, or in no way that makes sense, are the defaults. What it says may be more than `check` lets pass. O(bytes of
/// the descriptor), any thread. Errors: unknown_codec; bad_parameter (a parameter that is missing, or of the wrong
/// kind).
[[nodiscard]] TGMAP_API pipeline pipeline_of(const descriptor&);
[[nodiscard]] TGMAP_API pipeline pipeline_of(const descriptor&, failure&) noexcept;

}  // namespace v0
}  // namespace tgmap
