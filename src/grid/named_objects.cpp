// SPDX-License-Identifier: Apache-2.0
#include "grid/named_objects.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <complex>
#include <string>
#include <type_traits>
#include <utility>

namespace tgmap::grids {

namespace {

constexpr std::size_t max_objects = 10'000, max_lookups = 64;

constexpr std::array known_names{
    known_name{"lat", "latitude", coordinate_kind::latitude, preference::first},
    known_name{"latitude", "latitude", coordinate_kind::latitude, preference::first},
    known_name{"lon", "longitude", coordinate_kind::longitude, preference::last},
    known_name{"longitude", "longitude", coordinate_kind::longitude, preference::last},
    known_name{"x", "x", coordinate_kind::number, preference::last},
    known_name{"y", "y", coordinate_kind::number, preference::first},
    known_name{"time", "time", coordinate_kind::number, preference::any},
    known_name{"level", "level", coordinate_kind::number, preference::any},
    known_name{"pressure", "pressure", coordinate_kind::number, preference::any},
    known_name{"height", "height", coordinate_kind::number, preference::any},
    known_name{"depth", "depth", coordinate_kind::number, preference::any},
    known_name{"frequency", "frequency", coordinate_kind::number, preference::any},
    known_name{"step", "step", coordinate_kind::number, preference::any},
};

const known_name* find_name(std::string_view text) {
  std::string name(text);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const known_name& known : known_names)
    if (name == known.name || name == std::string(known.name) + "s") return &known;
  return nullptr;
}

double number_of(double x) { return x; }
double number_of(bool x) { return x ? 1 : 0; }
double number_of(std::complex<double> x) { return std::abs(x); }
double number_of(std::complex<float> x) { return std::abs(std::complex<double>(x)); }
template <class T>
double number_of(const T& x) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(x);
  else
    return static_cast<float>(x);
}

}  // namespace

void for_each_named(const message& in, const object& of, const std::function<bool(const object&)>& fits,
                    const std::function<bool(const object&, const known_name&)>& take) {
  failure why;
  const std::size_t objects = std::min(in.size(why), max_objects);
  std::size_t lookups = 0;
  for (std::size_t j = 0; j < objects && lookups < max_lookups; ++j) {
    if (j == of.index()) continue;
    const object other = in.at(j, why);
    if (why || !fits(other)) continue;
    ++lookups;
    const auto name = other.metadata(why).get<std::string_view>("name");
    const known_name* const known = name ? find_name(*name) : nullptr;
    if (known != nullptr && !take(other, *known)) return;
  }
}

std::optional<std::vector<double>> numbers_of(const object& o, const slice& part) {
  failure why;
  const tensor elements = o.decode_slab(part.slab(), why);
  if (why) return std::nullopt;
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(elements.size()));
  elements.visit(
      [&](const auto& all) {
        for (const auto& each : all.values()) out.push_back(number_of(each));  // dense, in C order
      },
      why);
  return why ? std::nullopt : std::optional(std::move(out));
}

}  // namespace tgmap::grids
