// SPDX-License-Identifier: Apache-2.0
// What a descriptor tells the codecs, §7.3 to §7.10. Parameters that only an encoder needs are not looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tgmap/descriptor.hpp>

namespace tgmap::codec {

/// What libaec is told. `flags` are those in effect, which are not those stored (§7.4).
struct szip_parameters {
  std::uint32_t rsi = 0;         ///< blocks between two reference samples
  std::uint32_t block_size = 0;  ///< samples
  std::uint32_t flags = 0;
  std::uint64_t bits = 0;       ///< a sample; implied by the stages before. libaec takes 1 to 32
  std::size_t sample_size = 0;  ///< bytes that hold one sample; 0 where `bits` is none of libaec's
};

enum class zfp_method : std::uint8_t { fixed_rate, fixed_precision, fixed_accuracy };

struct zfp_parameters {
  zfp_method mode = zfp_method::fixed_rate;
  double rate = 0;              ///< bits a value
  std::uint32_t precision = 0;  ///< bit planes
  double tolerance = 0;
};

/// Those of one object; only the part of its own compression is set.
struct codec_parameters {
  szip_parameters szip{};
  zfp_parameters zfp{};
};

/// Reads what `descriptor.compression` needs, and holds the stages beside it against what the format allows.
/// `legacy_szip_flags`: the object is of version 1, or of an encoder before 0.7.0, which took the flags as stored.
/// O(bytes of the descriptor), no allocation. Errors: bad_parameter, bad_combination.
[[nodiscard]] failure read_codec_parameters(const descriptor&, bool legacy_szip_flags, codec_parameters& out) noexcept;

}  // namespace tgmap::codec
