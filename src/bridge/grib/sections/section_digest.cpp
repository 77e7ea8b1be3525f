// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/sections/section_digest.hpp"

#include <xxhash.h>

namespace tgmap::bridge::grib {

namespace {

// The digest of the digests of some sections, so that none can end where another begins.
class section_hash {
 public:
  void add(byte_view section) noexcept {
    const XXH128_hash_t hash = XXH3_128bits(section.data(), section.size());
    digests_[count_++] = {hash.high64, hash.low64};
  }

  section_digest finish(unsigned edition) const noexcept {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(digests_.data(), count_ * sizeof digests_[0], edition);
    return {hash.high64, hash.low64};
  }

 private:
  std::array<section_digest, 5> digests_{};
  std::size_t count_ = 0;
};

}  // namespace

section_digest digest_of_keys(const field& from) noexcept {
  section_hash hash;
  if (from.edition == 2) hash.add(from.sections[0].subspan(6, 1));  // the discipline
  const std::size_t last = from.edition == 2 ? 4 : 2;
  for (std::size_t number = 1; number <= last; ++number) hash.add(from.sections[number]);
  return hash.finish(from.edition);
}

section_digest digest_of_grid(const field& from) noexcept {
  section_hash hash;
  if (from.edition == 2)
    hash.add(from.sections[3]);
  else if (!from.sections[2].empty())
    hash.add(from.sections[2]);
  else
    hash.add(from.sections[1].subspan(6, 1));  // the number of a predefined grid
  return hash.finish(from.edition);
}

}  // namespace tgmap::bridge::grib
