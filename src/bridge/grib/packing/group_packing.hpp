// SPDX-License-Identifier: Apache-2.0
// Complex packing of GRIB 2 (templates 2 and 3): integers in groups, each with its own reference, width and length; or
// the differences of integers of order 1 or 2. Some integers may be codes of missing values.
#pragma once

#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

#include "bridge/grib/packing/byte_buffer.hpp"
#include "bridge/grib/packing/integers.hpp"
#include "bridge/grib/sections/packing.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// The integer that stands for a missing value.
inline constexpr std::int64_t missing_integer = INT64_MAX;

/// Unpacked integers are between -max_group_integer and this: a double holds them exactly.
inline constexpr std::int64_t max_group_integer = std::int64_t{1} << 53;

/// A `group_table` is the beginning of a data section: first values and minimum of differences, and what all groups say
/// of themselves. Lifetime: borrows the data.
struct group_table {
  byte_view head{};    ///< the bytes before the packed integers
  byte_view packed{};  ///< those after them, which may be longer than the integers
  byte_view references{}, widths{}, lengths{};
  std::int64_t first[2] = {0, 0};  ///< the first integers, as many as the order of differencing
  std::int64_t minimum = 0;        ///< of the differences, which were stored without it
  std::uint64_t packed_size = 0;   ///< bytes of `packed` that the integers take
  bool is_constant =
      false;  ///< all integers are the reference of the first group, or 0 without groups; none is missing
};

/// Reads the table of a field, and checks that the lengths of its groups give the number of values and that their bits
/// are there.
/// Complexity: linear in the number of groups; groups that take no bytes are refused beyond the number of values.
/// Errors: data_too_short, value_count, bad_width, bad_parameter.
group_table read_groups(const packing&, failure& why) noexcept;

/// A `group_range` says which integers were unpacked.
struct group_range {
  std::int64_t min = 0, max = 0;  ///< of those that are not missing
  std::uint64_t missing = 0;      ///< number of missing values
  std::uint64_t secondary = 0;    ///< of these, with the code for secondary missing values
};

/// Unpacks all integers: `out` has one for each value.
/// Complexity: linear in the values.
/// Errors: bad_parameter (an integer beyond max_group_integer), value_count.
group_range unpack_groups(const packing&, const group_table&, std::span<std::int64_t> out, failure& why) noexcept;

/// Packs integers again, with the groups of a table. Missing ones get the code for primary missing values. Writes
/// `table.packed_size` bytes to `out`, which has 8 bytes more. Returns false if they do not fit the groups.
bool pack_groups(const packing&, const group_table&, std::span<const std::int64_t> integers,
                 std::span<std::byte> out) noexcept;

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
