// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/show_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/print/escape.hpp"
#include "cli/print/human_numbers.hpp"
#include "picture/scale.hpp"

namespace tgmap::cli {

namespace {

using picture::number_text;

bool is_complex(dtype of) { return of == dtype::complex64 || of == dtype::complex128; }

std::vector<std::uint64_t> sizes(const picture::slice& part) {
  std::vector<std::uint64_t> out;
  for (const auto& e : part.dimensions)
    if (!e.is_index) out.push_back(e.size);
  return out;
}

json number(double x) { return std::isfinite(x) ? json(x) : json(); }

json text_or_null(const std::string& text) { return text.empty() ? json() : json(text); }

}  // namespace

std::string title_of(const shown_field& f) {
  const auto index = f.which.message.index();
  const std::string number = fmt::format("object {}", f.which.object.index());
  return f.words.title(index ? fmt::format("{} of message {}", number, *index) : number);
}

std::string place_of(const shown_field& f) {
  return fmt::format("{} {}  {}", to_string_view(f.what.dtype), picture::shape_text(f.what.shape()),
                     escaped(f.which.name));
}

std::string part_of(const shown_field& f) {
  if (f.part.is_full()) return {};
  if (f.part_chosen) return "slice " + f.part.text();
  return fmt::format("slice {}; --slice takes another", f.part.text());
}

std::vector<std::string> numbers_of(const shown_field& f, const statistics::accumulator& s) {
  std::vector<std::string> out;
  std::string first = count_text(s.count(), "element");
  first += s.missing() == 0 ? ", none missing" : fmt::format(", {} missing", s.missing());
  if (const auto infinite = s.positive_infinities() + s.negative_infinities(); infinite != 0)
    first += fmt::format(", {} infinite", infinite);
  if (is_complex(f.what.dtype)) first += "; magnitudes:";
  out.push_back(std::move(first));
  if (s.finite() == 0) return out;
  std::string second = s.count() == 1
                           ? "value " + number_text(s.mean())
                           : fmt::format("min {}   max {}   mean {}   std {}", number_text(s.least()),
                                         number_text(s.greatest()), number_text(s.mean()), number_text(s.deviation()));
  if (!f.words.unit.empty()) second += "   " + f.words.unit;
  out.push_back(std::move(second));
  return out;
}

json as_json(const shown_field& f, const statistics::accumulator& s) {
  const auto index = f.which.message.index();
  return {{"target", f.which.name},
          {"message", index ? json(*index) : json()},
          {"object", f.which.object.index()},
          {"name", text_or_null(f.words.name_text)},
          {"units", text_or_null(f.words.unit_text)},
          {"dtype", to_string_view(f.what.dtype)},
          {"shape", to_json(f.what.shape())},
          {"slice", f.part.text()},
          {"slice_shape", sizes(f.part)},
          {"elements", s.count()},
          {"missing", s.missing()},
          {"infinite", s.positive_infinities() + s.negative_infinities()},
          {"min", number(s.least())},
          {"max", number(s.greatest())},
          {"mean", number(s.mean())},
          {"std", number(s.deviation())}};
}

}  // namespace tgmap::cli
