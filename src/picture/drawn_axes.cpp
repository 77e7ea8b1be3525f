// SPDX-License-Identifier: Apache-2.0
#include "picture/drawn_axes.hpp"

#include <algorithm>
#include <utility>

namespace tgmap::picture {

namespace {

axis axis_of(grid_axis&& from, const grids::slice::extent& part) {
  return {.kind = from.kind,
          .name = std::move(from.name),
          .first = part.begin,
          .size = part.size,
          .step = part.step,
          .values = std::move(from.values)};
}

}  // namespace

drawn_axes find_axes(const message& in, const object& of, const grids::slice& part,
                     std::span<const grid_provider* const> providers) {
  grid_axes all = grid(in, of, providers).axes(part.slab());
  const std::vector<std::size_t> drawn = part.axes();
  const std::size_t rank = all.axes.size();
  const bool lacks_degrees = std::any_of(
      drawn.begin(), drawn.end(), [&](std::size_t d) { return d + 2 >= rank && all.axes[d].kind == axis_kind::index; });
  drawn_axes out;
  for (const std::size_t d : drawn) out.axes.push_back(axis_of(std::move(all.axes[d]), part.dimensions[d]));
  if (lacks_degrees) out.why_no_degrees = std::move(all.obstacle);
  return out;
}

}  // namespace tgmap::picture
