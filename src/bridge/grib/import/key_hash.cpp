// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/import/key_hash.hpp"

#include <xxhash.h>

namespace tgmap::bridge::grib {

std::array<std::byte, 8> hash_of_keys(const cbor_view& base, failure& why) noexcept {
  why = {};
  XXH64_hash_t hash = 0;
  for (const std::string_view name : {"grib", "mars", "name"}) {
    const auto found = base.find(name);
    if (!found) continue;
    const cbor_value canonical = cbor_value::copy(*found, why);
    if (why) return {};
    const auto bytes = canonical.encoded();
    // The hash of a key and what came before it is the seed of the next one, so that equal values of other keys differ.
    hash = XXH3_64bits_withSeed(bytes.data(), bytes.size(), XXH3_64bits_withSeed(name.data(), name.size(), hash));
  }
  std::array<std::byte, 8> out{};
  XXH64_canonical_t canonical;
  XXH64_canonicalFromHash(&canonical, hash);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(canonical.digest[i]);
  return out;
}

}  // namespace tgmap::bridge::grib
