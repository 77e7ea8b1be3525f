// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "index_file/format.hpp"

namespace tgmap::index_file {

namespace {

/// The numbers of 8 bytes from the identity on, in the order of the file.
constexpr std::array numbers{
    &trailer::identity,
    &trailer::covered,
    &trailer::messages,
    &trailer::objects,
    &trailer::layouts,
    &trailer::gaps,
    &trailer::pages,
    &trailer::runs,
    &trailer::max_padding,
    &trailer::max_objects,
    &trailer::max_metadata_bytes,
    &trailer::sample_seed,
    &trailer::samples,
    &trailer::structure,
    &trailer::archive_offset,
    &trailer::made_at,
};
constexpr std::size_t first_number = 16;
constexpr std::size_t made_by_offset = first_number + numbers.size() * 8;
static_assert(made_by_offset + sizeof(trailer::made_by) == trailer::size);

}  // namespace

trailer trailer::load(const_page_bytes from) noexcept {
  trailer out;
  out.version = wire::load_le<std::uint16_t>(from.data() + 8);
  out.required_features = wire::load_le<std::uint32_t>(from.data() + 12);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    out.*numbers[i] = wire::load_le<std::uint64_t>(from.data() + first_number + i * 8);
  std::memcpy(out.made_by.data(), from.data() + made_by_offset, out.made_by.size());
  return out;
}

void trailer::store(page_bytes to) const noexcept {
  std::ranges::copy(magic, to.begin());
  wire::store_le(to.data() + 8, version);
  wire::store_le(to.data() + 12, required_features);
  for (std::size_t i = 0; i < numbers.size(); ++i) wire::store_le(to.data() + first_number + i * 8, this->*numbers[i]);
  std::memcpy(to.data() + made_by_offset, made_by.data(), made_by.size());
}

}  // namespace tgmap::index_file
