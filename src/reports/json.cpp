// SPDX-License-Identifier: Apache-2.0
#include "reports/json.hpp"

#include <cstdint>
#include <string_view>

namespace tgmap::reports {

namespace {

/// Returns the name of an error code for programs; "io" for system errors.
std::string code_of(const failure& why) {
  return why.code.category() == category() ? std::string(to_string_view(static_cast<errc>(why.code.value()))) : "io";
}

json damaged_range(std::uint64_t begin, std::uint64_t end, const failure& reason) {
  return {{"begin", begin}, {"end", end}, {"code", code_of(reason)}, {"cause", reason.text()}};
}

}  // namespace

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

std::string ascii_json(const json& value) {
  return json_of([&](auto& to) { put(to, value); });
}

std::string json_line(const json& value) {
  if (!value.is_object()) return ascii_json(value) + "\n";
  const auto write = [&](json_text::writer<>& to) {
    to.begin_object();
    for (const auto& [name, each] : value.items()) {
      const auto* const text = each.get_ptr<const std::string*>();
      if (text != nullptr && (name == "file" || name == "index" || name == "output"))
        put_name(to, name, *text);
      else
        put(to.key(name), each);
    }
    to.end_object();
  };
  return json_of(write) + "\n";
}

json to_json(const gap& g) { return damaged_range(g.begin, g.end, g.cause); }

json to_json(const std::optional<incomplete_tail>& t) { return t ? damaged_range(t->begin, t->end, t->cause) : json(); }

}  // namespace tgmap::reports
