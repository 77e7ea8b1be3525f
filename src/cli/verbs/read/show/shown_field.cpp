// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/read/show/shown_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/print/human_numbers.hpp"
#include "core/text/escape.hpp"
#include "picture/scale.hpp"
#include "picture/terminal/terminal.hpp"

namespace tgmap::cli {

namespace {

using picture::number_text;

bool is_complex(dtype of) { return of == dtype::complex64 || of == dtype::complex128; }

/// Fills lines of at most `width` characters with parts of a text. A longer part has a line of its own.
class line_filler {
 public:
  explicit line_filler(std::size_t width) : width_(width) {}

  void add(std::string_view part, std::size_t blanks) {
    const std::size_t size = picture::width_of(part);
    if (used_ != 0 && used_ + blanks + size > width_) {
      text_ += '\n';
      used_ = 0;
    }
    if (used_ == 0) blanks = 0;
    text_.append(blanks, ' ').append(part);
    used_ += blanks + size;
  }
  std::string text() const { return text_ + "\n"; }

 private:
  std::size_t width_, used_ = 0;
  std::string text_{};
};

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

std::string wrapped(std::string_view text, std::size_t width) {
  line_filler out(width);
  for (std::size_t at = 0, blanks = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("  ", at), text.size());
    const std::string_view part = text.substr(at, end - at);
    if (picture::width_of(part) <= width) {
      out.add(part, blanks);
    } else {
      for (std::size_t word = 0; word < part.size();) {
        const std::size_t stop = std::min(part.find(' ', word), part.size());
        out.add(part.substr(word, stop - word), word == 0 ? blanks : 1);
        word = stop + 1;
      }
    }
    at = std::min(text.find_first_not_of(' ', end), text.size());
    blanks = at - end;
  }
  return out.text();
}

}  // namespace tgmap::cli
