// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <tgmap/zio/label.hpp>
#include <utility>
#include <vector>

#include "zio/item_builder.hpp"
#include "zio/label_events.hpp"
#include "zio/label_text.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

class whole_label : public label_events<whole_label> {
 public:
  void nothing() { items_.value({}); }
  void truth(bool given) { items_.value(given); }
  void integer(std::int64_t number) { items_.value(number); }
  void natural(std::uint64_t number) { items_.value(number); }
  void floating(double number) { items_.value(number); }
  void text(const std::string& given) { items_.value(given); }
  void begin(bool map) { items_.begin(map); }
  void named(const std::string& key) { items_.key(key); }
  void end() { items_.end(); }
  cbor_value take() noexcept { return items_.take(); }

 private:
  item_builder items_;
};

[[noreturn]] void not_json() { detail::raise({.code = errc::bad_label}); }

/// Nothing in it has to be escaped.
bool plain(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
}

void append_array(std::string& out, const cbor_view& array) {
  out += '[';
  bool first = true;
  array.visit([&](std::uint64_t, cbor_view one) {
    if (!std::exchange(first, false)) out += ',';
    append_json(out, one);
    return true;
  });
  out += ']';
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  if (plain(text)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += nlohmann::json(text).dump();
  }
}

void append_object(std::string& out, const cbor_view& map, const std::function<void(const cbor_view&)>& append_one) {
  std::vector<std::pair<std::string_view, cbor_view>> pairs;
  pairs.reserve(map.size());
  map.visit([&](const cbor_view& key, const cbor_view& one) {
    const auto text = key.get<std::string_view>();
    if (!text) not_json();
    pairs.emplace_back(*text, one);
    return true;
  });
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  out += '{';
  bool first = true;
  for (const auto& [key, one] : pairs) {
    if (!std::exchange(first, false)) out += ',';
    append_quoted(out, key);
    out += ':';
    append_one(one);
  }
  out += '}';
}

void append_json(std::string& out, const cbor_view& one) {
  switch (one.kind()) {
    case cbor_kind::null: out += "null"; return;
    case cbor_kind::boolean: out += one.as<bool>() ? "true" : "false"; return;
    case cbor_kind::integer:
      if (const auto natural = one.get<std::uint64_t>()) return append_number(out, *natural);
      if (const auto number = one.get<std::int64_t>()) return append_number(out, *number);
      not_json();
    case cbor_kind::floating: out += nlohmann::json(one.as<double>()).dump(); return;
    case cbor_kind::text: return append_quoted(out, one.as<std::string_view>());
    case cbor_kind::array: return append_array(out, one);
    case cbor_kind::map: return append_object(out, one, [&](const cbor_view& each) { append_json(out, each); });
    case cbor_kind::bytes:
    case cbor_kind::tag: not_json();
  }
}

cbor_value read_label(std::string_view text, failure& why) noexcept try {
  whole_label label;
  why = label.read(text);
  return why ? cbor_value() : label.take();
} catch (const error& e) {
  why = e.details();
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

cbor_value read_label(std::string_view text) {
  failure why;
  cbor_value out = read_label(text, why);
  detail::raise_if(why);
  return out;
}

std::string write_label(const cbor_value& given, failure& why) noexcept try {
  why = {};
  std::string out;
  append_json(out, given.view());
  return out;
} catch (const error& e) {
  why = e.details();
  return {};
} catch (const nlohmann::json::exception&) {
  why = {.code = errc::bad_label};
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

std::string write_label(const cbor_value& given) {
  failure why;
  std::string out = write_label(given, why);
  detail::raise_if(why);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
