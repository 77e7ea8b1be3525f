// SPDX-License-Identifier: Apache-2.0
// Where the bytes lie that a step is about.
#pragma once

#include <array>
#include <cstdint>
#include <tgmap/message.hpp>
#include <tgmap/tools/explain.hpp>

namespace tgmap::explain {

using places = std::array<archive_range, 2>;

/// Header and footer of the message: all that lies before its first object and behind its last. The whole message when
/// there is no object between.
places around_objects(const message&, std::uint64_t objects) noexcept;

archive_range whole(const message&) noexcept;
archive_range frame_of(const object&) noexcept;
archive_range descriptor_of(const object&) noexcept;
archive_range payload_of(const object&) noexcept;

}  // namespace tgmap::explain
