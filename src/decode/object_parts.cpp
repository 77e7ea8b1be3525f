// SPDX-License-Identifier: Apache-2.0
// The members of object that decode parts, each by a reader made for the call.
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/object.hpp>

namespace tgmap {
inline namespace v0 {

tensor object::decode_range(std::uint64_t offset, std::uint64_t count, const decode_options& how,
                            failure& why) const noexcept {
  const auto by = part_reader::open(*this, how, why);
  return why ? tensor() : by.range(offset, count, why);
}

tensor object::decode_slab(const slab& box, const decode_options& how, failure& why) const noexcept {
  const auto by = part_reader::open(*this, how, why);
  return why ? tensor() : by.slab(box, why);
}

part_cost object::part_cost(const slab& box, const decode_options& how, failure& why) const noexcept {
  const auto by = part_reader::open(*this, how, why);
  return why ? tgmap::part_cost() : by.cost(box, why);
}

}  // namespace v0
}  // namespace tgmap
