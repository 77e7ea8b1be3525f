// SPDX-License-Identifier: Apache-2.0
#include "grid/coordinate_lists.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace tgmap::grids {

namespace {

constexpr std::array<std::string_view, 4> list_places{"", "grid.", "geometry.", "geography."};
constexpr std::array<std::string_view, 4> latitude_names{"latitudes", "latitude", "lats", "lat"};
constexpr std::array<std::string_view, 4> longitude_names{"longitudes", "longitude", "lons", "lon"};

/// Returns the numbers of a list; empty if it has another length, or other elements.
std::vector<double> listed_numbers(const cbor_view& list, std::uint64_t length) {
  std::vector<double> out;
  if (list.kind() != cbor_kind::array || list.size() != length) return out;
  const bool are_numbers = list.visit([&](std::uint64_t, const cbor_view& each) {
    const auto number = each.get<double>();
    if (number) out.push_back(*number);
    return number.has_value();
  });
  if (!are_numbers || out.size() != length) out.clear();
  return out;
}

}  // namespace

found_list find_list(const metadata& keys, coordinate_kind kind, std::uint64_t length) {
  for (const std::string_view place : list_places)
    for (const std::string_view name : kind == coordinate_kind::latitude ? latitude_names : longitude_names) {
      std::string key = std::string(place).append(name);
      if (const auto found = keys.find(key))
        if (auto numbers = listed_numbers(*found, length); !numbers.empty())
          return {std::move(key), std::move(numbers)};
    }
  return {};
}

}  // namespace tgmap::grids
