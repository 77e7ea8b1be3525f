// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <vector>

namespace tgmap::cli {

/// Returns true for keys that name fields, such as `mars.param`.
bool is_name_key(std::string_view path);
/// Returns true for keys that name fields, and for keys with dates, steps and levels.
bool is_usual_key(std::string_view path);
/// Returns the rank of a key: usual keys first, the most useful one with rank 0, then all others.
std::size_t rank_of_key(std::string_view path);

/// Returns the text escaped for a terminal, and cut to a number of code points.
std::string shortened(std::string_view text, std::size_t max_code_points);

/// Maximum length of a path that `for_each_key` finds.
inline constexpr std::size_t max_key_size = 40;

/// Calls `take` with each path of at most `max_key_size` bytes below an item, and the item there. Paths that begin
/// with "_" are left out. Longer paths are never built, because one long key may have many keys below it.
template <class Take>
void for_each_key(const std::string& path, const cbor_view& item, const Take& take) {
  if (path.size() > max_key_size || path.starts_with("_")) return;
  cbor_view::cursor at;
  if (item.kind() != cbor_kind::map || item.size() == 0 || !item.first(at)) return take(path, item);
  while (cbor_view::next(at))
    if (const auto key = at.key.get<std::string_view>(); key && key->size() < max_key_size - path.size())
      for_each_key(path + '.' + std::string(*key), at.value, take);
}

/// The same for all keys of an object.
template <class Take>
void for_each_key(const metadata& keys, const Take& take) {
  for (const metadata::entry& each : keys.entries()) for_each_key(each.key, each.value, take);
}

/// Maximum number of objects of a message whose keys are read.
inline constexpr std::size_t max_objects_of_keys = 16;

/// Returns the value of each key in a message: the different values of its objects, joined by ", ". Empty if there is
/// none. The texts are cut and safe to print. Complexity: one pass over the metadata of the objects.
std::vector<std::string> values_of_objects(const message&, const std::vector<std::string>& paths);

/// Finds the keys whose values differ between messages.
class varying_keys {
 public:
  /// Adds the keys of a message. Keys that cannot be read are left out. Does nothing once the messages had too much
  /// metadata, which bounds time and memory.
  void add(const message&);

  /// A key and the width of its column.
  struct key {
    std::string path;
    std::size_t width;
  };

  /// Returns the keys that differ, best first: names, then dates, steps and levels, then others. A key that divides the
  /// messages like an earlier one comes last. If no key differs, returns the names, dates, steps and levels.
  std::vector<key> best() const;

 private:
  /// A message that has a key, and the number of its value.
  struct occurrence {
    std::uint32_t message, value;
    auto operator<=>(const occurrence&) const = default;
  };

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

}  // namespace tgmap::cli
