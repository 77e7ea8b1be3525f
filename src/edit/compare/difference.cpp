// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tools/compare.hpp>

namespace tgmap {
inline namespace v0 {

std::string_view to_string_view(difference_kind kind) noexcept {
  switch (kind) {
    case difference_kind::only_left: return "only_left";
    case difference_kind::only_right: return "only_right";
    case difference_kind::objects: return "objects";
    case difference_kind::metadata: return "metadata";
    case difference_kind::dtype: return "dtype";
    case difference_kind::shape: return "shape";
    case difference_kind::values: break;
  }
  return "values";
}

std::string key_path::text() const {
  std::vector<const std::string*> names;
  for (const key_path* each = this; each != nullptr; each = each->parent.get()) names.push_back(&each->name);
  std::string out;
  for (auto each = names.rbegin(); each != names.rend(); ++each) {
    if (each != names.rbegin()) out += '.';
    out += **each;
  }
  return out;
}

}  // namespace v0
}  // namespace tgmap
