// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "core/text/edit_distance.hpp"
#include "select/facts.hpp"

namespace tgmap {

inline namespace v0 {

namespace {

constexpr std::size_t most_keys = 2000;   // compared with what was asked for
constexpr std::size_t longest_path = 60;  // nobody types more

/// Adds the paths of all items of a map that are maps or values.
void add_paths(const cbor_view& item, const std::string& path, unsigned depth, std::set<std::string>& to) {
  if (to.size() >= most_keys) return;
  to.insert(path);
  if (depth == 0) return;
  item.visit([&](const cbor_view& name, const cbor_view& inner) {
    const auto text = name.get<std::string_view>();
    if (text && path.size() + 1 + text->size() <= longest_path)
      add_paths(inner, path + "." + std::string(*text), depth - 1, to);
    return to.size() < most_keys;
  });
}

void add_paths(const metadata& from, std::set<std::string>& to) {
  constexpr unsigned max_typed_depth = 16;  // what people type
  for (const auto& [name, item] : from.entries())
    if (name != "_reserved_" && name.size() <= longest_path) add_paths(item, name, max_typed_depth, to);
}

/// Returns true if two keys at that distance may be mistaken for one another.
bool is_near(std::size_t distance, std::string_view wanted) noexcept {
  return wanted.size() > 2 && distance <= std::max<std::size_t>(1, wanted.size() / 4);
}

/// The part behind the last dot: where only the map before it was left out or mistaken, that is what was meant.
std::string_view leaf(std::string_view path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

std::string key_lookup::nearest_key(std::string_view wanted) {
  std::set<std::string> known;
  for (const detail::fact_name& f : detail::fact_names) known.insert((f.plain ? "" : "@") + std::string(f.name));
  failure why;
  if (message_.version() != 1) {
    if (one_object_ && load_own(why)) add_paths(*own_, known);
    if (load_message(why)) {
      if (!one_object_) add_paths(keys_->first_object_metadata, known);
      add_paths(keys_->message_metadata, known);
    }
  }

  std::string best;
  std::size_t least = wanted.size() + 1;
  for (const std::string& name : known) {
    std::size_t distance = core::edit_distance(wanted, name);
    if (leaf(wanted) == leaf(name)) distance = std::min<std::size_t>(distance, 1);
    if (name == wanted || distance >= least || !is_near(distance, wanted)) continue;
    least = distance;
    best = name;
  }
  return best;
}

}  // namespace v0
}  // namespace tgmap
