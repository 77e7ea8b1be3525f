// SPDX-License-Identifier: Apache-2.0
#include "index_file/page.hpp"

#include <xxhash.h>

#include "wire/bytes.hpp"

namespace tgmap::index_file {

std::uint64_t page_checksum(const_page_bytes page, std::uint64_t identity, std::uint64_t number) noexcept {
  return XXH3_64bits_withSeed(page.data(), content_size, identity + number);
}

void seal_page(page_bytes page, std::uint64_t identity, std::uint64_t number) noexcept {
  wire::store_le(page.data() + content_size, page_checksum(page, identity, number));
}

bool is_sound_page(const_page_bytes page, std::uint64_t identity, std::uint64_t number) noexcept {
  return wire::load_le<std::uint64_t>(page.data() + content_size) == page_checksum(page, identity, number);
}

}  // namespace tgmap::index_file
