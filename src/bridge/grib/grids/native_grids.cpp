// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <string>
#include <tgmap/bridge/enum_names.hpp>
#include <tgmap/bridge/grib_grids.hpp>
#include <utility>

#include "bridge/grib/grids/computed_degrees.hpp"
#include "bridge/grib/grids/degrees_cache.hpp"
#include "bridge/grib/grids/eccodes_degrees.hpp"
#include "bridge/grib/grids/gaussian_latitudes.hpp"
#include "bridge/grib/grids/grid_name.hpp"
#include "bridge/grib/grids/healpix.hpp"
#include "bridge/grib/grids/row_points.hpp"
#include "core/text/enum_table.hpp"

namespace tgmap {
inline namespace v0 {

TGMAP_INNER_ENUM_NAMES(bridge, native_grid_obstacle, 0, "none", "no_grid", "other_size", "too_many_points", "damaged",
                       "unsupported", "needs_eccodes")

namespace bridge {

namespace {

using grib::byte_view;
using grib::found_degrees;
using grib::grid_name;
using grib::named_grid_kind;
using obstacle = native_grid_obstacle;

constexpr std::size_t max_sections = 1U << 20U;  // bytes; those of the largest reduced grid are 64 KiB

/// The grid of an object: a section of a GRIB message, or a name.
struct grid_source {
  unsigned edition = 0;
  std::vector<std::byte> sections{};  // a copy, since the bytes of a mapping may change
  byte_view section{};                // in it
  std::optional<grid_name> name{};
  bool is_damaged = false;

  bool is_empty() const noexcept { return section.empty() && !name; }
};

grid_source find_source(const metadata& keys) {
  grid_source out;
  const auto stored = keys.find("grib_sections");
  const auto bytes = stored ? stored->get<byte_view>() : std::nullopt;
  if (bytes && bytes->size() <= max_sections) {
    out.sections.assign(bytes->begin(), bytes->end());
    out.section = grib::find_grid_section(out.sections, out.edition, out.is_damaged);
  }
  out.is_damaged = out.is_damaged || (bytes && bytes->size() > max_sections);
  if (out.section.empty() && !out.is_damaged) out.name = grib::find_grid_name(keys);
  return out;
}

/// Returns the text that two objects share if they have the same grid and shape.
std::string key_of(const grid_source& from, std::span<const std::uint64_t> shape) {
  std::string out;
  for (const std::uint64_t extent : shape) out += std::to_string(extent) + ',';
  out += std::to_string(from.edition) + ':';
  if (from.name) return out + from.name->text();
  return out.append(reinterpret_cast<const char*>(from.section.data()), from.section.size());
}

found_degrees none(obstacle why) { return {.degrees = {}, .why_none = why}; }

/// The elements of an object, and those of its last two dimensions: a grid of rows and columns may be repeated.
struct element_counts {
  std::uint64_t all = 1, plane = 1;
};

/// Returns the degrees of a name, or why there are none.
found_degrees degrees_of_name(const grid_name& name, const element_counts& counts,
                              const native_grids_options& options) {
  const std::uint64_t n = name.number, points = counts.all;
  if (name.kind == named_grid_kind::healpix_ring || name.kind == named_grid_kind::healpix_nested) {
    const auto order =
        name.kind == named_grid_kind::healpix_ring ? grib::healpix_order::ring : grib::healpix_order::nested;
    if (n > points || 12 * n * n != points) return none(obstacle::other_size);
    if (!grib::is_healpix(n, order, points)) return none(obstacle::unsupported);
    return {grib::healpix_degrees(static_cast<std::size_t>(n), order)};
  }
  if (n > grib::max_gaussian_number) return none(obstacle::unsupported);
  const auto number = static_cast<std::size_t>(n);
  if (name.kind == named_grid_kind::regular_gaussian) {
    if (8 * n * n != counts.plane) return none(obstacle::other_size);
    found_degrees out{{.latitudes = grib::gaussian_latitudes(number)}};
    for (std::size_t i = 0; i < 4 * number; ++i)
      out.degrees.longitudes.push_back(90 * static_cast<double>(i) / static_cast<double>(n));
    return out;
  }
  std::vector<std::uint32_t> rows;
  if (name.kind == named_grid_kind::octahedral) {
    rows = grib::octahedral_rows(number);
  } else {
    if (!options.use_eccodes || !grib::has_eccodes()) return none(obstacle::needs_eccodes);
    rows = grib::find_reduced_rows(n);
    if (rows.empty()) return none(obstacle::unsupported);
  }
  if (grib::total_points(rows) != points) return none(obstacle::other_size);
  return {grib::row_points(grib::gaussian_latitudes(number), rows)};
}

/// Returns the degrees of a section, or why there are none.
found_degrees degrees_of_section(const grid_source& from, std::uint64_t points, const native_grids_options& options) {
  bool is_damaged = false;
  const auto section = grib::read_grid_section(from.section, from.edition, points, is_damaged);
  if (!section) return none(is_damaged ? obstacle::damaged : obstacle::unsupported);
  if (grib::is_computed(section->kind)) {
    auto degrees = grib::compute_degrees(*section);
    return degrees ? found_degrees{std::move(*degrees)} : none(obstacle::unsupported);
  }
  if (!options.use_eccodes || !grib::has_eccodes()) return none(obstacle::needs_eccodes);
  auto degrees = grib::find_projected_degrees(*section);
  return degrees ? found_degrees{std::move(*degrees)} : none(obstacle::unsupported);
}

/// Makes points of rows and columns if an object is a list of points. Removes degrees that are not those of the shape.
void fit(found_degrees& found, std::span<const std::uint64_t> shape, const element_counts& counts) {
  provided_degrees& of = found.degrees;
  if (found.why_none != obstacle::none) return;
  if (!of.are_points && shape.size() == 1) of = grib::product_points(of.latitudes, of.longitudes);
  const bool fits = of.are_points
                        ? of.latitudes.size() == counts.all
                        : shape[shape.size() - 2] == of.latitudes.size() && shape.back() == of.longitudes.size();
  if (!fits) found = none(obstacle::other_size);
}

}  // namespace

class native_grids::state {
 public:
  explicit state(const native_grids_options& options) : options_(options), cache_(options.cache_bytes) {}

  std::shared_ptr<const found_degrees> find(const metadata& keys, std::span<const std::uint64_t> shape) {
    const grid_source from = find_source(keys);
    if (from.is_damaged) return make(none(obstacle::damaged));
    if (from.is_empty()) return make(none(obstacle::no_grid));
    if (shape.empty()) return make(none(obstacle::other_size));
    element_counts counts;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] == 0) return make(none(obstacle::other_size));
      if (counts.all > options_.max_points / shape[d]) return make(none(obstacle::too_many_points));
      counts.all *= shape[d];
      if (d + 2 >= shape.size()) counts.plane *= shape[d];
    }
    std::string key = key_of(from, shape);
    if (auto known = cache_.find(key)) return known;
    found_degrees found =
        from.name ? degrees_of_name(*from.name, counts, options_) : degrees_of_section(from, counts.plane, options_);
    fit(found, shape, counts);
    auto out = make(std::move(found));
    cache_.insert(std::move(key), out);
    return out;
  }

 private:
  static std::shared_ptr<const found_degrees> make(found_degrees&& found) {
    return std::make_shared<const found_degrees>(std::move(found));
  }

  const native_grids_options options_;
  grib::degrees_cache cache_;
};

native_grids::native_grids(const native_grids_options& options) : state_(std::make_unique<state>(options)) {}

native_grids::~native_grids() = default;

std::string_view native_grids::name() const noexcept { return "native_grids"; }

std::optional<provided_degrees> native_grids::find(const metadata& keys, std::span<const std::uint64_t> shape,
                                                   native_grid_obstacle& obstacle, failure& why) const {
  why = {};
  obstacle = native_grid_obstacle::none;
  try {
    const auto found = state_->find(keys, shape);
    obstacle = found->why_none;
    return obstacle == native_grid_obstacle::none ? std::optional(found->degrees) : std::nullopt;
  } catch (const std::bad_alloc&) {
    why = {.code = tgmap::errc::out_of_memory};
    return std::nullopt;
  }
}

std::optional<provided_degrees> native_grids::find(const metadata& keys, std::span<const std::uint64_t> shape,
                                                   failure& why) const {
  native_grid_obstacle ignored{};
  return find(keys, shape, ignored, why);
}

std::optional<std::string> native_grids::identity(const metadata& keys, std::span<const std::uint64_t> shape) const {
  const grid_source from = find_source(keys);
  return from.is_damaged || from.is_empty() ? std::nullopt : std::optional(key_of(from, shape));
}

}  // namespace bridge

}  // namespace v0
}  // namespace tgmap
