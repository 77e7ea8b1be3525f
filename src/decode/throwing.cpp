// SPDX-License-Identifier: Apache-2.0
// The throwing door of everything that decodes: each member calls its twin.
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/object.hpp>
#include <utility>

namespace tgmap {
inline namespace v0 {

namespace {

/// What `call(failure&)` gives, or its failure as an exception.
template <class Call>
auto or_throw(Call&& call) {
  failure why;
  auto out = call(why);
  detail::raise_if(why);
  return out;
}

}  // namespace

std::uint64_t object::decoded_size() const {
  return or_throw([&](failure& why) { return decoded_size(why); });
}

tensor object::decode(const decode_options& how) const {
  return or_throw([&](failure& why) { return decode(how, why); });
}

void object::decode_into(tensor& out, const decode_options& how) const {
  failure why;
  decode_into(out, how, why);
  detail::raise_if(why);
}

void object::decode_into(std::span<std::byte> out, const decode_options& how) const {
  failure why;
  decode_into(out, how, why);
  detail::raise_if(why);
}

tensor object::decode_as(dtype as, const decode_options& how) const {
  return or_throw([&](failure& why) { return decode_as(as, how, why); });
}

std::vector<missing_mask> object::masks() const {
  return or_throw([&](failure& why) { return masks(why); });
}

tensor object::decode_range(std::uint64_t offset, std::uint64_t count, const decode_options& how) const {
  return or_throw([&](failure& why) { return decode_range(offset, count, how, why); });
}

tensor object::decode_slab(const slab& box, const decode_options& how) const {
  return or_throw([&](failure& why) { return decode_slab(box, how, why); });
}

void object::verify_block_offsets() const {
  failure why;
  verify_block_offsets(why);
  detail::raise_if(why);
}

part_cost object::part_cost(const slab& box, const decode_options& how) const {
  return or_throw([&](failure& why) { return part_cost(box, how, why); });
}

part_reader::part_reader(const object& of, const decode_options& how)
    : part_reader(or_throw([&](failure& why) { return open(of, how, why); })) {}

tensor part_reader::range(std::uint64_t offset, std::uint64_t count) const {
  return or_throw([&](failure& why) { return range(offset, count, why); });
}

void part_reader::range_into(std::uint64_t offset, std::uint64_t count, std::span<std::byte> out) const {
  failure why;
  range_into(offset, count, out, why);
  detail::raise_if(why);
}

tensor part_reader::slab(const tgmap::slab& box) const {
  return or_throw([&](failure& why) { return slab(box, why); });
}

void part_reader::slabs_into(std::span<const tgmap::slab> boxes, std::span<const std::span<std::byte>> out) const {
  failure why;
  slabs_into(boxes, out, why);
  detail::raise_if(why);
}

part_cost part_reader::cost(std::uint64_t offset, std::uint64_t count) const {
  return or_throw([&](failure& why) { return cost(offset, count, why); });
}

part_cost part_reader::cost(const tgmap::slab& box) const {
  return or_throw([&](failure& why) { return cost(box, why); });
}

}  // namespace v0
}  // namespace tgmap
