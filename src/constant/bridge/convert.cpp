// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <new>
#include <tgmap/constant/convert.hpp>

#include "constant/model/byte_buffer.hpp"
#include "constant/model/cell.hpp"
#include "constant/model/constant_access.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

/// The new cells, and the owner of the labels.
struct converted_cells {
  pin labels{};
  byte_buffer cells{};
};

template <class Cell>
failure convert_cells(const tensor_constant& constant, const cell_rules& rules, std::byte* to) noexcept {
  for (std::uint64_t i = 0; i < constant.size(); ++i) {
    Cell cell;
    if (!store_cell(constant.value(i), cell, rules)) return {.code = errc::out_of_cell_range, .found = i};
    std::memcpy(to + i * sizeof cell, &cell, sizeof cell);
  }
  return {};
}

}  // namespace

tensor_constant convert(const tensor_constant& constant, dtype cells, const read_options& how, failure& why) noexcept
    try {
  why = {};
  if (cells == constant.type().cell_type()) return constant;
  constant_parts parts = constant_access::parts(constant);
  const auto all = constant.type().dimensions();
  parts.type = tensor_type::make(cells, {all.begin(), all.end()}, why);
  if (why) return {};
  const auto owner = std::make_shared<converted_cells>(converted_cells{.labels = parts.owner});
  if (!owner->cells.allocate_zeros(constant.size() * element_size(cells))) {
    why = {.code = tgmap::errc::out_of_memory};
    return {};
  }
  const cell_rules rules{how.round_to_nearest, how.reject_fractions};
  why = visit_cell_type(cells,
                        [&](auto like) { return convert_cells<decltype(like)>(constant, rules, owner->cells.data()); });
  if (why) return {};
  parts.cells = owner->cells.bytes();
  parts.is_borrowed = false;
  parts.owner = pin(owner);
  return constant_access::make(std::move(parts));
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

tensor_constant convert(const tensor_constant& constant, dtype cells, const read_options& how) {
  failure why;
  tensor_constant out = convert(constant, cells, how, why);
  tgmap::detail::raise_if(why);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
