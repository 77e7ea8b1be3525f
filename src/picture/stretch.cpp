// SPDX-License-Identifier: Apache-2.0
#include "picture/stretch.hpp"

#include <algorithm>
#include <cmath>

namespace tgmap::picture {

namespace {

/// The two old pixels that a new one lies on, along one side, and the share of the first.
struct cover {
  std::size_t first, second;
  double share;
};

std::vector<cover> covers(std::size_t from, std::size_t to) {
  std::vector<cover> out(to);
  const double step = static_cast<double>(from) / static_cast<double>(to);
  for (std::size_t i = 0; i < to; ++i) {
    const double begin = static_cast<double>(i) * step;
    const std::size_t first = std::min(static_cast<std::size_t>(begin), from - 1);
    const double share = (static_cast<double>(first + 1) - begin) / step;
    out[i] = {first, std::min(first + 1, from - 1), std::clamp(share, 0.0, 1.0)};
    if (out[i].share > 1 - 1e-9) out[i].second = first;
  }
  return out;
}

struct sums {
  double red = 0, green = 0, blue = 0, opacity = 0;

  void add(const pixel& p, double share) {
    const double weight = share * p.opacity;
    red += weight * p.ink.red;
    green += weight * p.ink.green;
    blue += weight * p.ink.blue;
    opacity += weight;
  }
  pixel mixed() const {
    if (opacity <= 0) return {};
    const auto channel = [&](double x) { return static_cast<std::uint8_t>(std::lround(x / opacity)); };
    return {{channel(red), channel(green), channel(blue)}, static_cast<std::uint8_t>(std::lround(opacity))};
  }
};

}  // namespace

std::vector<pixel> stretched(const std::vector<pixel>& from, std::size_t from_columns, std::size_t rows,
                             std::size_t columns) {
  const auto down = covers(from.size() / from_columns, rows), across = covers(from_columns, columns);
  std::vector<pixel> out;
  out.reserve(rows * columns);
  for (const cover& d : down)
    for (const cover& a : across) {
      const auto at = [&](std::size_t row, std::size_t column) { return from[row * from_columns + column]; };
      if (d.first == d.second && a.first == a.second) {
        out.push_back(at(d.first, a.first));
        continue;
      }
      sums mix;
      mix.add(at(d.first, a.first), d.share * a.share);
      mix.add(at(d.first, a.second), d.share * (1 - a.share));
      mix.add(at(d.second, a.first), (1 - d.share) * a.share);
      mix.add(at(d.second, a.second), (1 - d.share) * (1 - a.share));
      out.push_back(mix.mixed());
    }
  return out;
}

}  // namespace tgmap::picture
