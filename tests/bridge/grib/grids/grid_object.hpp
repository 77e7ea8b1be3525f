// SPDX-License-Identifier: Apache-2.0
// Degrees that native_grids finds for keys made by a test.
#pragma once

#include <optional>
#include <support/builder.hpp>
#include <tgmap/bridge/grib_grids.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

namespace tgmap_test {

/// The result of native_grids.
struct grid_result {
  std::optional<tgmap::provided_degrees> degrees{};
  tgmap::bridge::native_grid_obstacle obstacle{};
};

/// Returns what it finds for an object of this shape with an entry of `base`.
inline grid_result find_degrees(const bytes& base, const std::vector<std::uint64_t>& shape,
                                const tgmap::bridge::native_grids& grids = tgmap::bridge::native_grids()) {
  const bytes data = message({.objects = {bytes_object("x")}, .base = {base}});
  const auto archive = tgmap::archive::from_memory(span_of(data));
  grid_result out;
  tgmap::failure why;
  out.degrees = grids.find(archive[0][0].metadata(), shape, out.obstacle, why);
  if (why) throw tgmap::error(why);
  return out;
}

/// Returns an entry of `base` with sections of a GRIB message.
inline bytes with_sections(std::string_view sections) {
  return cbor::map({cbor::key("grib_sections", cbor::blob(sections))});
}

/// Returns an entry of `base` with `mars.grid`.
inline bytes with_grid(std::string_view name) {
  return cbor::map({cbor::key("mars", cbor::map({cbor::key("grid", cbor::text(name))}))});
}

}  // namespace tgmap_test
