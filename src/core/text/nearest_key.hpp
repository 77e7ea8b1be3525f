// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/text/edit_distance.hpp"

namespace tgmap::core {

/// Returns the part after the last dot.
inline std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

/// Returns the key of `known` that is spelled most like `wanted`, for "did you mean". Empty if none is similar. If only
/// the maps before the last part differ, the distance is 1. Complexity: O(bytes of the keys), at most 60 for each.
template <class Keys>
std::string nearest_key(std::string_view wanted, const Keys& known) {
  if (wanted.size() < 3) return {};
  const std::size_t max_distance = std::max<std::size_t>(1, wanted.size() / 4);
  std::string_view best;
  std::size_t min_distance = max_distance + 1;
  for (const std::string& name : known) {
    std::size_t distance = edit_distance(wanted, name);
    if (last_part(wanted) == last_part(name)) distance = std::min<std::size_t>(distance, 1);
    if (name == wanted || distance >= min_distance) continue;
    min_distance = distance;
    best = name;
  }
  return std::string(best);
}

}  // namespace tgmap::core
