// SPDX-License-Identifier: Apache-2.0
#include "archive/access.hpp"

#include <new>

#include "archive/state.hpp"
#include "cbor/prescan.hpp"
#include "wire/preamble.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

archive access::make_archive(std::unique_ptr<io::source> bytes, const open_options& options, failure& why) noexcept {
  archive out;
  if (why || !bytes) return out;
  if (options.max_cbor_depth > cbor::deepest) {
    why = {.code = errc::invalid_option,
           .expected = cbor::deepest,
           .found = options.max_cbor_depth,
           .argument = "open_options::max_cbor_depth"};
    return out;
  }
  try {
    out.state_ = std::make_shared<const archive_state>(std::move(bytes), options);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory, .found = sizeof(archive_state)};
  }
  return out;
}

frame access::make_frame(const archive_state& state, const message_position& message,
                         const frame_place& place) noexcept {
  frame out;
  out.state_ = &state;
  out.message_ = message;
  out.at_ = place.at;
  out.length_ = place.header.length;
  out.padding_ = place.padding;
  out.type_ = static_cast<frame_type>(place.header.type);
  out.frame_version_ = place.header.version;
  out.flags_ = place.header.flags;
  return out;
}

frame_range access::make_frames(const archive_state& state, const message_position& message) noexcept {
  frame_range out;
  out.state_ = &state;
  out.message_ = message;
  out.done_ = false;
  return out;
}

byte_range access::body_range(const frame& of) noexcept {
  const std::uint64_t around = wire::least_frame(static_cast<std::uint16_t>(of.type_), of.message_.version());
  return {.at = of.offset() + wire::frame_header_size, .size = of.length_ - around};
}

failure access::beyond(const archive_state& state, std::size_t index) noexcept {
  if (const auto gap = state.scan().stopped_at()) {
    failure why = gap->cause;  // keeps the offset of what is wrong there
    why.code = errc::damaged;
    why.offset = gap->begin;
    why.expected = gap->end;
    why.found = gap->begin;
    why.message = state.scan().table().size();
    return why;
  }
  return {.code = errc::out_of_range, .expected = state.scan().table().size(), .found = index};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
