// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/read/show/shown_field.hpp"

#include <fmt/format.h>

#include "cli/print/human_numbers.hpp"
#include "core/text/escape.hpp"
#include "picture/scale.hpp"

namespace tgmap::cli {

namespace {

using picture::number_text;

bool is_complex(dtype of) { return of == dtype::complex64 || of == dtype::complex128; }

}  // namespace

std::string title_of(const shown_field& f) {
  const auto index = f.which.message.index();
  const std::string number = fmt::format("object {}", f.which.object.index());
  return f.words.title(index ? fmt::format("{} of message {}", number, *index) : number);
}

std::string place_of(const shown_field& f) {
  return fmt::format("{} {}  {}", to_string_view(f.what.dtype), grids::shape_text(f.what.shape()),
                     core::escaped(f.which.name));
}

std::string part_of(const shown_field& f) {
  if (f.part.is_full()) return {};
  if (f.part_chosen) return "slice " + f.part.text();
  return fmt::format("slice {}; --slice takes another", f.part.text());
}

std::string coordinates_of(const shown_field& f) { return "no coordinates: " + core::escaped(f.why_no_degrees); }

std::vector<std::string> numbers_of(const shown_field& f, const statistics::accumulator& s) {
  std::vector<std::string> out;
  std::string first = count_text(s.count(), "element");
  first += s.nan_count() == 0 ? ", none missing" : fmt::format(", {} missing", s.nan_count());
  if (const auto infinite = s.positive_infinities() + s.negative_infinities(); infinite != 0)
    first += fmt::format(", {} infinite", infinite);
  if (is_complex(f.what.dtype)) first += "; magnitudes:";
  out.push_back(std::move(first));
  if (s.finite_count() == 0) return out;
  std::string second =
      s.count() == 1 ? "value " + number_text(s.mean())
                     : fmt::format("min {}   max {}   mean {}   std {}", number_text(s.min()), number_text(s.max()),
                                   number_text(s.mean()), number_text(s.standard_deviation()));
  if (!f.words.unit.empty()) second += "   " + f.words.unit;
  out.push_back(std::move(second));
  return out;
}

json as_json(const shown_field& f, const statistics::accumulator& s) {
  const auto index = f.which.message.index();
  return {{"target", f.which.name},
          {"message", or_null(index)},
          {"object", f.which.object.index()},
          {"name", or_null(f.words.name_text)},
          {"units", or_null(f.words.unit_text)},
          {"dtype", to_string_view(f.what.dtype)},
          {"shape", to_json(f.what.shape())},
          {"slice", f.part.text()},
          {"slice_shape", f.part.shape()},
          {"elements", s.count()},
          {"missing", s.nan_count()},
          {"infinite", s.positive_infinities() + s.negative_infinities()},
          {"min", or_null(s.min())},
          {"max", or_null(s.max())},
          {"mean", or_null(s.mean())},
          {"std", or_null(s.standard_deviation())}};
}

}  // namespace tgmap::cli
