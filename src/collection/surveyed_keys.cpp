// SPDX-License-Identifier: Apache-2.0
#include "collection/surveyed_keys.hpp"

#include <algorithm>
#include <array>

#include "core/text/nearest_key.hpp"

namespace tgmap::archives {

namespace {

// Last parts of usual keys, most useful first.
constexpr std::array<std::string_view, 7> name_parts{"name",      "shortName",     "param",   "variable",
                                                     "long_name", "standard_name", "longName"};
constexpr std::array<std::string_view, 9> place_parts{"date",  "time",   "step",   "levtype", "levelist",
                                                      "level", "number", "stream", "type"};

template <std::size_t Size>
std::size_t position(const std::array<std::string_view, Size>& in, std::string_view path) {
  return static_cast<std::size_t>(std::find(in.begin(), in.end(), core::last_part(path)) - in.begin());
}

}  // namespace

bool is_name_key(std::string_view path) { return position(name_parts, path) != name_parts.size(); }
bool is_usual_key(std::string_view path) {
  return is_name_key(path) || position(place_parts, path) != place_parts.size();
}

std::size_t rank_of_key(std::string_view path) {
  return is_name_key(path) ? position(name_parts, path) : name_parts.size() + position(place_parts, path);
}

}  // namespace tgmap::archives
