// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tgmap::picture {

struct colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(colour, colour) noexcept = default;
};

/// Colours for numbers from 0 to 1.
///
/// Made from a few anchor points in OKLCh (Ottosson 2020), a space in which equal steps look equal: lightness runs
/// evenly from end to end, or, in a diverging map, from both ends to the middle.
class colour_map {
 public:
  /// The map of that name; behind a name, "_r" turns it round. Nothing when there is none.
  static std::optional<colour_map> find(std::string_view name);
  static std::span<const std::string_view> names() noexcept;  ///< the first one is the default

  static constexpr std::size_t size = 256;  ///< colours

  colour operator()(double t) const noexcept;    ///< below 0 as 0, above 1 as 1
  static std::size_t number(double t) noexcept;  ///< of that colour
  colour at(std::size_t number) const noexcept { return table_[number]; }

 private:
  std::array<colour, size> table_{};
};

/// The number of the colour that looks most alike in the palette of 256 colours that terminals share: a cube of
/// 6 × 6 × 6, and 24 grays.
std::uint8_t nearest_indexed(colour) noexcept;

}  // namespace tgmap::picture
