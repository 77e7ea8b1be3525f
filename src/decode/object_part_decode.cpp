// SPDX-License-Identifier: Apache-2.0
// Members of object that decode parts, or none: sizes, ranges, boxes and offsets of blocks.
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/object.hpp>

#include "archive/access.hpp"
#include "archive/owned_descriptor.hpp"
#include "archive/payload_access.hpp"
#include "decode/encoded_source.hpp"
#include "decode/plan.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// Plans the sizes before and after decoding and checks the limits.
failure sizes_of(const object& object, detail::owned_descriptor& held, decode::plan& out) noexcept {
  if (failure why = held.read(object)) return why;
  const std::uint64_t max_bytes = detail::options_of(object).max_decoded_bytes;
  return decode::with_location(object, plan_sizes(held.get(), object.payload_size(), max_bytes, out));
}

}  // namespace

std::uint64_t object::decoded_size(failure& why) const noexcept {
  detail::owned_descriptor held;
  decode::plan sizes;
  why = sizes_of(*this, held, sizes);
  return why ? 0 : sizes.decoded;
}

std::uint64_t object::decoded_size() const {
  return detail::or_throw([&](failure& why) { return decoded_size(why); });
}

void object::verify_block_offsets(failure& why) const noexcept {
  detail::owned_descriptor held;
  why = held.read(*this);
  if (why || !held.get().entries.find("szip_block_offsets")) return;
  decode::plan plan;
  why = decode::plan_for(*this, held.get(), plan);
  if (why || plan.descriptor.compression != compression::szip || plan.encoded == 0) return;
  decode::encoded_source source;
  why = source.open(plan, *this, decode::reading::parts);
  if (!why)
    why = source.whole_only() ? failure{.code = errc::bad_parameter, .argument = "szip_block_offsets"}
                              : source.check_offsets(decode::thread_workspace());
  why = decode::with_location(*this, why);
}

void object::verify_block_offsets() const {
  failure why;
  verify_block_offsets(why);
  detail::raise_if(why);
}

tensor object::decode_range(std::uint64_t offset, std::uint64_t count, const decode_options& how,
                            failure& why) const noexcept {
  const auto by = part_reader::open(*this, how, why);
  return why ? tensor() : by.range(offset, count, why);
}

tensor object::decode_range(std::uint64_t offset, std::uint64_t count, const decode_options& how) const {
  return detail::or_throw([&](failure& why) { return decode_range(offset, count, how, why); });
}

tensor object::decode_slab(const slab& box, const decode_options& how, failure& why) const noexcept {
  const auto by = part_reader::open(*this, how, why);
  return why ? tensor() : by.slab(box, why);
}

tensor object::decode_slab(const slab& box, const decode_options& how) const {
  return detail::or_throw([&](failure& why) { return decode_slab(box, how, why); });
}

part_cost object::part_cost(const slab& box, const decode_options& how, failure& why) const noexcept {
  const auto by = part_reader::open(*this, how, why);
  return why ? tgmap::part_cost() : by.cost(box, why);
}

part_cost object::part_cost(const slab& box, const decode_options& how) const {
  return detail::or_throw([&](failure& why) { return part_cost(box, how, why); });
}

}  // namespace v0
}  // namespace tgmap
