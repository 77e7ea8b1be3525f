// SPDX-License-Identifier: Apache-2.0
#include "constant/label_table.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tgmap {
inline namespace v0 {
namespace constant {

std::uint64_t hash_of(std::span<const std::string_view> labels, std::uint64_t seed) noexcept {
  for (const std::string_view each : labels) seed = XXH3_64bits_withSeed(each.data(), each.size(), seed);
  return seed;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
