// SPDX-License-Identifier: Apache-2.0
#include "picture/terminal/terminal_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/text/utf8.hpp"

namespace tgmap::picture {

namespace {

/// The appearance of a cell: an index of the colour map, or one of two grays for missing elements.
using cell_colour = std::uint16_t;
constexpr cell_colour missing_dark = colour_map::size, missing_light = missing_dark + 1;

/// A `palette` is the escape sequences of all cell colours.
class palette {
 public:
  palette(const colour_map& map, colour_depth depth) {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const colour c = i == missing_dark ? colour{88, 88, 88} : i == missing_light ? colour{136, 136, 136} : map.at(i);
      text_[i] = colour_sequence(c, depth, true);
      background_[i] = colour_sequence(c, depth, false);
    }
  }
  const std::string& text(cell_colour i) const noexcept { return text_[i]; }
  const std::string& background(cell_colour i) const noexcept { return background_[i]; }

 private:
  std::array<std::string, colour_map::size + 2> text_, background_;
};

constexpr std::string_view ramp = ".:-=+*#%@";
constexpr double min_side = 24;         // cells; smaller maps are magnified by an integer
constexpr std::size_t narrow_side = 8;  // cells; thin maps are not drawn thinner, whatever their shape

char ramp_character(double t) {
  const auto last = static_cast<double>(ramp.size() - 1);
  return ramp[static_cast<std::size_t>(std::lround(std::clamp(t, 0.0, 1.0) * last))];
}

/// Returns the number of cells along a side of so many elements, magnified or reduced by `fit`.
std::size_t side_cells(double elements, double fit, std::size_t max_count) {
  const double wanted = std::clamp(std::round(elements * fit), 1.0, static_cast<double>(max_count));
  const double thin =
      fit < 1 ? std::min({static_cast<double>(narrow_side), elements, static_cast<double>(max_count)}) : 1;
  return static_cast<std::size_t>(std::max(wanted, std::floor(thin)));
}

/// Joins the parts of a legend, each on a new line if it does not fit behind the one before.
struct legend_lines {
  explicit legend_lines(std::size_t max_width) : width(max_width) {}

  void add(const std::string& part, std::size_t size, const std::string& gap) {
    if (lines.empty() || used + gap.size() + size > width) {
      lines.push_back(part);
      used = size;
    } else {
      lines.back() += gap + part;
      used += gap.size() + size;
    }
  }

  std::vector<std::string> lines{};
  std::size_t width, used = 0;
};

/// Returns a text of at most `width` characters.
std::string shortened(std::string text, std::size_t width) {
  while (width_of(text) > width) text.resize(core::code_point_begin(text, text.size() - 1));
  return text;
}

std::size_t max_labels(std::size_t lines) { return std::clamp<std::size_t>(lines / 3, 2, 9); }

}  // namespace

terminal_map::terminal_map(axis rows, axis columns, const terminal_style& style)
    : vertical_(std::move(rows)),
      horizontal_(std::move(columns)),
      style_(style),
      cells_per_line_(style.unicode && style.colours != colour_depth::none ? 2 : 1) {
  const std::size_t around = frame_height + 1;
  const std::size_t lines = std::max<std::size_t>(style.rows, around + 2) - around;
  vertical_ticks_ = make_ticks(vertical_, max_labels(lines), style.unicode);
  const std::size_t left = frame_width(vertical_ticks_);
  const std::size_t room = std::max<std::size_t>(style.columns, left + 10) - left;

  // A character, and a cell that fills it, is twice as high as wide.
  const double height = static_cast<double>(vertical_.size), width = static_cast<double>(horizontal_.size);
  const double cell_columns = cells_per_line_ == 2 ? 1 : 2;
  const auto max_rows = lines * cells_per_line_;
  const double magnify = std::max(1.0, std::ceil(min_side / std::max(height, width)));
  double fit =
      std::min({static_cast<double>(room) / (width * cell_columns), static_cast<double>(max_rows) / height, magnify});
  if (fit > 1) fit = std::floor(fit);  // so that all elements are equally large
  columns_ = side_cells(width * cell_columns, fit, room);
  rows_ = side_cells(height, fit, max_rows);
  const std::size_t line_count = (rows_ + cells_per_line_ - 1) / cells_per_line_;
  vertical_ticks_ = make_ticks(vertical_, max_labels(line_count), style.unicode);
  horizontal_ticks_ = make_ticks(horizontal_, std::clamp<std::size_t>(columns_ / 8, 2, 10), style.unicode);
}

/// A `painter` draws the cells of one map.
class terminal_map::painter {
 public:
  painter(const terminal_map& plan, const cell_map& cells, const std::optional<scale>& values, const colour_map& map)
      : plan_(plan), values_(values), palette_(map, plan.style_.colours), grid_(plan.rows_ * plan.columns_) {
    for (std::size_t r = 0; r < plan.rows_; ++r)
      for (std::size_t c = 0; c < plan.columns_; ++c) {
        const std::size_t row = plan.vertical_.is_reversed() ? plan.rows_ - 1 - r : r;
        const std::size_t column = plan.horizontal_.is_reversed() ? plan.columns_ - 1 - c : c;
        const std::size_t from_row = row * cells.rows() / plan.rows_;
        const std::size_t from_column = column * cells.columns() / plan.columns_;
        grid_[r * plan.columns_ + c] = cells.content(from_row, from_column) == cell_content::outside
                                           ? none
                                           : colour_of(cells.at(from_row, from_column), r + c);
      }
  }

  std::string line(std::size_t number) const {
    std::string out;
    cell_colour text = none, background = none;
    for (std::size_t c = 0; c < plan_.columns_; ++c) {
      const std::size_t row = number * plan_.cells_per_line_;
      const cell_colour upper = at(row, c);
      if (!has_colours()) {
        out += upper == none ? ' ' : upper >= missing_dark ? '?' : character_of(upper);
      } else if (plan_.cells_per_line_ == 1) {
        if (upper != std::exchange(background, upper)) out += background_sequence(upper);
        out += ' ';
      } else {
        // Below the last row and outside the terminal keeps its own background.
        const cell_colour lower = row + 1 < plan_.rows_ ? at(row + 1, c) : none;
        const cell_colour drawn = upper == none ? lower : upper, behind = upper == none ? none : lower;
        if (drawn != none && drawn != std::exchange(text, drawn)) out += palette_.text(drawn);
        if (behind != std::exchange(background, behind)) out += background_sequence(behind);
        out += drawn == none ? " " : upper == none ? "▄" : "▀";
      }
    }
    return has_colours() ? out + reset_sequence : out;
  }

  /// Returns the lines of the legend: the colour bar, its unit and the sign of missing cells, together if they fit.
  std::vector<std::string> legend(const std::string& unit, std::size_t width) const {
    legend_lines out(width);
    if (values_) {
      const std::string min = number_text(values_->min()), max = number_text(values_->max());
      const std::string scale = values_->is_logarithmic() ? ", logarithmic" : "";
      const std::string after = (unit.empty() ? "" : " " + unit) + scale;
      const std::size_t ends = width_of(min) + width_of(max) + 2, min_size = ends + 9;
      const std::size_t wanted =
          std::clamp<std::size_t>(plan_.columns_, min_size, std::max<std::size_t>(60, min_size)) - 1;
      const std::size_t beside = width - std::min(width, width_of(after));  // the room beside unit and scale
      const std::size_t size = wanted <= beside     ? wanted
                               : beside >= ends + 4 ? beside
                                                    : std::min(wanted, std::max(width, ends + 4));
      out.add(bar_of(size - ends, min, max), size, "");
      if (!unit.empty()) out.add(shortened(unit, width), std::min(width_of(unit), width), " ");
      if (!scale.empty()) out.add(scale.substr(2), width_of(scale) - 2, ", ");
    }
    const auto is_missing = [](cell_colour i) { return i == missing_dark || i == missing_light; };
    if (std::none_of(grid_.begin(), grid_.end(), is_missing)) return out.lines;
    const std::string sign = has_colours() ? palette_.background(missing_dark) + " " +
                                                 palette_.background(missing_light) + " " + reset_sequence
                                           : "?";
    const std::string word = values_ && values_->is_logarithmic() ? " missing or not above 0" : " missing";
    out.add(sign + word, (has_colours() ? 2U : 1U) + word.size(), "   ");
    return out.lines;
  }

 private:
  static constexpr cell_colour none = UINT16_MAX;

  bool has_colours() const noexcept { return plan_.style_.colours != colour_depth::none; }
  std::string background_sequence(cell_colour i) const {
    constexpr const char* own_background = "\x1b[49m";
    return i == none ? own_background : palette_.background(i);
  }
  cell_colour at(std::size_t row, std::size_t column) const { return grid_[row * plan_.columns_ + column]; }
  static char character_of(cell_colour i) {
    return ramp_character(static_cast<double>(i) / static_cast<double>(colour_map::size - 1));
  }

  cell_colour colour_of(double x, std::size_t parity) const {
    const double t = values_ ? (*values_)(x) : std::nan("");
    if (std::isnan(t)) return parity % 2 == 0 ? missing_dark : missing_light;
    return static_cast<cell_colour>(colour_map::index_of(t));
  }

  std::string bar_of(std::size_t size, const std::string& min, const std::string& max) const {
    std::string out = min + " ";
    for (std::size_t i = 0; i < size; ++i) {
      const double t = (static_cast<double>(i) + 0.5) / static_cast<double>(size);
      if (has_colours())
        out += palette_.background(static_cast<cell_colour>(colour_map::index_of(t))) + " ";
      else
        out += ramp_character(t);
    }
    return out + (has_colours() ? reset_sequence : "") + (" " + max);
  }

  const terminal_map& plan_;
  const std::optional<scale>& values_;
  palette palette_;
  std::vector<cell_colour> grid_;
};

std::string terminal_map::draw(const cell_map& cells, const std::optional<scale>& values, const colour_map& map,
                               const caption& text) const {
  const painter paint(*this, cells, values, map);
  std::vector<std::string> lines;
  for (std::size_t n = 0; n * cells_per_line_ < rows_; ++n) lines.push_back(paint.line(n));
  std::string out = draw_frame(lines, columns_, vertical_ticks_, horizontal_ticks_, style_.unicode);
  const std::size_t left = frame_width(vertical_ticks_);
  for (const std::string& line : paint.legend(text.unit, style_.columns - std::min(style_.columns, left)))
    out.append(left, ' ').append(line).append("\n");
  return out;
}

}  // namespace tgmap::picture
