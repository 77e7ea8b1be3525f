// SPDX-License-Identifier: Apache-2.0
#include "cpp/metadata/key_names.hpp"

#include <algorithm>

namespace tgmap_python {
namespace {

std::size_t hash_of(std::string_view key) {
  std::size_t out = key.size();
  for (const char each : key) out = out * 31 + static_cast<unsigned char>(each);
  return out ^ out >> 8;
}

}  // namespace

nb::object key_names::of(std::string_view key) {
  if (key.size() > sizeof(entry::key)) return text_of(key);
  const nb::ft_lock_guard lock(mutex_);
  entry& found = entries_[hash_of(key) % entries_.size()];
  if (!found.name.is_valid() || std::string_view(found.key.data(), found.size) != key) {
    found.name = text_of(key);
    found.size = static_cast<std::uint8_t>(key.size());
    std::copy(key.begin(), key.end(), found.key.begin());
  }
  return found.name;
}

}  // namespace tgmap_python
