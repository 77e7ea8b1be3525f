// SPDX-License-Identifier: Apache-2.0
#include "decode/object_loader.hpp"

#include <algorithm>
#include <cstring>

#include "archive/access.hpp"
#include "archive/payload_access.hpp"
#include "decode/encoded_source.hpp"
#include "decode/range_decoder.hpp"
#include "decode/tensor_access.hpp"

namespace tgmap::decode {

namespace {

/// Whether the object that this thread decoded before was stored as its elements.
thread_local bool was_plain = true;

/// A mapped payload of at most a page is read with its descriptor, even if it may be borrowed.
constexpr std::uint64_t max_borrowed = 4096;

/// Returns whether elements are read at once, and by this thread. A hash covers more than the payload, and of several
/// threads each reads its part.
bool is_read_at_once(const decode_options& how) noexcept { return !how.verify && how.executor == nullptr; }

}  // namespace

bool object_loader::begin(const object& object, const decode_options& how, use what) noexcept {
  const std::uint64_t size = object.payload_and_masks_size();
  const bool is_borrowable = what == use::may_borrow && detail::is_mapped(object),
             may_borrow = is_borrowable && was_plain;
  reads_payload_ = is_read_at_once(how) && size != 0 && size <= (may_borrow ? max_borrowed : max_size) &&
                   size <= detail::options_of(object).max_decoded_bytes && detail::reads_by_calls(object);
  return reads_payload_ && was_plain && !is_borrowable && size == object.payload_size();
}

failure object_loader::load(const object& object, std::span<std::byte> output) noexcept {
  if (!reads_payload_) return held_.read(object);
  const std::uint64_t size = object.payload_and_masks_size();
  failure why;
  const bool is_output = output.size() == size && size == object.payload_size();
  const std::span<std::byte> to = is_output ? output : thread_workspace().verified.take(size, why);
  if (why || !held_.read_with(object, to, why)) return held_.read(object);
  region_ = to;
  if (is_output) output_ = output;
  return why;
}

bool object_loader::begin(const detail::archive_state& state, const detail::object_place& place,
                          const decode_options& how) noexcept {
  const std::uint64_t limit = std::min(max_size, state.options().max_decoded_bytes);
  return is_read_at_once(how) && place.length > wire::frame_header_size && place.length <= limit &&
         detail::reads_frame_by_calls(state);
}

bool object_loader::load(const detail::archive_state& state, const message_position& message,
                         const detail::located_frame& from, std::size_t j, tensor& output, object& object,
                         failure& why) noexcept {
  const detail::object_place& place = from.place;
  const std::uint64_t size = place.length - wire::frame_header_size;
  detail::whole_frame frame;
  failure unread;
  frame.rest = was_plain ? detail::tensor_access::allocate(output, size, unread)
                         : thread_workspace().verified.take(size, unread);
  detail::object_parts parts;
  // What cannot be read at once is read part by part, which finds the reason.
  if (unread || read_whole_frame(state, message, place, frame) ||
      !parse_whole_frame(state.options(), message, place, frame, parts))
    return false;
  state.objects().add(message, j, from.objects, parts);
  object = detail::access::make_object(state, message, j, parts);
  const auto at = static_cast<std::size_t>(parts.region_length);
  why = held_.take(object, frame.rest.subspan(at, static_cast<std::size_t>(parts.descriptor_length)));
  region_ = frame.rest.first(at);
  if (was_plain) output_ = frame.rest;
  return true;
}

failure object_loader::plan_for(const object& object, decode::plan& out) noexcept {
  if (failure why = decode::plan_for(object, held_.get(), out)) return why;
  was_plain = out.compression == nullptr && !out.packed() && !out.shuffled();
  if (output_.data() == nullptr || (was_plain && region_.size() == object.payload_size())) return {};
  // The object differs from the one before.
  failure why;
  const auto copy = thread_workspace().verified.take(region_.size(), why);
  if (why) return with_location(object, why);
  std::memcpy(copy.data(), region_.data(), region_.size());
  region_ = copy;
  output_ = {};
  return {};
}

failure object_loader::decode(plan& p, const object& object, const decode_options& how,
                              std::span<std::byte> out) noexcept {
  if (region_.data() == nullptr) return decode_elements(p, object, how, out);
  if (output_.data() != nullptr && region_.data() == out.data() && region_.size() == out.size())
    return finish_elements(p, object, how, out);
  const auto payload = static_cast<std::size_t>(object.payload_size());
  p.verified_payload = region_.first(payload);
  if (region_.size() > payload) p.verified_masks = region_.subspan(payload);
  return decode_elements(p, object, how, out);
}

}  // namespace tgmap::decode
