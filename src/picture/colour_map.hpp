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

/// A `colour_map` maps numbers from 0 to 1 to colours.
///
/// The colours are interpolated between a few anchors in OKLCh (Ottosson 2020), a space in which equal steps look
/// equal. Lightness changes evenly from end to end or, in a diverging map, from both ends to the middle.
class colour_map {
 public:
  /// Returns the map of that name; nothing if there is none. The suffix "_r" reverses a map.
  static std::optional<colour_map> find(std::string_view name);
  /// Returns the names. The first one is the default.
  static std::span<const std::string_view> names() noexcept;

  static constexpr std::size_t size = 256;  ///< number of colours

  /// Returns the colour of a number. Numbers below 0 count as 0, numbers above 1 as 1.
  colour operator()(double t) const noexcept { return table_[index_of(t)]; }
  static std::size_t index_of(double t) noexcept;
  colour at(std::size_t index) const noexcept { return table_[index]; }

 private:
  std::array<colour, size> table_{};
};

/// Returns the index of the most similar colour in the common palette of terminals: 6 × 6 × 6 colours and 24 grays.
std::uint8_t nearest_indexed(colour) noexcept;

}  // namespace tgmap::picture
