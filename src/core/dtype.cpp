// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <tgmap/dtype.hpp>
#include <tgmap/enum_names.hpp>

#include "core/text/same_text.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

struct dtype_info {
  std::string_view name;
  std::uint8_t width;  // bytes of an element; 0: one bit
  std::uint8_t swap;   // bytes swapped together
};

// In the order of the enumerators.
constexpr std::array<dtype_info, dtype_count> table{{
    {"float16", 2, 2},
    {"bfloat16", 2, 2},
    {"float32", 4, 4},
    {"float64", 8, 8},
    {"complex64", 8, 4},
    {"complex128", 16, 8},
    {"int8", 1, 1},
    {"int16", 2, 2},
    {"int32", 4, 4},
    {"int64", 8, 8},
    {"uint8", 1, 1},
    {"uint16", 2, 2},
    {"uint32", 4, 4},
    {"uint64", 8, 8},
    {"bitmask", 0, 1},
}};

const dtype_info& of(dtype type) noexcept { return table[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view to_string_view(dtype type) noexcept {
  return static_cast<std::size_t>(type) < table.size() ? of(type).name : "unknown";
}
std::size_t element_size(dtype type) noexcept { return of(type).width; }
std::size_t swap_unit(dtype type) noexcept { return of(type).swap; }

std::optional<dtype> dtype_from_name(std::string_view wanted) noexcept {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (core::same_text(table[i].name, wanted)) return static_cast<dtype>(i);
  return std::nullopt;
}

template <>
std::optional<dtype> from_string<dtype>(std::string_view name) noexcept {
  return dtype_from_name(name);
}

std::optional<std::uint64_t> size_bytes(dtype type, std::uint64_t elements) noexcept {
  if (type == dtype::bitmask) return elements / 8 + (elements % 8 != 0 ? 1 : 0);
  const std::uint64_t each = element_size(type);
  if (elements > UINT64_MAX / each) return std::nullopt;
  return elements * each;
}

}  // namespace v0
}  // namespace tgmap
