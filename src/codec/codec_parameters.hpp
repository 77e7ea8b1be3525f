// SPDX-License-Identifier: Apache-2.0
// Parameters of the codecs in descriptors, §7.3 to §7.10. Parameters that only an encoder needs are ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tgmap/descriptor.hpp>

namespace tgmap::codec {

/// Parameters of libaec. `flags` are those in effect, which differ from those stored (§7.4).
struct szip_parameters {
  std::uint32_t rsi = 0;         ///< blocks between two reference samples
  std::uint32_t block_size = 0;  ///< samples
  std::uint32_t flags = 0;
  std::uint64_t bits = 0;       ///< of a sample, from the stages before; libaec takes 1 to 32
  std::size_t sample_size = 0;  ///< bytes of one sample; 0 if libaec does not take `bits`
};

enum class zfp_method : std::uint8_t { fixed_rate, fixed_precision, fixed_accuracy };

struct zfp_parameters {
  zfp_method mode = zfp_method::fixed_rate;
  double rate = 0;              ///< bits per value
  std::uint32_t precision = 0;  ///< bit planes
  double tolerance = 0;
};

/// Parameters of one object. Only the member of its compression is set.
struct codec_parameters {
  szip_parameters szip{};
  zfp_parameters zfp{};
};

/// Reads the parameters of the compression of a descriptor, and checks that the format allows its other stages.
/// `legacy_szip_flags`: the object is of version 1 or of an encoder before 0.7.0, which used the flags as stored.
/// Errors: bad_parameter, bad_combination.
/// Complexity: O(bytes of the descriptor), no allocation.
[[nodiscard]] failure read_codec_parameters(const descriptor&, bool legacy_szip_flags, codec_parameters& out) noexcept;

}  // namespace tgmap::codec
