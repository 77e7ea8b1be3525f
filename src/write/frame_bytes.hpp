// SPDX-License-Identifier: Apache-2.0
// Frames other than data objects, put together in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wire/frame.hpp"
#include "write/digest.hpp"
#include "write/frame_facts.hpp"

namespace tgmap::write {

/// Frames begin at multiples of this.
inline constexpr std::uint64_t least_alignment = 8;

/// Appends such a frame, whose body `put_body()` appends, and the padding behind it. Messages begin at multiples of 8
/// in `to`. Returns the length of the frame without padding. Throws what `put_body` throws.
template <class PutBody>
std::uint64_t put_frame(std::vector<std::byte>& to, wire::frame_kind type, const frame_options& how,
                        PutBody&& put_body) {
  const auto version = static_cast<unsigned>(how.version);
  const bool hashed = how.hashes && version != 2;
  const std::size_t at = to.size();
  to.resize(at + wire::frame_header_size);
  put_body();
  const auto body = std::span<const std::byte>(to).subspan(at + wire::frame_header_size);
  const wire::frame_tail tail{.hash = hashed ? digest::of(body) : 0};
  const std::size_t tail_at = to.size();
  const std::size_t length = tail_at - at + wire::tail_size(type, version);
  to.resize(at + wire::align8(length));
  wire::put_frame_header(to.data() + at, {.type = type,
                                          .version = 1,
                                          .flags = static_cast<std::uint16_t>(hashed ? wire::hash_present_flag : 0),
                                          .length = length});
  wire::put_frame_tail(to.data() + tail_at, tail, type, version);
  return length;
}

/// Bytes of such a frame with its padding.
constexpr std::uint64_t frame_room(std::uint64_t body, wire::frame_kind type, int version) noexcept {
  return wire::align8(wire::frame_header_size + body + wire::tail_size(type, static_cast<unsigned>(version)));
}

}  // namespace tgmap::write
