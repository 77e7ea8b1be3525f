// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/tgmap.hpp>

namespace tgmap_fuzz {

inline constexpr tgmap::open_options skip{.damage = tgmap::on_damage::skip};

/// Opens the input as an archive in memory.
inline tgmap::archive in_memory(std::span<const std::byte> data, const tgmap::open_options& options = skip) {
  return tgmap::archive::from_memory(data, options);
}

inline tgmap::archive in_memory(std::string_view data, const tgmap::open_options& options = skip) {
  return in_memory(std::as_bytes(std::span(data)), options);
}

/// Opens the input as an archive in a file. The file is anonymous memory; no disk is used.
tgmap::archive in_file(std::span<const std::byte> data, tgmap::io_mode io, tgmap::open_options options = skip);

/// Returns the size and a hash of bytes as text.
std::string fingerprint(std::span<const std::byte> data);

/// Returns a text with the whole content of an object, but not its position. It is the same text in another message,
/// and however the object is found.
std::string description_of(const tgmap::object&);

/// Returns the descriptions of all objects of a message, or the error.
std::string descriptions_of(const tgmap::message&);

}  // namespace tgmap_fuzz
