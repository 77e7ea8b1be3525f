// SPDX-License-Identifier: Apache-2.0
#include "grid/slice.hpp"

#include <algorithm>

namespace tgmap::grids {

namespace {

std::string text_of(const slice::extent& e) {
  const auto text = [](std::uint64_t n) { return std::to_string(n); };
  if (e.is_index) return text(e.begin);
  if (e.begin == 0 && e.size == e.full_size) return ":";
  if (e.step == 1 || e.size == 0) return text(e.begin) + ":" + text(e.begin + e.size);
  return text(e.begin) + ":" + text(e.index(e.size - 1) + 1) + ":" + text(e.step);
}

/// Returns "[a, b]" of the texts of the items.
template <class Items, class Text>
std::string listed(const Items& items, const Text& text) {
  std::string out = "[";
  for (const auto& each : items) out.append(out.size() == 1 ? "" : ", ").append(text(each));
  return out + "]";
}

}  // namespace

std::uint64_t slice::elements() const noexcept {
  // Cannot overflow: reading the descriptor checked the product of all extents, unless one of them is 0.
  std::uint64_t out = 1;
  for (const extent& e : dimensions)
    if (e.size == 0) return 0;
  for (const extent& e : dimensions) out *= e.size;
  return out;
}

std::vector<std::size_t> slice::axes() const {
  std::vector<std::size_t> out;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    if (!dimensions[d].is_index && dimensions[d].size != 1) out.push_back(d);
  for (std::size_t d = dimensions.size(); d-- > 0 && out.empty();)
    if (!dimensions[d].is_index) out.push_back(d);
  return out;
}

std::vector<std::size_t> slice::ranges() const {
  std::vector<std::size_t> out;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    if (!dimensions[d].is_index) out.push_back(d);
  return out;
}

std::vector<std::uint64_t> slice::shape() const {
  std::vector<std::uint64_t> out;
  for (const std::size_t d : ranges()) out.push_back(dimensions[d].size);
  return out;
}

bool slice::is_full() const noexcept {
  return std::all_of(dimensions.begin(), dimensions.end(), [](const extent& e) { return e.size == e.full_size; });
}

tgmap::slab slice::slab() const {
  tgmap::slab out;
  for (const extent& e : dimensions) {
    out.start.push_back(e.begin);
    out.count.push_back(e.size);
    out.stride.push_back(e.step);
  }
  return out;
}

std::string slice::text() const { return dimensions.empty() ? "[...]" : listed(dimensions, text_of); }

slice full_slice(std::span<const std::uint64_t> shape) {
  slice out;
  for (const std::uint64_t size : shape) out.dimensions.push_back({0, size, size, false});
  return out;
}

slice default_slice(std::span<const std::uint64_t> shape) {
  slice out = full_slice(shape);
  if (out.elements() == 0) return out;
  const auto axes = out.axes();
  for (std::size_t i = 0; i + 2 < axes.size(); ++i) {
    out.dimensions[axes[i]].size = 1;
    out.dimensions[axes[i]].is_index = true;
  }
  return out;
}

std::string shape_text(std::span<const std::uint64_t> shape) {
  return listed(shape, [](std::uint64_t n) { return std::to_string(n); });
}

}  // namespace tgmap::grids
