// SPDX-License-Identifier: Apache-2.0
// Reading keys.
#include <algorithm>
#include <charconv>
#include <new>
#include <tgmap/query/metadata_key.hpp>

#include "select/property_names.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// "shape[0]" taken apart.
struct fact_text {
  std::string_view name;
  std::optional<std::uint64_t> element;
  bool well_formed = true;
};

fact_text take_apart(std::string_view text) noexcept {
  const std::size_t bracket = text.find('[');
  if (bracket == text.npos) return {text, std::nullopt};
  fact_text out{text.substr(0, bracket), 0};
  const char* const end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data() + bracket + 1, end, *out.element);
  out.well_formed = code == std::errc{} && end - at == 1 && *at == ']';
  return out;
}

/// The fact that `text` names, with its element; nothing when it names none.
const detail::property_name* fact_of(const fact_text& text) noexcept {
  const auto found = std::find_if(detail::property_names.begin(), detail::property_names.end(),
                                  [&](const detail::property_name& f) { return f.name == text.name; });
  if (!text.well_formed || found == detail::property_names.end()) return nullptr;
  const bool listed = found->what == detail::property::shape || found->what == detail::property::strides;
  return text.element && !listed ? nullptr : &*found;
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

  const bool wants_fact = text.front() == '@';
  const fact_text parts = take_apart(text.substr(wants_fact ? 1 : 0));
  const detail::property_name* const named = fact_of(parts);
  if (named != nullptr && (wants_fact || named->plain)) {
    out.fact_ = named->what;
    out.element_ = parts.element;
  }
  if (wants_fact) {
    if (named == nullptr) why = {.code = errc::bad_key};
    out.place_ = place::fact_alone;
    return why ? metadata_key() : out;
  }

  out.place_ = place::anywhere;
  const std::string_view first = text.substr(0, text.find_first_of(".["));
  if (first == "extra" || first == "_extra_") {
    // Without a key behind it, neither names anything.
    out.place_ = text.substr(first.size()).starts_with('.') ? place::extra : place::nowhere;
    out.path_at_ = std::min(first.size() + 1, text.size());
  }
  out.reserved_ = first == "_reserved_";
  return out;
}

}  // namespace v0
}  // namespace tgmap
