// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tgmap/cbor_view.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Checks if an encoder used the flags of szip descriptors unchanged (§7.4): the reference implementation before
/// release 0.7.0, or an encoder that does not state its name.
bool wrote_legacy_szip(const std::optional<std::string>& encoder, const std::optional<std::string>& release) noexcept;
/// Does the same for a `_reserved_` map in memory that cannot change. Throws std::bad_alloc.
bool wrote_legacy_szip(const cbor_view& reserved);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
