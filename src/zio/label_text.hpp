// SPDX-License-Identifier: Apache-2.0
// JSON as ZIO's own writer spells it, put behind a text.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

inline void append_number(std::string& out, std::integral auto number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

/// Text in quotes; must be UTF-8. Throws nlohmann::json::exception when it is not.
void append_quoted(std::string& out, std::string_view text);

/// The map's pairs sorted by key, the items as the call writes them. Throws error (bad_label) for a key that is no
/// text.
void append_object(std::string& out, const cbor_view& map, const std::function<void(const cbor_view&)>& append_one);

/// Any item. O(n log n) in its bytes. Throws error (bad_label) for what JSON does not have.
void append_json(std::string& out, const cbor_view&);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
