// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/grids/eccodes_degrees.hpp"

#include <cmath>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "bridge/grib/eccodes/eccodes_library.hpp"
#include "bridge/grib/grids/numbered_message.hpp"

namespace tgmap::bridge::grib {

namespace {

/// Deletes an iterator over points.
struct iterator_deleter {
  const eccodes_library* library;
  void operator()(grib_iterator* from) const noexcept { library->codes_grib_iterator_delete(from); }
};

bool is_place(double latitude, double longitude) noexcept {
  constexpr double pole = 90, circle = 360, rounding = 1e-6;
  return std::fabs(latitude) <= pole + rounding && std::fabs(longitude) <= circle + rounding;
}

/// Returns the place of each number of a message; nothing if ecCodes does not know the grid.
std::optional<provided_degrees> iterate(const eccodes_library& library, const std::vector<std::byte>& message,
                                        std::size_t points) {
  provided_degrees out{.are_points = true};
  out.latitudes.assign(points, std::nan(""));
  out.longitudes.assign(points, std::nan(""));

  const eccodes_call call(library);
  const eccodes_handle handle(library,
                              library.codes_handle_new_from_message_copy(nullptr, message.data(), message.size()));
  if (!handle) return std::nullopt;
  int problem = 0;
  const std::unique_ptr<grib_iterator, iterator_deleter> iterator(
      library.codes_grib_iterator_new(handle.get(), 0, &problem), {&library});
  if (!iterator || problem != 0) return std::nullopt;
  std::size_t found = 0;
  double latitude = 0, longitude = 0, number = 0;
  while (library.codes_grib_iterator_next(iterator.get(), &latitude, &longitude, &number) != 0) {
    const bool is_number = number >= 0 && number < static_cast<double>(points) && number == std::floor(number);
    if (!is_number || !is_place(latitude, longitude)) return std::nullopt;
    const auto at = static_cast<std::size_t>(number);
    if (!std::isnan(out.latitudes[at])) return std::nullopt;  // a place of its own for each element
    out.latitudes[at] = latitude;
    out.longitudes[at] = longitude;
    ++found;
  }
  return found == points ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

bool has_eccodes() noexcept { return eccodes_library::get() != nullptr; }

std::optional<provided_degrees> find_projected_degrees(const grid_section& of) {
  const eccodes_library* const library = eccodes_library::get();
  const std::vector<std::byte> message = make_numbered_message(of);
  if (library == nullptr || message.empty()) return std::nullopt;
  try {
    return iterate(*library, message, static_cast<std::size_t>(of.points));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {  // ecCodes found its own state wrong
    return std::nullopt;
  }
}

std::vector<std::uint32_t> find_reduced_rows(std::uint64_t number) try {
  const eccodes_library* const library = eccodes_library::get();
  if (library == nullptr) return {};
  const std::string sample = "reduced_gg_pl_" + std::to_string(number) + "_grib2";
  const eccodes_call call(*library);
  const eccodes_handle handle(*library, library->codes_grib_handle_new_from_samples(nullptr, sample.c_str()));
  std::size_t size = 0;
  if (!handle || library->codes_get_size(handle.get(), "pl", &size) != 0 || size != 2 * number) return {};
  std::vector<long> rows(size);
  if (library->codes_get_long_array(handle.get(), "pl", rows.data(), &size) != 0 || size != rows.size()) return {};
  std::vector<std::uint32_t> out;
  for (const long each : rows) {
    if (each <= 0 || each > static_cast<long>(UINT32_MAX)) return {};
    out.push_back(static_cast<std::uint32_t>(each));
  }
  return out;
} catch (const std::bad_alloc&) {
  throw;
} catch (const std::exception&) {  // as above
  return {};
}

}  // namespace tgmap::bridge::grib
