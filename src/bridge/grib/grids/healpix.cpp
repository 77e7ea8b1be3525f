// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/grids/healpix.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace tgmap::bridge::grib {

namespace {

constexpr double right_angle = 90;

/// A `healpix_rings` has the 4 × nside - 1 rings of a grid, numbered from 1 at the north pole.
class healpix_rings {
 public:
  explicit healpix_rings(std::size_t nside) : nside_(nside) {}

  std::size_t count() const { return 4 * nside_ - 1; }

  /// Returns a quarter of the pixels of a ring.
  std::size_t quarter(std::size_t ring) const { return std::min({ring, 4 * nside_ - ring, nside_}); }

  /// Returns true if the first pixel of a ring begins at longitude 0. Otherwise longitude 0 is its centre.
  bool begins_at_zero(std::size_t ring) const { return quarter(ring) < nside_ || (ring - nside_) % 2 == 0; }

  double latitude(std::size_t ring) const {
    if (ring > 2 * nside_) return -latitude(4 * nside_ - ring);
    const auto n = static_cast<double>(nside_), number = static_cast<double>(ring);
    constexpr double degrees = 180 / std::numbers::pi;
    // Half the angle from the pole keeps all digits near the pole, where the sine of the latitude is almost 1.
    if (ring < nside_) return right_angle - 2 * degrees * std::asin(number / (n * std::sqrt(6.0)));
    return degrees * std::asin((4 * n - 2 * number) / (3 * n));
  }

  /// Returns the longitude of a pixel of a ring, counted from 0.
  double longitude(std::size_t ring, std::size_t pixel) const {
    const double shift = begins_at_zero(ring) ? 0.5 : 0;
    return (static_cast<double>(pixel) + shift) * right_angle / static_cast<double>(quarter(ring));
  }

 private:
  std::size_t nside_;
};

/// Returns the bits at even positions of `n`.
std::uint64_t even_bits(std::uint64_t n) {
  n &= 0x5555555555555555U;
  n = (n | (n >> 1U)) & 0x3333333333333333U;
  n = (n | (n >> 2U)) & 0x0F0F0F0F0F0F0F0FU;
  n = (n | (n >> 4U)) & 0x00FF00FF00FF00FFU;
  n = (n | (n >> 8U)) & 0x0000FFFF0000FFFFU;
  return (n | (n >> 16U)) & 0x00000000FFFFFFFFU;
}

void fill_rings(const healpix_rings& rings, provided_degrees& out) {
  for (std::size_t ring = 1; ring <= rings.count(); ++ring) {
    const double latitude = rings.latitude(ring);
    for (std::size_t i = 0; i < 4 * rings.quarter(ring); ++i) {
      out.latitudes.push_back(latitude);
      out.longitudes.push_back(rings.longitude(ring, i));
    }
  }
}

void fill_nested(const healpix_rings& rings, std::size_t nside, provided_degrees& out) {
  // Two numbers for each base pixel, in units of nside: the ring of its southern corner, and twice the quarter of its
  // centre line.
  constexpr std::array<std::size_t, 12> southern_ring{2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4};
  constexpr std::array<std::ptrdiff_t, 12> centre_line{1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7};
  std::vector<double> latitudes(rings.count() + 1);
  for (std::size_t ring = 1; ring < latitudes.size(); ++ring) latitudes[ring] = rings.latitude(ring);
  for (std::size_t base = 0; base < southern_ring.size(); ++base)
    for (std::uint64_t at = 0; at < std::uint64_t{nside} * nside; ++at) {
      const auto x = static_cast<std::ptrdiff_t>(even_bits(at)), y = static_cast<std::ptrdiff_t>(even_bits(at >> 1U));
      const std::size_t ring = southern_ring[base] * nside - static_cast<std::size_t>(x + y) - 1;
      const auto quarter = static_cast<std::ptrdiff_t>(rings.quarter(ring));
      const std::ptrdiff_t from_zero = rings.begins_at_zero(ring) ? 1 : 0;
      std::ptrdiff_t pixel = (centre_line[base] * quarter + x - y - from_zero) / 2;
      if (centre_line[base] * quarter + x - y - from_zero < 0) pixel += 4 * quarter;
      out.latitudes.push_back(latitudes[ring]);
      out.longitudes.push_back(rings.longitude(ring, static_cast<std::size_t>(pixel)));
    }
}

}  // namespace

bool is_healpix(std::uint64_t nside, healpix_order order, std::uint64_t max_pixels) noexcept {
  if (nside == 0 || nside > max_pixels / 12 / nside) return false;
  return order == healpix_order::ring || std::has_single_bit(nside);
}

provided_degrees healpix_degrees(std::size_t nside, healpix_order order) {
  const healpix_rings rings(nside);
  provided_degrees out{.are_points = true};
  out.latitudes.reserve(12 * nside * nside);
  out.longitudes.reserve(12 * nside * nside);
  if (order == healpix_order::ring)
    fill_rings(rings, out);
  else
    fill_nested(rings, nside, out);
  return out;
}

}  // namespace tgmap::bridge::grib
