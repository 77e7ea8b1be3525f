// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/tgmap.hpp>

namespace tgmap_fuzz {

inline constexpr tgmap::open_options skip{.damage = tgmap::on_damage::skip};

/// The input as an archive that lies in memory.
inline tgmap::archive in_memory(std::span<const std::byte> data, const tgmap::open_options& options = skip) {
  return tgmap::archive::from_memory(data, options);
}

inline tgmap::archive in_memory(std::string_view data, const tgmap::open_options& options = skip) {
  return in_memory(std::as_bytes(std::span(data)), options);
}

/// The input as an archive in a file. The file is memory and has no name: no disk is touched.
tgmap::archive in_file(std::span<const std::byte> data, tgmap::io_mode io, tgmap::open_options options = skip);

/// Size and hash of bytes, as text.
std::string digest(std::span<const std::byte> data);

/// Everything that an object says of itself and holds, but not where it lies: the same object in another message, or
/// found in another way, has the same text.
std::string described(const tgmap::object&);

/// The objects of a message in that way, one after another; or why there are none.
std::string objects_of(const tgmap::message&);

}  // namespace tgmap_fuzz
