// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <support/bytes.hpp>
#include <support/hash.hpp>
#include <support/json.hpp>

namespace tgmap_test {

namespace {

using nlohmann::json;
using tgmap::cbor_kind;

json number(double d) {
  if (std::isnan(d)) return {{"$float", "nan"}};
  if (std::isinf(d)) return {{"$float", d > 0 ? "inf" : "-inf"}};
  return d;
}

json whole_number(const tgmap::cbor_view& v) {
  if (const auto i = v.get<std::int64_t>()) return *i;
  if (const auto u = v.get<std::uint64_t>()) return *u;
  return v.get<double>().value();  // below int64: JSON readers make a double of it
}

/// A byte string, also one in pieces.
bytes all_bytes(const tgmap::cbor_view& v) { return v.text(); }

/// Formats it as Rust's {:?} does, which the reference uses.
std::string debug_text(const tgmap::cbor_view& v) {
  switch (v.kind()) {
    case cbor_kind::text: return "Text(" + json(v.text()).dump() + ")";
    case cbor_kind::integer: return "Integer(Integer(" + v.text() + "))";
    case cbor_kind::bytes: {
      std::string list;
      for (const unsigned char c : all_bytes(v)) list += (list.empty() ? "" : ", ") + std::to_string(c);
      return "Bytes([" + list + "])";
    }
    default: return "?";
  }
}

json of_map(const tgmap::cbor_view& v) {
  json plain = json::object(), pairs = json::array();
  bool all_text = true;
  const bool whole = v.visit([&](const tgmap::cbor_view& key, const tgmap::cbor_view& item) {
    json shown = to_json(item);
    if (key.kind() == cbor_kind::text)
      plain[key.text()] = shown;
    else
      all_text = false;
    pairs.push_back(json::array({to_json(key), std::move(shown)}));
    return true;
  });
  if (!whole) return {{"$malformed", "map"}};
  if (all_text) return plain;
  return {{"$map", pairs}};
}

json of_array(const tgmap::cbor_view& v) {
  json items = json::array();
  const bool whole = v.visit([&](std::uint64_t, const tgmap::cbor_view& item) {
    items.push_back(to_json(item));
    return true;
  });
  if (!whole) return {{"$malformed", "array"}};
  return items;
}

}  // namespace

json to_json(const tgmap::cbor_view& v) {
  switch (v.kind()) {
    case cbor_kind::null: return nullptr;
    case cbor_kind::boolean: return v.as<bool>();
    case cbor_kind::integer: return whole_number(v);
    case cbor_kind::floating: return number(v.as<double>());
    case cbor_kind::text: return v.text();
    case cbor_kind::bytes: return {{"$bytes", hex(all_bytes(v))}};
    case cbor_kind::array: return of_array(v);
    case cbor_kind::map: return of_map(v);
    case cbor_kind::tag: return "Tag(" + std::to_string(v.tag().value()) + ", " + debug_text(v.untagged()) + ")";
  }
  return {{"$malformed", "kind"}};
}

json to_json(const tgmap::metadata& m) {
  json out = json::object();
  for (const auto& entry : m.entries()) out[entry.key] = to_json(entry.value);
  return out;
}

std::string canonical(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace tgmap_test
