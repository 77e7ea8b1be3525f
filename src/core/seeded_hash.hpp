// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <xxhash.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace tgmap::core {

/// A `seeded_hash` hashes text and integers with a seed that is random in each process. `std::hash` is the same for
/// everybody, so that a file could hold keys that all collide, and make a table quadratic.
///
/// Containers whose keys come from a file use it: `text_map`, `text_set`, or with `seeded_hash` named. It is
/// transparent, so that a `std::string_view` finds a `std::string`.
struct seeded_hash {
  using is_transparent = void;

  std::size_t operator()(std::string_view text) const noexcept {
    return static_cast<std::size_t>(XXH3_64bits_withSeed(text.data(), text.size(), seed));
  }
  template <std::integral Number>
  std::size_t operator()(Number number) const noexcept {
    return static_cast<std::size_t>(XXH3_64bits_withSeed(&number, sizeof number, seed));
  }

 private:
  static inline const std::uint64_t seed = std::random_device{}() | std::uint64_t{std::random_device{}()} << 32;
};

/// Tables whose keys are text of a file. `Text`: std::string, or std::string_view if the text outlives the table.
template <class Value, class Text = std::string>
using text_map = std::unordered_map<Text, Value, seeded_hash, std::equal_to<>>;
template <class Text = std::string>
using text_set = std::unordered_set<Text, seeded_hash, std::equal_to<>>;

}  // namespace tgmap::core
