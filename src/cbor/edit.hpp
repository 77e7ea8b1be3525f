// SPDX-License-Identifier: Apache-2.0
// Changes of a canonical map, by paths as value::at_path reads them. A failure, and std::bad_alloc, leave it as it is.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <vector>

namespace tgmap::cbor {

/// Puts `item` where the path leads. Of a path that leads nowhere the longest part that leads somewhere counts; what
/// is missing behind it becomes maps. O(bytes) for each key or element of the path.
/// Errors: bad_key (empty, no UTF-8, or an element that is not there), cbor_too_deep.
[[nodiscard]] failure set_path(std::vector<std::byte>& map, std::string_view path, std::span<const std::byte> item);

/// The same of what `choose` says, which is told what is there; `changed`: whether that is another. Throws what
/// `choose` throws.
using chosen_item = std::function<std::span<const std::byte>(const std::optional<cbor_view>& there)>;
[[nodiscard]] failure set_path(std::vector<std::byte>& map, std::string_view path, const chosen_item& choose,
                               bool& changed);

/// Takes away the pair or the element that the path leads to. Returns whether there was one.
bool erase_path(std::vector<std::byte>& map, std::string_view path);

/// All pairs of both; where both have a key, the value of `other`. O(bytes).
void merge_maps(std::vector<std::byte>& map, std::span<const std::byte> other);

}  // namespace tgmap::cbor
