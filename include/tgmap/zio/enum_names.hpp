// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Names of the values of enumerations of ZIO, in both directions; see tgmap/enum_names.hpp.

#include <tgmap/enum_names.hpp>
#include <tgmap/zio/errc.hpp>
#include <tgmap/zio/flow.hpp>
#include <tgmap/zio/message.hpp>
#include <tgmap/zio/socket.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

TGMAP_API std::string_view to_string_view(flow_event) noexcept;  ///< "requested", "opened", "credited", …
TGMAP_API std::string_view to_string_view(flow_role) noexcept;   ///< "giver", "taker"
TGMAP_API std::string_view to_string_view(flow_side) noexcept;   ///< "client", "server"
TGMAP_API std::string_view to_string_view(flow_state) noexcept;  ///< "closed", "opening", "requested", …

}  // namespace zio

template <>
TGMAP_API std::optional<zio::errc> from_string<zio::errc>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<zio::flow_event> from_string<zio::flow_event>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<zio::flow_role> from_string<zio::flow_role>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<zio::flow_side> from_string<zio::flow_side>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<zio::flow_state> from_string<zio::flow_state>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<zio::level> from_string<zio::level>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<zio::socket_kind> from_string<zio::socket_kind>(std::string_view) noexcept;

}  // namespace v0
}  // namespace tgmap
