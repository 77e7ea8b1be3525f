// SPDX-License-Identifier: Apache-2.0
#include "picture/image/image_gaps.hpp"

#include <algorithm>
#include <cmath>

namespace tgmap::picture {

namespace {

constexpr std::array<gap_pattern, 3> patterns{{{"missing", missing_background, missing_hatching, true},
                                               {"infinite", {236, 214, 240}, {150, 60, 170}, false},
                                               {"not above 0", {255, 248, 214}, {196, 150, 40}, false}}};
constexpr double sample_width = 20, sample_height = 14, row_height = 18;  // in an image of default size

}  // namespace

colour gap_pattern::at(std::size_t x, std::size_t y, std::size_t width) const noexcept {
  const std::size_t period = 4 * width;
  const std::size_t place = leans_right ? (x + y) % period : (x + (period - 1) * y) % period;
  return place < width ? lines : background;
}

const gap_pattern& pattern_of(gap_kind kind) noexcept { return patterns[static_cast<std::size_t>(kind)]; }

std::optional<gap_kind> find_gap(cell_content content, double mean, const std::optional<scale>& values) noexcept {
  if (content == cell_content::missing) return gap_kind::missing;
  if (content == cell_content::infinite) return gap_kind::infinite;
  if (!values || std::isnan((*values)(mean))) return gap_kind::not_drawn;
  return std::nullopt;
}

std::vector<gap_kind> image_gaps::kinds() const {
  std::vector<gap_kind> out;
  for (const gap_kind each : {gap_kind::missing, gap_kind::infinite, gap_kind::not_drawn})
    if (seen_[static_cast<std::size_t>(each)]) out.push_back(each);
  return out;
}

std::size_t image_gaps::stripe() const noexcept {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(2 * layout_.unit)));
}

pixel image_gaps::at(std::size_t x, std::size_t y, gap_kind kind) const noexcept {
  return {pattern_of(kind).at(x, y, stripe()), 255};
}

void image_gaps::fill(canvas& on, box where, gap_kind kind) const {
  const auto columns = static_cast<std::size_t>(std::max(1.0, std::round(where.width)));
  const auto rows = static_cast<std::size_t>(std::max(1.0, std::round(where.height)));
  std::vector<pixel> pixels;
  pixels.reserve(rows * columns);
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x) pixels.push_back(at(x, y, kind));
  on.image(where, pixels, columns);
}

box image_gaps::draw_sample(canvas& on, point at, gap_kind kind) const {
  const double u = layout_.unit;
  const box sample{std::round(at.x), std::round(at.y), std::round(sample_width * u), std::round(sample_height * u)};
  fill(on, sample, kind);
  on.outline(sample, frame_colour, u);
  return sample;
}

void image_gaps::draw_legend_below(canvas& on, point at) const {
  const double u = layout_.unit;
  const text_style style{.size = 13 * u};
  for (const gap_kind each : kinds()) {
    const box sample = draw_sample(on, at, each);
    on.text({sample.right() + 8 * u, sample.y + sample.height / 2}, pattern_of(each).word, style);
    at.y += row_height * u;
  }
}

void image_gaps::draw_legend_before(canvas& on, point at) const {
  const double u = layout_.unit;
  const text_style style{.size = 13 * u};
  const std::vector<gap_kind> all = kinds();
  for (auto each = all.rbegin(); each != all.rend(); ++each) {
    at.x -= on.width_of(pattern_of(*each).word, style);
    on.text({at.x, at.y + sample_height * u / 2}, pattern_of(*each).word, style);
    at.x -= (sample_width + 8) * u;
    draw_sample(on, at, *each);
    at.x -= 16 * u;
  }
}

}  // namespace tgmap::picture
