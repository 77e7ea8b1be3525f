// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgmap/message.hpp>
#include <vector>

namespace tgmap::archives {

/// Maximum number of objects of a message whose keys are read.
inline constexpr std::size_t max_objects_of_keys = 16;

/// Returns the value of each key in a message: the different values of its objects, joined by ", ". Empty if there is
/// none. The texts are cut and safe to print. Complexity: one pass over the metadata of the objects.
std::vector<std::string> values_of_objects(const message&, const std::vector<std::string>& paths);

/// The first array of a message, and whether the others are alike.
struct message_arrays {
  tgmap::dtype dtype;
  std::vector<std::uint64_t> shape;
  bool dtypes_differ = false, shapes_differ = false;  ///< true also if some objects were not read
};

/// Returns the arrays of a message, as far as their descriptors can be read; nothing if there is none. Reads the
/// descriptors of `max_objects_of_keys` objects.
std::optional<message_arrays> arrays_of(const message&);

/// Finds the keys whose values differ between messages.
class varying_keys {
 public:
  /// Adds the keys of a message. Keys that cannot be read are left out. Does nothing once the messages had too much
  /// metadata, which bounds time and memory.
  void add(const message&);

  /// Returns the keys that differ, best first: names, then dates, steps and levels, then others. A key that divides the
  /// messages like an earlier one comes last. If no key differs, returns the names, dates, steps and levels. Returns at
  /// most `count` keys, and after the first one no more than fit into `width` columns of a screen, with two blanks
  /// each.
  std::vector<std::string> best(std::size_t width, std::size_t count) const;

 private:
  /// A message that has a key, and the number of its value.
  struct occurrence {
    std::uint32_t message, value;
    auto operator<=>(const occurrence&) const = default;
  };

  /// A key and the width of its column.
  struct key {
    std::string path;
    std::size_t width;
  };

  std::vector<key> ranked() const;

  /// The values of a key. Its memory is in proportion to the messages that have the key, because a forged archive can
  /// have millions of keys that occur once.
  struct key_values {
    std::map<std::string, std::uint32_t> numbers{};  ///< of each value, in order of appearance
    std::vector<occurrence> occurrences{};
    std::size_t width = 0;
  };

  std::map<std::string, key_values> keys_{};
  std::uint32_t messages_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tgmap::archives
