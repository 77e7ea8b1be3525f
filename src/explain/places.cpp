// SPDX-License-Identifier: Apache-2.0
#include "explain/places.hpp"

namespace tgmap::explain {

namespace {

constexpr std::uint64_t frame_header = 16, tail_2 = 12, tail_3 = 20;  // docs/format.md §2.2, §2.4

}  // namespace

archive_range whole(const message& of) noexcept { return {of.offset(), of.offset() + of.length()}; }

archive_range frame_of(const object& of) noexcept {
  return {of.frame().offset(), of.frame().offset() + of.frame().length()};
}

archive_range payload_of(const object& of) noexcept {
  return {of.payload_offset(), of.payload_offset() + of.payload_size()};
}

archive_range descriptor_of(const object& of) noexcept {
  const archive_range frame = frame_of(of);
  const bool payload_first = (of.frame().flags() & 1) != 0;
  if (!payload_first) return {frame.begin + frame_header, of.payload_offset()};
  return {of.payload_offset() + of.payload_and_masks_size(),
          frame.end - (of.frame().message().version() == 2 ? tail_2 : tail_3)};
}

places around_objects(const message& of, std::uint64_t objects) noexcept {
  const archive_range all = whole(of);
  if (objects == 0) return {all};
  failure why;
  const object first = of.at(0, why);
  if (why) return {all};
  const object last = of.at(static_cast<std::size_t>(objects - 1), why);
  if (why) return {all};
  return {{{all.begin, frame_of(first).begin}, {frame_of(last).end, all.end}}};
}

}  // namespace tgmap::explain
