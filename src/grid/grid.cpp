// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tools/grid.hpp>

#include "core/text/enum_table.hpp"
#include "grid/coordinates.hpp"
#include "grid/slice.hpp"

namespace tgmap {
inline namespace v0 {

TGMAP_ENUM_NAMES(coordinate_kind, 0, "index", "number", "latitude", "longitude")
TGMAP_ENUM_NAMES(coordinate_source, 0, "none", "object", "list", "regular_grid", "provider")
TGMAP_ENUM_NAMES(grid_obstacle_kind, 0, "none", "other_grid", "other_order", "grid_missing", "area_missing", "bad_area",
                 "too_few_dimensions", "disagreement")

namespace {

/// Returns the part of an object that a slab means. Errors: invalid_option, out_of_range; those of object::descriptor.
grids::slice part_of(const object& of, const slab& box, failure& why) {
  const descriptor what = of.descriptor(why);
  if (why) return {};
  grids::slice out = grids::full_slice(what.shape());
  if (box.start.empty() && box.count.empty()) return out;
  const std::size_t rank = out.dimensions.size();
  if (box.start.size() != rank || box.count.size() != rank || (!box.stride.empty() && box.stride.size() != rank)) {
    why = {.code = errc::invalid_option, .expected = rank, .found = box.start.size(), .argument = "slab"};
    return {};
  }
  for (std::size_t d = 0; d < rank; ++d) {
    grids::slice::extent& e = out.dimensions[d];
    e.begin = box.start[d];
    e.size = box.count[d];
    e.step = box.stride.empty() ? 1 : box.stride[d];
    if (e.step == 0) why = {.code = errc::invalid_option, .expected = 1, .argument = "slab"};
    if (why) return {};
    const std::uint64_t last = e.size == 0 ? 0 : e.size - 1;
    if (e.begin > e.full_size ||
        (e.size != 0 && (e.begin == e.full_size || last > (e.full_size - 1 - e.begin) / e.step)))
      why = {.code = errc::out_of_range, .expected = e.full_size, .found = e.begin, .argument = "slab"};
    if (why) return {};
  }
  return out;
}

}  // namespace

grid_provider::~grid_provider() = default;

grid_axes grid::axes(const slab& part, failure& why) const {
  const grids::slice box = part_of(object_, part, why);
  return why ? grid_axes() : grids::find_axes({message_, object_, providers_}, box.dimensions, why);
}

grid_axes grid::axes(const slab& part) const {
  failure why;
  grid_axes out = axes(part, why);
  detail::raise_if(why);
  return out;
}

std::optional<grid_points> grid::points(const slab& part, failure& why) const {
  const grids::slice box = part_of(object_, part, why);
  return why ? std::nullopt : grids::find_points({message_, object_, providers_}, box, why);
}

std::optional<grid_points> grid::points(const slab& part) const {
  failure why;
  auto out = points(part, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
