// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tools/grid.hpp>
#include <vector>

#include "grid/slice.hpp"

namespace tgmap::grids {

inline constexpr std::uint64_t max_coordinates = std::uint64_t{1} << 24;  // in memory as doubles

/// The dimension that coordinates belong to if several fit: the one before the last, the last, or any.
enum class preference : std::uint8_t { first, last, any };

/// A name of an object that has coordinates.
struct known_name {
  std::string_view name;
  std::string_view label;  ///< of the axis
  coordinate_kind kind;
  preference preferred;
};

/// Calls `take` with each other object of the message that `fits`, and its known name, until it returns false.
void for_each_named(const message& in, const object& of, const std::function<bool(const object&)>& fits,
                    const std::function<bool(const object&, const known_name&)>& take);

/// Returns the elements of a part in C order as numbers: magnitudes of complex ones, 0 and 1 of bits. Returns nothing
/// if they cannot be decoded. Errors: throws std::bad_alloc.
std::optional<std::vector<double>> numbers_of(const object&, const slice& part);

}  // namespace tgmap::grids
