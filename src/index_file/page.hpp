// SPDX-License-Identifier: Apache-2.0
// Pages of an index file (docs/index_format.md): 4,088 bytes of content and their checksum.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "wire/bytes.hpp"

namespace tgmap::index_file {

inline constexpr std::size_t page_size = 4096;
inline constexpr std::size_t content_size = page_size - sizeof(std::uint64_t);

using page_bytes = std::span<std::byte, page_size>;
using const_page_bytes = std::span<const std::byte, page_size>;

/// Returns the checksum of the content of a page. It depends on the file and on the number of the page, so a page of
/// another file, or at another place, does not pass. Finds accidents, not attacks.
inline std::uint64_t page_checksum(const_page_bytes page, std::uint64_t identity, std::uint64_t number) noexcept {
  return XXH3_64bits_withSeed(page.data(), content_size, identity + number);
}

/// Stores the checksum at the end of the page.
inline void seal_page(page_bytes page, std::uint64_t identity, std::uint64_t number) noexcept {
  wire::store_le(page.data() + content_size, page_checksum(page, identity, number));
}

/// Checks the stored checksum.
inline bool is_sound_page(const_page_bytes page, std::uint64_t identity, std::uint64_t number) noexcept {
  return wire::load_le<std::uint64_t>(page.data() + content_size) == page_checksum(page, identity, number);
}

/// Number of records of this size on one page. A record never continues on the next page.
constexpr std::uint64_t records_per_page(std::size_t record_size) noexcept { return content_size / record_size; }

/// Number of pages for so many records.
constexpr std::uint64_t pages_for(std::uint64_t records, std::size_t record_size) noexcept {
  const std::uint64_t each = records_per_page(record_size);
  return records / each + (records % each != 0);
}

}  // namespace tgmap::index_file
