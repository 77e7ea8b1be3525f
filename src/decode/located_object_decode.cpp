// SPDX-License-Identifier: Apache-2.0
#include <tgmap/located_object.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/lookup/frame_places.hpp"
#include "decode/object_loader.hpp"
#include "decode/plan.hpp"
#include "decode/tensor_access.hpp"

namespace tgmap {
inline namespace v0 {

using detail::tensor_access;

tensor located_object::decode(const decode_options& how, failure& why) const noexcept {
  why = {};
  tensor out;
  const detail::archive_state* const state = detail::access::state(message_);
  const detail::located_frame frame = place();
  decode::object_loader loader;
  object from;
  if (is_read_ || state == nullptr || !loader.begin(*state, frame.place, how) ||
      !loader.load(*state, message_.position(), frame, index_, out, from, why)) {
    from = read(why);
    if (!why) from.decode_into(out, how, why);
    return why ? tensor() : std::move(out);
  }
  if (why) return {};
  decode::plan plan;
  if (!tensor_access::describe(out, loader.get(), how.strides))
    why = decode::with_location(from, {.code = errc::unsupported_strides});
  tensor_access::set_order(out, detail::wanted_order(loader.get(), how.byte_order));
  if (!why) why = loader.plan_for(from, plan);
  if (why) return {};
  const auto memory = tensor_access::allocate(out, plan.decoded, why);
  if (!why) why = loader.decode(plan, from, how, memory);
  why = decode::with_location(from, why);
  return why ? tensor() : std::move(out);
}

tensor located_object::decode(const decode_options& how) const {
  return detail::or_throw([&](failure& why) { return decode(how, why); });
}

}  // namespace v0
}  // namespace tgmap
