// SPDX-License-Identifier: Apache-2.0
// Decides if the index of a user may be used.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Returns whether a user is in a list: names or numbers of users, and `group:NAME` for the members of a group, with
/// commas between them. Names that do not exist are nobody.
bool is_listed_user(std::string_view list, std::uint32_t user);

/// Checks that an index of this user may be used: it is the owner of the archive, root, the user of this process, or a
/// user whom `trusted` or the variable TGMAP_TRUST_INDEX_OF lists. Programs with more rights than their user do not
/// read the variable. Errors: index_not_owned. Throws std::bad_alloc.
failure check_index_owner(std::uint32_t owner, std::optional<std::uint32_t> archive_owner, std::string_view trusted);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
