// SPDX-License-Identifier: Apache-2.0
#include "zio/message/label_json.hpp"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/or_throw.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

failure read_json(std::string_view text, json_text::value_handler& to) {
  if (text.empty()) return {};
  const json_text::read_error why = json_text::read(text, to, max_label_depth);
  if (!why) return {};
  if (why.fault == json_text::read_fault::too_deep) return {.code = errc::label_too_deep, .expected = max_label_depth};
  return {.code = errc::bad_label, .found = why.position};
}

void put_float(label_writer& to, double number) { to.raw(nlohmann::json(number).dump()); }

void put_text(label_writer& to, std::string_view text) {
  if (!core::is_utf8(text)) throw_bad_label();
  to.string(text);
}

label_writer& put_key(label_writer& to, std::string_view name) {
  if (!core::is_utf8(name)) throw_bad_label();
  return to.key(name);
}

void put_numbers(label_writer& to, std::span<const std::uint64_t> numbers) {
  to.begin_array();
  for (const std::uint64_t each : numbers) to.integer(each);
  to.end_array();
}

void put_object(label_writer& to, const cbor_view& map, const std::function<void(const cbor_view&)>& put_member) {
  std::vector<std::pair<std::string_view, cbor_view>> pairs;
  pairs.reserve(map.size());
  map.visit([&](const cbor_view& key, const cbor_view& value) {
    const auto text = key.get<std::string_view>();
    if (!text) throw_bad_label();
    pairs.emplace_back(*text, value);
    return true;
  });
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  to.begin_object();
  for (const auto& [key, value] : pairs) {
    put_key(to, key);
    put_member(value);
  }
  to.end_object();
}

void put_value(label_writer& to, const cbor_view& value) {
  switch (value.kind()) {
    case cbor_kind::null: return to.null();
    case cbor_kind::boolean: return to.boolean(value.as<bool>());
    case cbor_kind::integer:
      if (const auto natural = value.get<std::uint64_t>()) return to.integer(*natural);
      if (const auto number = value.get<std::int64_t>()) return to.integer(*number);
      throw_bad_label();
    case cbor_kind::floating: return put_float(to, value.as<double>());
    case cbor_kind::text: return put_text(to, value.as<std::string_view>());
    case cbor_kind::array:
      to.begin_array();
      value.visit([&](std::uint64_t, const cbor_view& each) { return put_value(to, each), true; });
      return to.end_array();
    case cbor_kind::map: return put_object(to, value, [&](const cbor_view& member) { put_value(to, member); });
    case cbor_kind::bytes:
    case cbor_kind::tag: throw_bad_label();
  }
}

cbor_value read_label(std::string_view label, failure& why) noexcept try {
  json_text::value_builder out;
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
  return core::or_throw([&](failure& why) { return read_label(label, why); });
}

std::string write_label(const cbor_value& value, failure& why) noexcept try {
  why = {};
  return json_of([&](label_writer& to) { put_value(to, value.view()); });
} catch (const error& e) {
  why = e.details();
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

std::string write_label(const cbor_value& value) {
  return core::or_throw([&](failure& why) { return write_label(value, why); });
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
