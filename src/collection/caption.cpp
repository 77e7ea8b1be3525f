// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/tools/caption.hpp>

#include "core/text/escape.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

constexpr std::size_t max_text_bytes = 120;  // of one text

/// Returns the text of the first of these keys that has one.
std::string first_text(const metadata& keys, std::initializer_list<std::string_view> paths) {
  for (const std::string_view path : paths) {
    const auto found = keys.find(path);
    if (!found || found->kind() == cbor_kind::map || found->kind() == cbor_kind::array ||
        found->kind() == cbor_kind::null)
      continue;
    std::string text = found->text();
    if (!text.empty()) return text;
  }
  return {};
}

std::string short_text(std::string text) {
  if (text.size() > max_text_bytes) text = text.substr(0, core::code_point_begin(text, max_text_bytes)) + "…";
  return core::escaped(text);
}

struct caption_fact {
  std::string_view label;
  std::string_view in_mars, alone;
};
constexpr std::array caption_facts{caption_fact{"date", "mars.date", "date"}, caption_fact{"time", "mars.time", "time"},
                                   caption_fact{"step", "mars.step", "step"},
                                   caption_fact{"level", "mars.levelist", "levelist"},
                                   caption_fact{"number", "mars.number", "number"}};

}  // namespace

std::string caption::title(const std::string& otherwise) const {
  const std::string& first = name.empty() ? otherwise : name;
  return facts.empty() ? first : first + ", " + facts;
}

caption caption_of(const metadata& keys) {
  caption out;
  out.name_text = first_text(keys, {"long_name", "longName", "standard_name"});
  const std::string brief = first_text(keys, {"name", "mars.param", "param", "shortName"});
  out.name = short_text(out.name_text.empty() ? brief : out.name_text);
  if (out.name_text.empty())
    out.name_text = brief;
  else if (!brief.empty() && brief != out.name_text) {
    out.name += " (" + short_text(brief) + ")";
    out.name_text += " (" + brief + ")";
  }
  for (const caption_fact& f : caption_facts) {
    const std::string text = short_text(first_text(keys, {f.in_mars, f.alone}));
    if (!text.empty()) out.facts.append(out.facts.empty() ? "" : ", ").append(f.label).append(" ").append(text);
  }
  out.unit_text = first_text(keys, {"units", "unit"});
  out.unit = short_text(out.unit_text);
  return out;
}

caption caption_of(const object& of) {
  failure unreadable;
  const metadata keys = of.metadata(unreadable);
  return unreadable ? caption() : caption_of(keys);
}

}  // namespace v0
}  // namespace tgmap
