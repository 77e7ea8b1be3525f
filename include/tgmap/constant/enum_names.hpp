// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Names of the values of enumerations of tensor constants, in both directions; see tgmap/enum_names.hpp.

#include <tgmap/constant/errc.hpp>
#include <tgmap/constant/write.hpp>
#include <tgmap/enum_names.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

TGMAP_API std::string_view to_string_view(block_order) noexcept;   ///< "as_stored", "sorted"
TGMAP_API std::string_view to_string_view(number_style) noexcept;  ///< "shortest", "upstream"

}  // namespace constant

template <>
TGMAP_API std::optional<constant::block_order> from_string<constant::block_order>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<constant::errc> from_string<constant::errc>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<constant::form> from_string<constant::form>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<constant::number_style> from_string<constant::number_style>(std::string_view) noexcept;

}  // namespace v0
}  // namespace tgmap
