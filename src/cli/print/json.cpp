// SPDX-License-Identifier: Apache-2.0
#include "cli/print/json.hpp"

#include <cstdint>
#include <string_view>

#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

void put(json_text::writer<>& to, const json& value) {
  using type = json::value_t;
  switch (value.type()) {
    case type::object:
      to.begin_object();
      for (const auto& [name, each] : value.items()) put(to.key(name), each);
      return to.end_object();
    case type::array:
      to.begin_array();
      for (const json& each : value) put(to, each);
      return to.end_array();
    case type::string: return to.string(value.get_ref<const std::string&>());
    case type::boolean: return to.boolean(value.get<bool>());
    case type::number_integer: return to.integer(value.get<std::int64_t>());
    case type::number_unsigned: return to.integer(value.get<std::uint64_t>());
    case type::number_float: return to.floating(value.get<double>());
    default: return to.null();
  }
}

void put_name(json_text::writer<>& to, std::string_view name, std::string_view text) {
  to.key(name).string(text);
  if (!core::is_utf8(text)) to.key(std::string(name) + "_hex").string(core::hex_text(text));
}

std::string ascii_json(const json& value) {
  return json_of([&](auto& to) { put(to, value); });
}

std::string json_line(const json& value) {
  if (!value.is_object()) return ascii_json(value) + "\n";
  const auto write = [&](json_text::writer<>& to) {
    for (const auto& [name, each] : value.items()) {
      const auto* const text = each.get_ptr<const std::string*>();
      if (text != nullptr && (name == "file" || name == "index" || name == "output"))
        put_name(to, name, *text);
      else
        put(to.key(name), each);
    }
  };
  return json_object(write);
}

}  // namespace tgmap::cli
