// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/metadata_key.hpp>

#include "select/print.hpp"

namespace tgmap {
inline namespace v0 {

void key_result::append_to(std::string& out) const {
  select::text_builder into(out);
  select::print(*this, into);
}

std::string key_result::text() const {
  std::string out;
  append_to(out);
  return out;
}

bool key_result::equals(std::string_view wanted) const {
  // Selections compare these most often.
  if (const auto* const item = std::get_if<cbor_view>(&held_))
    if (const auto text = item->get<std::string_view>()) return *text == wanted;
  if (!*this) return false;
  select::text_comparer comparer(wanted);
  select::print(*this, comparer);
  return comparer.same();
}

}  // namespace v0
}  // namespace tgmap
