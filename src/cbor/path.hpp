// SPDX-License-Identifier: Apache-2.0
// Keys, elements and paths in containers: what value::find, value::at and value::at_path do, for bytes that cannot go
// away, or all under one guard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tgmap/value.hpp>

namespace tgmap::cbor {

/// The value under that text key of a map; the last one when the key is repeated.
[[nodiscard]] std::optional<value> find_key(const value& map, std::string_view key) noexcept;

/// Element `i` of an array.
[[nodiscard]] std::optional<value> find_element(const value& array, std::uint64_t i) noexcept;

/// What value::at_path says.
[[nodiscard]] std::optional<value> find_path(const value& from, std::string_view path) noexcept;

}  // namespace tgmap::cbor
