// SPDX-License-Identifier: Apache-2.0
#include "collection/caption.hpp"

#include <array>
#include <initializer_list>
#include <string_view>

#include "core/text/escape.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::archives {

namespace {

constexpr std::size_t max_bytes = 120;  // of one text

/// Returns the text of the first of these keys that has one.
std::string text_of(const metadata& keys, std::initializer_list<std::string_view> paths) {
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

std::string shown(std::string text) {
  if (text.size() > max_bytes) text = text.substr(0, core::code_point_begin(text, max_bytes)) + "…";
  return core::escaped(text);
}

struct fact {
  std::string_view label;
  std::string_view in_mars, alone;
};
constexpr std::array facts{fact{"date", "mars.date", "date"}, fact{"time", "mars.time", "time"},
                           fact{"step", "mars.step", "step"}, fact{"level", "mars.levelist", "levelist"},
                           fact{"number", "mars.number", "number"}};

}  // namespace

std::string caption::title(const std::string& otherwise) const {
  const std::string& first = name.empty() ? otherwise : name;
  return facts.empty() ? first : first + ", " + facts;
}

caption caption_of(const metadata& keys) {
  caption out;
  out.name_text = text_of(keys, {"long_name", "longName", "standard_name"});
  const std::string brief = text_of(keys, {"name", "mars.param", "param", "shortName"});
  out.name = shown(out.name_text.empty() ? brief : out.name_text);
  if (out.name_text.empty())
    out.name_text = brief;
  else if (!brief.empty() && brief != out.name_text) {
    out.name += " (" + shown(brief) + ")";
    out.name_text += " (" + brief + ")";
  }
  for (const fact& f : facts) {
    const std::string text = shown(text_of(keys, {f.in_mars, f.alone}));
    if (!text.empty()) out.facts.append(out.facts.empty() ? "" : ", ").append(f.label).append(" ").append(text);
  }
  out.unit_text = text_of(keys, {"units", "unit"});
  out.unit = shown(out.unit_text);
  return out;
}

caption caption_of(const object& of) {
  failure unreadable;
  const metadata keys = of.metadata(unreadable);
  return unreadable ? caption() : caption_of(keys);
}

}  // namespace tgmap::archives
