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
  item take() noexcept { return items_.take(); }

 private:
  item_builder items_;
};

[[noreturn]] void not_json() { detail::raise({.code = errc::bad_label}); }

/// Nothing in it has to be escaped.
bool plain(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
}

void append_array(std::string& out, const value& array) {
  out += '[';
  bool first = true;
  array.visit([&](std::uint64_t, value one) {
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

void append_object(std::string& out, const value& map, const std::function<void(const value&)>& append_one) {
  std::vector<std::pair<std::string_view, value>> pairs;
  pairs.reserve(map.size());
  map.visit([&](const value& key, const value& one) {
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

void append_json(std::string& out, const value& one) {
  switch (one.type()) {
    case kind::null: out += "null"; return;
    case kind::boolean: out += one.as<bool>() ? "true" : "false"; return;
    case kind::integer:
      if (const auto natural = one.get<std::uint64_t>()) return append_number(out, *natural);
      if (const auto number = one.get<std::int64_t>()) return append_number(out, *number);
      not_json();
    case kind::floating: out += nlohmann::json(one.as<double>()).dump(); return;
    case kind::text: return append_quoted(out, one.as<std::string_view>());
    case kind::array: return append_array(out, one);
    case kind::map: return append_object(out, one, [&](const value& each) { append_json(out, each); });
    case kind::bytes:
    case kind::tag: not_json();
  }
}

item read_label(std::string_view text, failure& why) noexcept try {
  whole_label label;
  why = label.read(text);
  return why ? item() : label.take();
} catch (const error& e) {
  why = e.details();
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

item read_label(std::string_view text) {
  failure why;
  item out = read_label(text, why);
  detail::raise_if(why);
  return out;
}

std::string write_label(const item& given, failure& why) noexcept try {
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

std::string write_label(const item& given) {
  failure why;
  std::string out = write_label(given, why);
  detail::raise_if(why);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
