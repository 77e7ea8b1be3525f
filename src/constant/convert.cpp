// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <new>
#include <tgmap/constant/convert.hpp>

#include "constant/constant_access.hpp"
#include "constant/grown_memory.hpp"
#include "constant/json/cell.hpp"
#include "constant/json/each_cell_type.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

/// New cells, and what keeps the labels.
struct converted_cells {
  pin labels{};
  grown_memory cells{};
};

template <class Cell>
failure convert_cells(const tensor_constant& from, const json::cell_rules& rules, std::byte* to) noexcept {
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    Cell cell;
    if (!json::put_cell(from.value(i), cell, rules)) return {.code = errc::out_of_cell_range, .found = i};
    std::memcpy(to + i * sizeof cell, &cell, sizeof cell);
  }
  return {};
}

}  // namespace

tensor_constant convert(const tensor_constant& from, dtype cells, const read_options& how, failure& why) noexcept try {
  why = {};
  if (cells == from.type().cell_type()) return from;
  constant_parts parts = constant_access::parts(from);
  const auto all = from.type().dimensions();
  parts.type = tensor_type::make(cells, {all.begin(), all.end()}, why);
  if (why) return {};
  const auto made = std::make_shared<converted_cells>(converted_cells{.labels = parts.owner});
  if (!made->cells.zeros(from.size() * element_size(cells))) {
    why = {.code = tgmap::errc::out_of_memory};
    return {};
  }
  const json::cell_rules rules{how.round_to_nearest, how.reject_fractions};
  why = json::for_cell_type(cells,
                            [&](auto like) { return convert_cells<decltype(like)>(from, rules, made->cells.data()); });
  if (why) return {};
  parts.cells = made->cells.bytes();
  parts.borrowed = false;
  parts.owner = pin(made);
  return constant_access::make(std::move(parts));
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

tensor_constant convert(const tensor_constant& from, dtype cells, const read_options& how) {
  failure why;
  tensor_constant out = convert(from, cells, how, why);
  tgmap::detail::raise_if(why);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
