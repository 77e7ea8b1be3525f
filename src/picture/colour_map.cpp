// SPDX-License-Identifier: Apache-2.0
#include "picture/colour_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace tgmap::picture {

namespace {

/// A colour that a map passes through: lightness from 0 to 1, chroma, hue in degrees. All anchors, and all colours
/// between them, are within sRGB.
struct anchor {
  double lightness, chroma, hue;
};

struct recipe {
  std::string_view name;
  std::array<anchor, 5> anchors;  // at equal distances
};

constexpr std::array recipes{
    // violet, blue, teal, green, yellow
    recipe{"lagoon", {{{.26, .12, 305}, {.43, .11, 268}, {.60, .098, 212}, {.77, .15, 150}, {.94, .17, 106}}}},
    // black, purple, red, orange, pale yellow
    recipe{"ember", {{{.14, .04, 300}, {.34, .145, 315}, {.54, .19, 12}, {.74, .16, 55}, {.94, .09, 98}}}},
    // black, deep blue, blue, sky, white
    recipe{"frost", {{{.12, .04, 285}, {.33, .12, 270}, {.54, .13, 250}, {.75, .09, 220}, {.96, .015, 195}}}},
    // blue, pale blue, white, pale red, red: for fields with a neutral value such as zero
    recipe{"balance", {{{.36, .14, 262}, {.66, .12, 250}, {.96, 0, 0}, {.66, .14, 28}, {.36, .14, 25}}}},
    recipe{"gray", {{{.12, 0, 0}, {.33, 0, 0}, {.54, 0, 0}, {.75, 0, 0}, {.96, 0, 0}}}},
};

constexpr auto recipe_names = [] {
  std::array<std::string_view, recipes.size()> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = recipes[i].name;
  return out;
}();

std::uint8_t encoded(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * y));
}

struct lab {
  double lightness, a, b;
};

lab to_lab(colour c) {
  const auto decoded = [](std::uint8_t x) {
    const double y = x / 255.0;
    return y <= 0.04045 ? y / 12.92 : std::pow((y + 0.055) / 1.055, 2.4);
  };
  const double red = decoded(c.red), green = decoded(c.green), blue = decoded(c.blue);
  const double l = std::cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const double m = std::cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const double s = std::cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

colour to_colour(const lab& from) {
  const auto cubed = [](double x) { return x * x * x; };
  const double l = cubed(from.lightness + 0.3963377774 * from.a + 0.2158037573 * from.b);
  const double m = cubed(from.lightness - 0.1055613458 * from.a - 0.0638541728 * from.b);
  const double s = cubed(from.lightness - 0.0894841775 * from.a - 1.2914855480 * from.b);
  return {encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

lab to_lab(const anchor& of) {
  const double radians = of.hue * std::numbers::pi / 180;
  return {of.lightness, of.chroma * std::cos(radians), of.chroma * std::sin(radians)};
}

/// Interpolates between the second and the third of four points (Catmull-Rom). Without corners, which would show as
/// lines in a picture.
double interpolate(double before, double from, double to, double after, double t) {
  return from +
         t / 2 * (to - before + t * (2 * before - 5 * from + 4 * to - after + t * (3 * (from - to) + after - before)));
}

colour colour_at(const recipe& r, double t) {
  const std::size_t last = r.anchors.size() - 1;
  const double along = t * static_cast<double>(last);
  const std::size_t i = std::min(static_cast<std::size_t>(along), last - 1);
  const double part = along - static_cast<double>(i);
  const lab from = to_lab(r.anchors[i]), to = to_lab(r.anchors[i + 1]);
  const auto beyond = [](const lab& end, const lab& next) -> lab {
    return {0, 2 * end.a - next.a, 2 * end.b - next.b};
  };
  const lab before = i == 0 ? beyond(from, to) : to_lab(r.anchors[i - 1]);
  const lab after = i + 1 == last ? beyond(to, from) : to_lab(r.anchors[i + 2]);
  return to_colour({std::lerp(from.lightness, to.lightness, part), interpolate(before.a, from.a, to.a, after.a, part),
                    interpolate(before.b, from.b, to.b, after.b, part)});
}

constexpr std::size_t first_indexed = 16;  // the user chooses those below

/// Returns the palette: red, green and blue in six steps, then grays.
std::array<lab, 240> make_indexed_palette() {
  constexpr std::array<std::uint8_t, 6> levels{0, 95, 135, 175, 215, 255};
  std::array<lab, 240> out{};
  for (std::size_t i = 0; i < 216; ++i) out[i] = to_lab(colour{levels[i / 36], levels[i / 6 % 6], levels[i % 6]});
  for (std::size_t i = 0; i < 24; ++i) {
    const auto light = static_cast<std::uint8_t>(8 + 10 * i);
    out[216 + i] = to_lab(colour{light, light, light});
  }
  return out;
}

}  // namespace

std::span<const std::string_view> colour_map::names() noexcept { return recipe_names; }

std::optional<colour_map> colour_map::find(std::string_view name) {
  const bool reversed = name.ends_with("_r");
  if (reversed) name.remove_suffix(2);
  const auto found = std::find_if(recipes.begin(), recipes.end(), [&](const recipe& r) { return r.name == name; });
  if (found == recipes.end()) return std::nullopt;
  colour_map out;
  for (std::size_t i = 0; i < out.table_.size(); ++i)
    out.table_[i] = colour_at(*found, static_cast<double>(i) / static_cast<double>(out.table_.size() - 1));
  if (reversed) std::reverse(out.table_.begin(), out.table_.end());
  return out;
}

std::size_t colour_map::index_of(double t) noexcept {
  return static_cast<std::size_t>(std::lround(std::clamp(t, 0.0, 1.0) * static_cast<double>(size - 1)));
}

std::uint8_t nearest_indexed(colour c) noexcept {
  static const auto indexed_palette = make_indexed_palette();
  const lab wanted = to_lab(c);
  const auto distance = [&](const lab& x) {
    const double lightness = x.lightness - wanted.lightness, a = x.a - wanted.a, b = x.b - wanted.b;
    return lightness * lightness + 2 * (a * a + b * b);  // another hue shows more than another shade
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < indexed_palette.size(); ++i)
    if (distance(indexed_palette[i]) < distance(indexed_palette[best])) best = i;
  return static_cast<std::uint8_t>(first_indexed + best);
}

}  // namespace tgmap::picture
