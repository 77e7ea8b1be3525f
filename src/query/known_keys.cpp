// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/known_keys.hpp>

#include <algorithm>
#include <tgmap/object.hpp>
#include <utility>

#include "core/text/nearest_key.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

constexpr std::size_t objects_of_message = 16;
constexpr std::size_t max_key_names = 2000;
constexpr std::size_t max_name_size = 100;  // bytes
constexpr std::size_t max_key_items = 100'000;
constexpr int max_key_depth = 8;

}  // namespace

bool known_keys::is_full() const noexcept { return names_.size() >= max_key_names || items_ >= max_key_items; }

void known_keys::add(const message& m) {
  if (is_full() || m.version() == 1) return;
  failure why;
  add(m.metadata(why));
  const std::size_t objects = std::min(m.size(why), objects_of_message);
  for (std::size_t j = 0; j < objects; ++j)
    if (const object o = m.at(j, why); !why) add(o.metadata(why));
}

void known_keys::add(const metadata& of) {
  for (const metadata::entry& each : of.entries()) {
    if (is_full()) return;
    if (!each.key.empty() && each.key.size() <= max_name_size && each.key != "_reserved_") add(each.key, each.value, 1);
  }
}

void known_keys::add(const std::string& path, const cbor_view& item, int depth) {
  ++items_;
  if (is_full()) return;
  if (item.kind() != cbor_kind::map || depth == max_key_depth) {
    names_.insert(path);
    return;
  }
  item.visit([&](const cbor_view& name, const cbor_view& inner) {
    const auto text = name.get<std::string_view>();
    if (text && path.size() + 1 + text->size() <= max_name_size)
      add(path + "." + std::string(*text), inner, depth + 1);
    else
      ++items_;
    return !is_full();
  });
}

std::string known_keys::nearest(std::string_view wanted) const {
  const std::string near = core::nearest_key(wanted, names_);
  return near.empty() ? key_lookup(message()).nearest_key(wanted) : near;
}

key_check::key_check(std::vector<metadata_key> keys) : missing_(std::move(keys)) {}

void key_check::visit(const message& m, key_lookup& in) {
  ++visited_;
  if (missing_.empty()) return;
  std::erase_if(missing_, [&](const metadata_key& each) {
    failure why;
    const bool found = static_cast<bool>(in.find(each, why));
    has_unreadable_keys_ = has_unreadable_keys_ || why;
    return found;
  });
  // The objects of a message are seen one after another, but its keys are collected once.
  if (missing_.empty() || visited_ > max_collected || m.offset() == last_) return;
  last_ = m.offset();
  known_.add(m);
}

void key_check::add_found(std::string_view key) {
  std::erase_if(missing_, [&](const metadata_key& each) { return each.text() == key; });
}

std::vector<metadata_key> key_check::missing() const {
  return visited_ == 0 || has_unreadable_keys_ ? std::vector<metadata_key>() : missing_;
}

}  // namespace v0
}  // namespace tgmap
