// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tools/grid.hpp>
#include <vector>

#include "grid/slice.hpp"

namespace tgmap::grids {

/// An object with the providers of degrees.
struct grid_of_object {
  const message& in;
  const object& of;
  std::span<const grid_provider* const> providers;
};

/// Degrees of a provider, and its name.
struct named_degrees {
  provided_degrees degrees{};
  coordinate_origin from{};
};

/// Asks the providers one after the other. Errors: theirs; invalid_option if degrees do not fit the shape.
std::optional<named_degrees> ask_providers(const grid_of_object&, const metadata& keys, const descriptor&, failure&);

/// Returns an axis for each dimension, by the rules of tgmap::grid. Errors: those of tgmap::grid.
grid_axes find_axes(const grid_of_object&, std::span<const slice::extent> dimensions, failure&);

/// Returns the degrees of each element of a part, by the rules of tgmap::grid. Errors: those of tgmap::grid.
std::optional<grid_points> find_points(const grid_of_object&, const slice& part, failure&);

/// Returns an axis with these coordinates, or an index if they neither rise nor fall strictly.
grid_axis make_axis(coordinate_kind, std::string name, std::vector<double> values, coordinate_origin = {});

/// Returns the numbers at the indices of a part of one dimension.
template <class Numbers>
std::vector<double> part_of(const Numbers& whole, const slice::extent& part) {
  std::vector<double> out;
  for (std::uint64_t i = 0; i < part.size; ++i) out.push_back(whole[static_cast<std::size_t>(part.index(i))]);
  return out;
}

}  // namespace tgmap::grids
