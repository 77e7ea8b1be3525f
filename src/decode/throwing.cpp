// SPDX-License-Identifier: Apache-2.0
// The throwing door of everything that decodes: each member calls its twin.
#include <tgmap/object.hpp>
#include <tgmap/part_reader.hpp>
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

std::uint64_t object_decoding::decoded_size() const {
  return or_throw([&](failure& why) { return decoded_size(why); });
}

tensor object_decoding::decode(const decode_options& how) const {
  return or_throw([&](failure& why) { return decode(how, why); });
}

void object_decoding::decode_into(tensor& out, const decode_options& how) const {
  failure why;
  decode_into(out, how, why);
  detail::raise_if(why);
}

void object_decoding::decode_into(std::span<std::byte> out, const decode_options& how) const {
  failure why;
  decode_into(out, how, why);
  detail::raise_if(why);
}

std::vector<missing_mask> object_decoding::masks() const {
  return or_throw([&](failure& why) { return masks(why); });
}

}  // namespace v0
}  // namespace tgmap
