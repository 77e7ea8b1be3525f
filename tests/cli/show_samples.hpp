// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <support/builder.hpp>

namespace tgmap_test {

inline bytes named(const std::string& name, const std::string& unit = {}) {
  std::vector<cbor::pair> pairs{cbor::key("name", cbor::text(name))};
  if (!unit.empty()) pairs.push_back(cbor::key("units", cbor::text(unit)));
  return cbor::map(pairs);
}

template <class T>
object_spec grid(const std::string& dtype, std::vector<std::uint64_t> shape, std::initializer_list<T> values) {
  object_spec out = numbers_object<T>(dtype, values);
  out.shape = std::move(shape);
  return out;
}

/// float32 [3, 4] "t" in K with a missing element, latitudes from 60 to 40 and longitudes from 350 to 20.
inline bytes map_message() {
  constexpr float missing = __builtin_nanf("");
  return message({.objects = {grid<float>("float32", {3, 4}, {0, 1, 2, 3, 4, missing, 6, 7, 8, 9, 10, 11}),
                              numbers_object<double>("float64", {60, 50, 40}),
                              numbers_object<double>("float64", {350, 0, 10, 20})},
                  .base = {named("t", "K"), named("latitude"), named("longitude")}});
}

/// Only one object: int16 [2, 2, 3] with 0 to 11.
inline bytes cube_message() {
  return message({.objects = {grid<std::int16_t>("int16", {2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})}});
}

}  // namespace tgmap_test
