// SPDX-License-Identifier: Apache-2.0
// Names of the values of an enumeration: one table for both directions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tgmap::core {

/// Returns the name of a value, where `names` begins with that of the value `first`; "unknown" for other numbers, which
/// a newer library may have passed.
template <class Enum, std::size_t Count>
constexpr std::string_view name_of(const std::array<std::string_view, Count>& names, Enum value,
                                   std::size_t first = 0) noexcept {
  const std::size_t at = static_cast<std::size_t>(value) - first;
  return at < Count ? names[at] : "unknown";
}

/// Returns the value of a name, or nothing.
template <class Enum, std::size_t Count>
constexpr std::optional<Enum> value_of(const std::array<std::string_view, Count>& names, std::string_view name,
                                       std::size_t first = 0) noexcept {
  for (std::size_t i = 0; i < Count; ++i)
    if (names[i] == name) return static_cast<Enum>(i + first);
  return std::nullopt;
}

}  // namespace tgmap::core

/// Defines to_string_view() of an enumeration from the names of its values in their order, of which the first is
/// numbered `first`.
#define TGMAP_VALUE_NAMES(Enum, first, ...)                                            \
  static constexpr auto Enum##_names = std::to_array<std::string_view>({__VA_ARGS__}); \
  std::string_view to_string_view(Enum value) noexcept { return core::name_of(Enum##_names, value, first); }

/// Defines from_string() too. Belongs into the namespace tgmap.
#define TGMAP_ENUM_NAMES(Enum, first, ...)                                \
  TGMAP_VALUE_NAMES(Enum, first, __VA_ARGS__)                             \
  template <>                                                             \
  std::optional<Enum> from_string<Enum>(std::string_view name) noexcept { \
    return core::value_of<Enum>(Enum##_names, name, first);               \
  }

/// Does the same for an enumeration of a namespace in tgmap.
#define TGMAP_INNER_ENUM_NAMES(inner, Enum, first, ...)                                 \
  namespace inner {                                                                     \
  TGMAP_VALUE_NAMES(Enum, first, __VA_ARGS__)                                           \
  }                                                                                     \
  template <>                                                                           \
  std::optional<inner::Enum> from_string<inner::Enum>(std::string_view name) noexcept { \
    return core::value_of<inner::Enum>(inner::Enum##_names, name, first);               \
  }
