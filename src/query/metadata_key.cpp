// SPDX-License-Identifier: Apache-2.0
// Parsing of keys.
#include <algorithm>
#include <charconv>
#include <new>
#include <tgmap/query/metadata_key.hpp>

#include "archive/access.hpp"
#include "archive/property_names.hpp"
#include "core/text/split.hpp"
#include "core/text/trim.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// A property as written: "shape[0]".
struct property_text {
  std::string_view name;
  std::optional<std::uint64_t> element;
  bool is_well_formed = true;
};

property_text split_property(std::string_view text) noexcept {
  const std::size_t bracket = text.find('[');
  if (bracket == text.npos) return {text, std::nullopt};
  property_text out{text.substr(0, bracket), 0};
  const char* const end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data() + bracket + 1, end, *out.element);
  out.is_well_formed = code == std::errc{} && end - at == 1 && *at == ']';
  return out;
}

/// Returns the property with this name, or null. Only lists have elements.
const detail::property_name* find_property_name(const property_text& text) noexcept {
  const auto found = std::find_if(detail::property_names.begin(), detail::property_names.end(),
                                  [&](const detail::property_name& each) { return each.name == text.name; });
  if (!text.is_well_formed || found == detail::property_names.end()) return nullptr;
  const bool is_list = found->property == detail::property::shape || found->property == detail::property::strides;
  return text.element && !is_list ? nullptr : &*found;
}

}  // namespace

metadata_key::metadata_key(std::string_view text) {
  failure why;
  *this = parse(text, why);
  detail::raise_if(why);
}

metadata_key metadata_key::parse(std::string_view text, failure& why) noexcept {
  why = {};
  metadata_key out;
  try {
    out.text_ = text;
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory, .found = text.size()};
    return {};
  }
  if (text.empty()) return out;

  const bool has_at_sign = text.front() == '@';
  const property_text parts = split_property(text.substr(has_at_sign ? 1 : 0));
  const detail::property_name* const named = find_property_name(parts);
  if (named != nullptr && (has_at_sign || named->found_without_at)) {
    out.property_ = named->property;
    out.element_ = parts.element;
  }
  if (has_at_sign) {
    if (named == nullptr) why = {.code = errc::bad_key};
    out.scope_ = scope::property_only;
    return why ? metadata_key() : out;
  }

  out.scope_ = scope::any;
  const std::string_view first = text.substr(0, text.find_first_of(".["));
  if (first == "extra" || first == "_extra_") {
    // The prefix alone names nothing.
    out.scope_ = text.substr(first.size()).starts_with('.') ? scope::message_wide : scope::none;
    out.path_begin_ = std::min(first.size() + 1, text.size());
  }
  out.is_reserved_ = first == "_reserved_";
  return out;
}

std::vector<metadata_key> parse_keys(std::string_view list, failure& why) noexcept try {
  why = {};
  std::vector<metadata_key> out;
  for (const std::string_view each : core::split(list)) {
    const std::string_view name = core::trimmed(each);
    out.push_back(metadata_key::parse(name, why));
    if (!why) continue;
    if (why.code == make_error_code(errc::bad_key)) {
      why.expected = name.size();
      why.found = static_cast<std::size_t>(name.data() - list.data()) + 1;
    }
    return {};
  }
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

std::vector<metadata_key> parse_keys(std::string_view list) {
  return detail::or_throw([&](failure& why) { return parse_keys(list, why); });
}

}  // namespace v0
}  // namespace tgmap
