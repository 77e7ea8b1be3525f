// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/single_object_header.hpp"

#include "archive/access.hpp"
#include "archive/archive_state.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

single_object_header::single_object_header(const message& of) noexcept
    : state_(access::state(of)), position_(&of.position()), window_(state_->bytes(), locality_of(of.position())) {}

bool single_object_header::read() noexcept {
  if (position_->version() != 3) return false;
  state_->expect_header_after(*position_);
  return read_common_header(*state_, window_, *position_, max_whole_message, UINT64_MAX, header_) &&
         header_.objects == 1 && !header_.metadata.empty();
}

bool single_object_header::read_descriptor(std::span<const std::byte>& bytes, std::uint64_t& region) noexcept {
  object_parts parts;
  if (!state_->objects().find(*position_, 0, parts)) {
    if (!read_common_object(window_, *position_, header_.places[0], parts)) return false;
    state_->objects().add(*position_, 0, 1, parts);
  }
  if (parts.descriptor_length > io::window::largest) return false;
  window_.expect(locality_of(*position_, parts.length));
  failure why;
  bytes = window_.at(position_->offset() + parts.offset + parts.descriptor_offset,
                     static_cast<std::size_t>(parts.descriptor_length), why);
  region = parts.region_length;
  return !why;
}

void single_object_header::keep_places(object_cache::metadata_places places) const noexcept {
  places.body_offset = header_.metadata_offset - position_->offset();
  places.body_size = header_.metadata.size();
  places.has_one_object = true;
  state_->objects().add_metadata(*position_, 0, places);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
