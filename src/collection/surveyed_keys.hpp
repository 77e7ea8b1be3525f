// SPDX-License-Identifier: Apache-2.0
// The keys of messages that are worth showing, and their order.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tgmap/metadata.hpp>

namespace tgmap::archives {

/// Returns true for keys that name fields, such as `mars.param`.
bool is_name_key(std::string_view path);
/// Returns true for keys that name fields, and for keys with dates, steps and levels.
bool is_usual_key(std::string_view path);
/// Returns the rank of a key: usual keys first, the most useful one with rank 0, then all others.
std::size_t rank_of_key(std::string_view path);

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

}  // namespace tgmap::archives
