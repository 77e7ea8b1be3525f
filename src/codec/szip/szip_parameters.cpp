// SPDX-License-Identifier: Apache-2.0
#include "codec/failures.hpp"
#include "codec/szip/szip.hpp"

namespace tgmap::codec {

failure check_szip(const szip_parameters& with, std::uint64_t out) noexcept {
  if (with.sample_size == 0) return bad_combination();
  if (with.rsi == 0 || with.rsi > szip_max_rsi) return bad_parameter(with.rsi, "szip_rsi");
  const std::uint64_t size = with.block_size;
  const bool standard = size == 8 || size == 16 || size == 32 || size == 64;
  const bool allowed = (with.flags & szip_not_enforce) && size > 0 && size % 2 == 0;
  const std::uint64_t interval = size * with.rsi;
  if (!(standard || allowed) || interval > szip_max_interval) return bad_parameter(size, "szip_block_size");
  if ((with.flags & szip_restricted) && with.bits > 4) return bad_parameter(with.flags, "szip_flags");
  if (out % with.sample_size != 0) return bad_combination();
  return {};
}

}  // namespace tgmap::codec
