// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tgmap/bridge/errc.hpp>  // declares the namespace
#include <vector>

namespace tgmap::bridge::grib {

/// The largest number of latitudes between pole and equator that are computed; a grid of 1 km has 8000.
inline constexpr std::size_t max_gaussian_number = 8192;

/// Returns the 2 × `n` latitudes of a Gaussian grid in degrees, from north to south: the angles whose sines are the
/// roots of the Legendre polynomial of degree 2 × `n`. Each one is accurate to 1e-11 degrees. `n` is from 1 to
/// `max_gaussian_number`.
/// Complexity: quadratic; 20 ms for 1280.
std::vector<double> gaussian_latitudes(std::size_t n);

}  // namespace tgmap::bridge::grib
