// SPDX-License-Identifier: Apache-2.0
#include "write/plain_descriptor.hpp"

#include "wire/bytes.hpp"

namespace tgmap::write {

namespace {

bool is_plain(const new_object& what, const encode::encoded_object& encoded) noexcept {
  const pipeline& how = what.pipeline;
  return how.encoding == encoding::none && how.filter == filter::none && how.compression == compression::none &&
         encoded.mask_count == 0;
}

}  // namespace

std::span<const std::byte> plain_descriptor::find(const new_object& what,
                                                  const encode::encoded_object& encoded) const noexcept {
  const bool same = is_plain(what, encoded) && what.dtype == dtype_ && encoded.order == order_ &&
                    what.shape == shape_ && what.type == type_ && wire::equal(what.descriptor_extra.encoded(), more_);
  return same ? std::span<const std::byte>(descriptor_) : std::span<const std::byte>();
}

void plain_descriptor::keep(const new_object& what, const encode::encoded_object& encoded,
                            std::span<const std::byte> descriptor) {
  descriptor_.clear();  // what is kept in part is not found
  if (!is_plain(what, encoded)) return;
  dtype_ = what.dtype;
  order_ = encoded.order;
  shape_ = what.shape;
  type_ = what.type;
  more_.assign(what.descriptor_extra.encoded().begin(), what.descriptor_extra.encoded().end());
  descriptor_.assign(descriptor.begin(), descriptor.end());
}

}  // namespace tgmap::write
