// SPDX-License-Identifier: Apache-2.0
#include "json/cbor_text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/text/hex.hpp"

namespace tgmap::json_text {

namespace {

void append_json(std::string& out, const auto& write) {
  core::text_builder text(out);
  writer to(text, reference_style);
  write(to);
}

void append_float(std::string& out, double number) {
  if (std::isfinite(number))
    append_json(out, [&](auto& to) { to.floating(number); });
  else
    out += std::isnan(number) ? "NaN" : number > 0 ? "inf" : "-inf";
}

/// Appends a key that is not text in the notation of the reference's library. Complexity: linear in the size of the
/// key.
void append_debug(const cbor_view& item, unsigned depth, std::string& out) {
  if (depth > max_cbor_depth) {
    out += "...";
    return;
  }
  switch (item.kind()) {
    case cbor_kind::integer: out.append("Integer(Integer(").append(item.text()).append("))"); break;
    case cbor_kind::floating:
      out += "Float(";
      append_float(out, item.get<double>().value_or(0));
      out += ')';
      break;
    case cbor_kind::boolean: out.append("Bool(").append(item.text()).append(")"); break;
    case cbor_kind::null: out += "Null"; break;
    case cbor_kind::text:
      out += "Text(";
      append_json(out, [&](auto& to) { to.string(item.text()); });
      out += ')';
      break;
    case cbor_kind::bytes:
      out += "Bytes([";
      for (const char each : item.text()) {
        if (out.back() != '[') out += ", ";
        out += std::to_string(static_cast<unsigned>(static_cast<unsigned char>(each)));
      }
      out += "])";
      break;
    case cbor_kind::tag:
      out.append("Tag(").append(std::to_string(item.tag().value_or(0))).append(", ");
      append_debug(item.untagged(), depth + 1, out);
      out += ')';
      break;
    case cbor_kind::array:
      out += "Array([";
      item.visit([&](std::uint64_t i, const cbor_view& each) {
        if (i != 0) out += ", ";
        append_debug(each, depth + 1, out);
        return true;
      });
      out += "])";
      break;
    case cbor_kind::map:
      out += "Map([";
      item.visit([&, first = true](const cbor_view& key, const cbor_view& each) mutable {
        out += std::exchange(first, false) ? "(" : ", (";
        append_debug(key, depth + 1, out);
        out += ", ";
        append_debug(each, depth + 1, out);
        out += ')';
        return true;
      });
      out += "])";
      break;
  }
}

struct member {
  std::string name;
  cbor_view value;
};

bool put_map(writer<>& to, const cbor_view& map, memory_limit& keys, unsigned depth) {
  const std::uint64_t count = map.size();
  std::uint64_t used = count < UINT64_MAX / sizeof(member) ? count * sizeof(member) : UINT64_MAX;
  if (!keys.take(used)) return false;
  std::vector<member> all;
  all.reserve(static_cast<std::size_t>(count));
  bool fits = true;
  map.visit([&](const cbor_view& key, const cbor_view& value) {
    all.push_back({key_name(key, depth + 1), value});
    const std::size_t own = all.back().name.capacity();
    if (own <= std::string().capacity()) return true;
    used += own;
    return fits = keys.take(own);
  });
  if (!fits) return false;
  std::ranges::stable_sort(all, {}, &member::name);
  to.begin_object();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 < all.size() && all[i + 1].name == all[i].name) continue;
    if (!put_cbor(to.key(all[i].name), all[i].value, keys, depth + 1)) return false;
  }
  to.end_object();
  keys.release(used);
  return true;
}

}  // namespace

bool put_cbor(writer<>& to, const cbor_view& item, memory_limit& keys, unsigned depth) {
  if (depth > max_cbor_depth) {
    to.string("...");
  } else if (!put_scalar(to, item)) {
    switch (item.kind()) {
      case cbor_kind::integer: to.string(item.text()); break;
      case cbor_kind::bytes: to.string(core::hex_text(item.text())); break;
      case cbor_kind::tag: return put_cbor(to, item.untagged(), keys, depth + 1);
      case cbor_kind::array: {
        to.begin_array();
        bool goes_on = true;
        item.visit([&](std::uint64_t, const cbor_view& each) { return goes_on = put_cbor(to, each, keys, depth + 1); });
        if (!goes_on) return false;
        to.end_array();
        break;
      }
      case cbor_kind::map: return put_map(to, item, keys, depth);
      default: to.null();
    }
  }
  return !to.is_stopped();
}

std::string key_name(const cbor_view& key, unsigned depth) {
  if (key.kind() == cbor_kind::text) return key.text();
  std::string out;
  append_debug(key, depth, out);
  return out;
}

}  // namespace tgmap::json_text
