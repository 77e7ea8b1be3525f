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

/// Options of simple_packing, for float64: `value = reference + 2^binary_scale * 10^-decimal_scale * integer`.
///
/// Parameters that are not set are computed from the elements, bit for bit as the reference implementation does.
/// Spec: §7.1.
struct packing_options {
  /// Bits of each integer, 0 to 64. With 0, every element must equal `reference`. Default: 16, two bytes an
  /// element.
  unsigned bits = 16;
  std::int32_t decimal_scale = 0;

  /// Set both or neither. With both, elements that do not fit are an error. Neither is needed with masks for NaN and
  /// infinities, unlike in the reference implementation. Default: none, so that they are computed.
  std::optional<double> reference{};
  std::optional<std::int32_t> binary_scale{};

  /// Takes the fewest bits, up to 64, that keep every element within this distance of its value; `bits` is ignored.
  /// Default: none.
  std::optional<double> max_error{};
};

/// Options of szip. Settings that lose data or that readers cannot decode are refused: samples of other than 8, 16, 24
/// or 32 bits, and the flags RESTRICTED (16), PAD_RSI (32) and 128.
/// Spec: §7.4.
struct szip_options {
  std::uint32_t rsi = 128;        ///< blocks between two reference samples, 1 to 4096
  std::uint32_t block_size = 16;  ///< samples in a block: 8, 16, 32 or 64
  std::uint32_t flags = 8;        ///< sum of 8 (preprocess), 1 (signed samples), 64 (any even block size)
};

/// Compressor that Blosc2 applies to its blocks.
enum class blosc2_codec : std::uint8_t { blosclz, lz4, lz4hc, zlib, zstd };

/// Options of Blosc2.
struct blosc2_options {
  blosc2_codec codec = blosc2_codec::lz4;
  int level = 5;  ///< 0 to 9
};

/// Quantity that zfp keeps fixed; `zfp_options` has a number for each.
enum class zfp_mode : std::uint8_t { fixed_rate, fixed_precision, fixed_accuracy };

/// Options of zfp, for float64. Only the number that belongs to `mode` is used.
/// Spec: §7.8.
struct zfp_options {
  zfp_mode mode = zfp_mode::fixed_accuracy;
  double rate = 16;              ///< bits of each element, above 0, at most 64
  std::uint32_t precision = 32;  ///< bit planes, 1 to 64

  /// Largest error, above 0. zfp works on blocks of 4 elements in every dimension and keeps about 58 bits of the
  /// largest element of a block. If one element, such as a fill value, is 2^58 times the tolerance, the small elements
  /// of its block are lost.
  double tolerance = 1e-6;
};

/// Kind of error that sz3 limits.
enum class sz3_bound : std::uint8_t { absolute, relative, psnr };

/// Options of sz3, for float64.
/// Spec: §7.9.
struct sz3_options {
  sz3_bound mode = sz3_bound::absolute;
  double bound = 1e-6;  ///< above 0; in dB for `psnr`
};

/// Compression of a mask; `none` stores its bits as they are.
enum class mask_method : std::uint8_t { none, rle, roaring, lz4, zstd, blosc2 };

/// How NaN and infinities are stored.
///
/// If they are not allowed, they are an error. If they are allowed, masks record their places and the elements become
/// zeros. The masks do not keep which NaN it was, nor which component of a complex number.
/// Spec: §6.2.
struct missing_options {
  /// Default: false, so that missing elements are stored only on purpose.
  bool allow_nan = false, allow_infinity = false;

  /// Compression of the masks. None: for each mask the smallest result of all methods that this build has.
  /// Default: roaring.
  std::optional<mask_method> nan = mask_method::roaring, positive_infinity = mask_method::roaring,
                             negative_infinity = mask_method::roaring;

  /// Masks of up to this many bytes, uncompressed, are stored without compression; 0: none are.
  /// Default: 128, as in the reference implementation.
  std::uint64_t small_mask_bytes = 128;

  /// Looks for NaN and infinities. If false, they are stored as plain numbers, as releases before version 3 did; with
  /// simple_packing, zfp or sz3 that is errc::bad_combination. Default: true.
  bool check_elements = true;
};

/// A `pipeline` is the list of stages that encode the elements of an object. Aggregate:
/// `{.filter = filter::shuffle, .compression = compression::zstd}`.
///
/// The options of stages that are not used are ignored. Default: no stage, elements are stored as they are.
/// Spec: §7.
struct pipeline {
  tgmap::encoding encoding = encoding::none;
  tgmap::filter filter = filter::none;
  tgmap::compression compression = compression::none;
  tgmap::packing_options packing{};

  /// Bytes of an element for the shuffle filter. Default: 0, for the size of an element, or of a packed one: its bits
  /// in whole bytes.
  std::size_t shuffle_size = 0;
  szip_options szip{};
  int zstd_level = 3;  ///< a level of zstd; default: 3, as zstd has it
  blosc2_options blosc2{};
  zfp_options zfp{};
  sz3_options sz3{};
  missing_options missing{};

  /// Writes the level of zstd, and codec and level of Blosc2, into the descriptor. No reader needs them. Default: true,
  /// so that pipeline_of() finds them.
  bool store_levels = true;
};

/// A `pipeline_change` replaces stages of a pipeline. Aggregate: `{.compression = compression::zstd, .level = 9}`.
///
/// Options of a stage that is not named are ignored. Options of a stage that is named and not set become the defaults,
/// except that zstd and Blosc2 keep their level, and Blosc2 its codec, if the pipeline has that compression already.
struct pipeline_change {
  std::optional<tgmap::encoding> encoding{};
  std::optional<tgmap::filter> filter{};
  std::optional<tgmap::compression> compression{};

  std::optional<unsigned> bits{};  ///< of simple_packing, as the next two; see packing_options
  std::optional<std::int32_t> decimal_scale{};
  std::optional<double> max_error{};
  std::optional<int> level{};  ///< of zstd or Blosc2
  std::optional<blosc2_codec> blosc2{};
  std::optional<double> zfp_rate{};  ///< of zfp; the first of these three that is set chooses the mode
  std::optional<std::uint32_t> zfp_precision{};
  std::optional<double> zfp_tolerance{};
  std::optional<tgmap::sz3_bound> sz3_mode{};
  std::optional<double> sz3_bound{};
};

/// Returns a pipeline with other stages, for example of an object that is to be stored in another way. The bytes of an
/// element for the shuffle filter are computed again if the encoding or the filter is named.
/// Errors: none; validate_pipeline() says if the result can be used.
/// Complexity: O(1), no allocation.
/// Thread safety: any thread.
[[nodiscard]] TGMAP_API pipeline change_pipeline(const pipeline&, const pipeline_change&) noexcept;

/// Checks that `pipeline` can encode and decode elements of `dtype` as the options say. Returns an empty failure if it
/// can.
/// Errors: bad_combination (stages that exclude each other: expected, found = the two); unsupported_dtype (expected =
/// the dtype that the stage takes, found = this one); unsupported_sample_bits (szip: found = bits); bad_parameter
/// (found = its value); codec_absent. Complexity: O(1), no allocation. Thread safety: any thread. Spec: §7.
[[nodiscard]] TGMAP_API failure validate_pipeline(const pipeline&, dtype) noexcept;

/// Returns the pipeline that an object was encoded with, so that other objects can be encoded like it.
///
/// Parameters of packing are set. Masks are allowed if the object has some. NaN that was stored as a plain number stays
/// one. Levels that the descriptor lacks, or whose values make no sense, are the defaults. The result may be one that
/// validate_pipeline() refuses.
/// Errors: unknown_codec; bad_parameter (a parameter is missing or of the wrong kind).
/// Complexity: O(bytes of the descriptor).
/// Thread safety: any thread.
[[nodiscard]] TGMAP_API pipeline pipeline_of(const descriptor&);
[[nodiscard]] TGMAP_API pipeline pipeline_of(const descriptor&, failure&) noexcept;

}  // namespace v0
}  // namespace tgmap
