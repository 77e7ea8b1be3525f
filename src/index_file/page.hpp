// SPDX-License-Identifier: Apache-2.0
// Pages of an index file (docs/index_format.md): 4,088 bytes of content and their checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::index_file {

inline constexpr std::size_t page_size = 4096;
inline constexpr std::size_t content_size = page_size - sizeof(std::uint64_t);

using page_bytes = std::span<std::byte, page_size>;
using const_page_bytes = std::span<const std::byte, page_size>;

/// Returns the checksum of the content of a page. It depends on the file and on the number of the page, so a page of
/// another file, or at another place, does not pass. Finds accidents, not attacks.
std::uint64_t page_checksum(const_page_bytes, std::uint64_t identity, std::uint64_t number) noexcept;

/// Stores the checksum at the end of the page.
void seal_page(page_bytes, std::uint64_t identity, std::uint64_t number) noexcept;

/// Checks the stored checksum.
bool is_sound_page(const_page_bytes, std::uint64_t identity, std::uint64_t number) noexcept;

/// Number of records of this size on one page. A record never continues on the next page.
constexpr std::uint64_t records_per_page(std::size_t record_size) noexcept { return content_size / record_size; }

/// Number of pages for so many records.
constexpr std::uint64_t pages_for(std::uint64_t records, std::size_t record_size) noexcept {
  const std::uint64_t each = records_per_page(record_size);
  return records / each + (records % each != 0);
}

}  // namespace tgmap::index_file
