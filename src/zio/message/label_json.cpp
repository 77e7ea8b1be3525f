// SPDX-License-Identifier: Apache-2.0
#include "zio/message/label_json.hpp"
#include "zio/or_throw.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>

#if defined(TGMAP_SIMDJSON)
#include <simdjson.h>
#endif

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// Passes the events of nlohmann-json, the parser that ZIO itself uses, to a handler.
class nlohmann_events {
 public:
  explicit nlohmann_events(json_handler& to) noexcept : to_(to) {}
  const failure& why() const noexcept { return why_; }

  bool null() { return to_.null(), true; }
  bool boolean(bool value) { return to_.boolean(value), true; }
  bool number_integer(std::int64_t number) {  // also -0
    return number < 0 ? to_.signed_integer(number) : to_.unsigned_integer(0), true;
  }
  bool number_unsigned(std::uint64_t number) { return to_.unsigned_integer(number), true; }
  bool number_float(double number, const std::string&) { return to_.floating(number), true; }
  bool string(const std::string& value) { return to_.text(value), true; }
  bool binary(const std::vector<std::uint8_t>&) { return false; }  // JSON has no byte strings
  bool start_object(std::size_t) { return begin(true); }
  bool start_array(std::size_t) { return begin(false); }
  bool key(const std::string& name) { return to_.key(name), true; }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool parse_error(std::size_t position, const std::string&, const std::exception&) {
    why_ = {.code = errc::bad_label, .found = position};
    return false;
  }

 private:
  bool begin(bool is_object) {
    if (++depth_ > max_label_depth) {
      why_ = {.code = errc::label_too_deep, .expected = max_label_depth};
      return false;
    }
    return to_.begin(is_object), true;
  }
  bool end() {
    --depth_;
    return to_.end(), true;
  }

  json_handler& to_;
  failure why_{};
  std::size_t depth_ = 0;
};

#if defined(TGMAP_SIMDJSON)

// Fast path for usual labels. Bar: zio/label_decode, 1000 ns. nlohmann-json takes 1.2 µs, simdjson 0.4 µs (factor 3).
// tests/zio/message/label_json_test.cpp and the fuzz target zio_label prove that both read the same.

/// Passes a value to a handler. Returns false if it is nested too deep.
class simdjson_visitor {
 public:
  explicit simdjson_visitor(json_handler& to) noexcept : to_(to) {}

  bool visit(const simdjson::dom::element& value) {
    using type = simdjson::dom::element_type;
    switch (value.type()) {
      case type::OBJECT: return visit(value.get_object().value_unsafe());
      case type::ARRAY: return visit(value.get_array().value_unsafe());
      case type::STRING: return to_.text(value.get_string().value_unsafe()), true;
      case type::INT64: {
        const std::int64_t number = value.get_int64().value_unsafe();
        return number < 0 ? to_.signed_integer(number) : to_.unsigned_integer(static_cast<std::uint64_t>(number)), true;
      }
      case type::UINT64: return to_.unsigned_integer(value.get_uint64().value_unsafe()), true;
      case type::DOUBLE: return to_.floating(value.get_double().value_unsafe()), true;
      case type::BOOL: return to_.boolean(value.get_bool().value_unsafe()), true;
      case type::NULL_VALUE: return to_.null(), true;
    }
    return false;
  }

 private:
  bool visit(const simdjson::dom::object& object) {
    if (!begin(true)) return false;
    for (const auto& [key, member] : object) {
      to_.key(key);
      if (!visit(member)) return false;
    }
    return end();
  }
  bool visit(const simdjson::dom::array& array) {
    if (!begin(false)) return false;
    for (const simdjson::dom::element member : array)
      if (!visit(member)) return false;
    return end();
  }
  bool begin(bool is_object) {
    if (++depth_ > max_label_depth) return false;
    return to_.begin(is_object), true;
  }
  bool end() {
    --depth_;
    return to_.end(), true;
  }

  json_handler& to_;
  std::size_t depth_ = 0;
};

/// Returns nothing, without an event, for a text that simdjson refuses or may read in another way than nlohmann-json.
std::optional<failure> read_with_simdjson(std::string_view text, json_handler& to) {
  // simdjson accepts unpaired surrogates in escapes. A large text would make its memory large for good.
  constexpr std::size_t max_bytes = 1 << 20;
  if (text.size() > max_bytes || text.find('\\') != text.npos) return std::nullopt;
  thread_local simdjson::dom::parser parser(max_bytes);
  if (parser.max_depth() != max_label_depth + 1 && parser.allocate(4096, max_label_depth + 1)) return std::nullopt;
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root)) return std::nullopt;
  if (simdjson_visitor(to).visit(root)) return failure{};
  return failure{.code = errc::label_too_deep, .expected = max_label_depth};
}

#endif

bool needs_escapes(std::string_view text) noexcept {
  return std::any_of(text.begin(), text.end(), [](char c) { return c < ' ' || c == '\x7f' || c == '"' || c == '\\'; });
}

void append_array(std::string& out, const cbor_view& array) {
  out += '[';
  bool first = true;
  array.visit([&](std::uint64_t, cbor_view value) {
    if (!std::exchange(first, false)) out += ',';
    append_json(out, value);
    return true;
  });
  out += ']';
}

}  // namespace

failure read_json(std::string_view text, json_handler& to) {
  if (text.empty()) return {};
#if defined(TGMAP_SIMDJSON)
  if (const auto result = read_with_simdjson(text, to)) return *result;
#endif
  nlohmann_events events(to);
  if (nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &events)) return {};
  return events.why() ? events.why() : failure{.code = errc::bad_label};
}

void cbor_builder::add(cbor_value value) {
  if (open_.empty())
    value_ = std::move(value);
  else
    open_.back().members.emplace_back(open_.back().key, std::move(value));
}

void cbor_builder::end() {
  container last = std::move(open_.back());
  open_.pop_back();
  if (last.is_object) {
    std::vector<cbor_value::pair> pairs;
    pairs.reserve(last.members.size());
    for (auto& [key, value] : last.members) pairs.emplace_back(key, std::move(value));
    add(cbor_value::map(pairs));
  } else {
    std::vector<cbor_value> values;
    values.reserve(last.members.size());
    for (auto& member : last.members) values.push_back(std::move(member.second));
    add(cbor_value::array(values));
  }
}

void append_quoted(std::string& out, std::string_view text) {
  if (needs_escapes(text)) {
    out += nlohmann::json(text).dump();
  } else {
    out += '"';
    out += text;
    out += '"';
  }
}

void append_object(std::string& out, const cbor_view& map, const std::function<void(const cbor_view&)>& append_member) {
  std::vector<std::pair<std::string_view, cbor_view>> pairs;
  pairs.reserve(map.size());
  map.visit([&](const cbor_view& key, const cbor_view& value) {
    const auto text = key.get<std::string_view>();
    if (!text) throw_bad_label();
    pairs.emplace_back(*text, value);
    return true;
  });
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  out += '{';
  bool first = true;
  for (const auto& [key, value] : pairs) {
    if (!std::exchange(first, false)) out += ',';
    append_quoted(out, key);
    out += ':';
    append_member(value);
  }
  out += '}';
}

void append_json(std::string& out, const cbor_view& value) {
  switch (value.kind()) {
    case cbor_kind::null: out += "null"; return;
    case cbor_kind::boolean: out += value.as<bool>() ? "true" : "false"; return;
    case cbor_kind::integer:
      if (const auto natural = value.get<std::uint64_t>()) return append_number(out, *natural);
      if (const auto number = value.get<std::int64_t>()) return append_number(out, *number);
      throw_bad_label();
    case cbor_kind::floating: out += nlohmann::json(value.as<double>()).dump(); return;
    case cbor_kind::text: return append_quoted(out, value.as<std::string_view>());
    case cbor_kind::array: return append_array(out, value);
    case cbor_kind::map: return append_object(out, value, [&](const cbor_view& member) { append_json(out, member); });
    case cbor_kind::bytes:
    case cbor_kind::tag: throw_bad_label();
  }
}

cbor_value read_label(std::string_view label, failure& why) noexcept try {
  cbor_builder out;
  why = read_json(label, out);
  return why ? cbor_value() : out.take();
} catch (const error& e) {
  why = e.details();
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

cbor_value read_label(std::string_view label) {
  return or_throw([&](failure& why) { return read_label(label, why); });
}

std::string write_label(const cbor_value& value, failure& why) noexcept try {
  why = {};
  std::string out;
  append_json(out, value.view());
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

std::string write_label(const cbor_value& value) {
  return or_throw([&](failure& why) { return write_label(value, why); });
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
