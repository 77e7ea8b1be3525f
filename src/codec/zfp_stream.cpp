// SPDX-License-Identifier: Apache-2.0
#include "codec/zfp_stream.hpp"

#include <algorithm>

#include "codec/failures.hpp"

namespace tgmap::codec {

failure set_zfp_mode(zfp_stream& stream, const zfp_parameters& with) noexcept {
  switch (with.mode) {
    case zfp_method::fixed_rate:
      // zfp turns it into whole bits a block without looking whether they are a number.
      if (with.rate > ZFP_MAX_BITS / 4)
        return bad_parameter(static_cast<std::uint64_t>(std::min(with.rate, 1e18)), "zfp_rate");
      zfp_stream_set_rate(&stream, with.rate, zfp_type_double, 1, 0);
      return {};
    case zfp_method::fixed_precision: zfp_stream_set_precision(&stream, with.precision); return {};
    case zfp_method::fixed_accuracy:
      return zfp_stream_set_accuracy(&stream, with.tolerance) > 0 ? failure{} : bad_parameter(0, "zfp_tolerance");
  }
  return bad_parameter(0, "zfp_mode");
}

failure check_zfp_rate(const zfp_stream& stream, std::uint64_t stored_size, std::uint64_t out) noexcept {
  const std::uint64_t there = stored_size > UINT64_MAX / 8 ? 0 : stored_size * 8 / stream.maxbits;
  return there >= out / zfp_block + (out % zfp_block != 0 ? 1 : 0) ? failure{} : decoded_size(out, there * zfp_block);
}

}  // namespace tgmap::codec
