// SPDX-License-Identifier: Apache-2.0
// Keys, elements and paths in containers: what value::find, value::at and value::at_path do, for bytes that cannot go
// away, or all under one guard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tgmap/cbor_view.hpp>

namespace tgmap::cbor {

/// The value under that text key of a map; the last one when the key is repeated.
[[nodiscard]] std::optional<cbor_view> find_key(const cbor_view& map, std::string_view key) noexcept;

/// The first key of a map that is one of `names`, at most 32, for the second time. However keys are spelled: with
/// longer heads or in pieces they are the same. O(bytes of the map), no allocation.
[[nodiscard]] std::optional<cbor_view> find_repeated(const cbor_view& map,
                                                     std::span<const std::string_view> names) noexcept;

/// Element `i` of an array.
[[nodiscard]] std::optional<cbor_view> find_element(const cbor_view& array, std::uint64_t i) noexcept;

/// How far a path leads.
struct trail {
  std::optional<cbor_view> found{};  ///< what is at its end
  cbor_view container{};             ///< the map or array that `found` lies in
  unsigned around = 0;               ///< containers that `found` lies in; when there is none, those around `nearest`
  cbor_view nearest{};   ///< where nothing is found: what the longest part of the path before a dot leads to
  std::size_t rest = 0;  ///< where the path goes on from `nearest`: behind that dot
};
[[nodiscard]] trail follow_path(const cbor_view& from, std::string_view path) noexcept;

/// What value::at_path says.
[[nodiscard]] std::optional<cbor_view> find_path(const cbor_view& from, std::string_view path) noexcept;

}  // namespace tgmap::cbor
