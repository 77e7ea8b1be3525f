// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/carry/object_mask.hpp"

#include <algorithm>
#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

/// Where a mask lies, as its descriptor says.
struct mask_place {
  std::string_view method{};
  std::uint64_t offset = 0, length = 0;
};

bool read_mask_place(const cbor_view& masks, mask_place& out) noexcept {
  const auto nan = masks.size() == 1 ? masks.find("nan") : std::nullopt;
  if (!nan) return false;
  const auto method = nan->find("method"), offset = nan->find("offset"), length = nan->find("length");
  if (!method || !offset || !length) return false;
  const auto name = method->get<std::string_view>();
  const auto at = offset->get<std::uint64_t>(), size = length->get<std::uint64_t>();
  if (!name || !at || !size || (*name != "none" && *name != "rle")) return false;
  out = {.method = *name, .offset = *at, .length = *size};
  return true;
}

/// Reads runs of alternating bits: the value of the first one, then lengths in LEB128, of `elements` in all. Sets a bit
/// for each element that is not marked. Returns false if they are of other elements.
bool read_runs(byte_view blob, std::uint64_t elements, std::span<std::byte> present) noexcept {
  if (blob.empty() || std::to_integer<unsigned>(blob[0]) > 1) return blob.empty() && elements == 0;
  bool marked = blob[0] == std::byte{1};
  std::uint64_t done = 0;
  for (std::size_t at = 1; at < blob.size();) {
    std::uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at == blob.size() || shift > 56) return false;
      const auto byte = std::to_integer<std::uint64_t>(blob[at++]);
      length |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    if (length == 0 || length > elements - done) return false;
    if (!marked) set_bits(present, done, done + length);
    done += length;
    marked = !marked;
  }
  return done == elements;
}

}  // namespace

void set_bits(std::span<std::byte> bits, std::uint64_t begin, std::uint64_t end) noexcept {
  const auto set = [&](std::uint64_t from, std::uint64_t to) {  // inside one byte
    if (from < to)
      bits[static_cast<std::size_t>(from / 8)] |=
          static_cast<std::byte>((0xFFU >> from % 8) & ~(0xFFU >> (to - from / 8 * 8)));
  };
  const std::uint64_t whole = (begin + 7) / 8, last = end / 8;
  if (whole > last) return set(begin, end);
  set(begin, whole * 8);
  std::fill(bits.begin() + static_cast<std::ptrdiff_t>(whole), bits.begin() + static_cast<std::ptrdiff_t>(last),
            std::byte{0xFF});
  set(last * 8, end);
}

bool is_usual_mask(const cbor_view& descriptor) noexcept {
  const auto masks = descriptor.find("masks");
  mask_place place;
  return !masks || masks->size() == 0 || read_mask_place(*masks, place);
}

object_mask read_object_mask(const cbor_view& descriptor, byte_view payload_and_masks, std::uint64_t elements,
                             byte_buffer& memory, failure& why) noexcept {
  why = {};
  object_mask out{.payload_size = payload_and_masks.size()};
  const auto masks = descriptor.find("masks");
  if (!masks || masks->size() == 0) return out;
  mask_place place;
  if (!read_mask_place(*masks, place)) {
    why = {.code = errc::packing_changed, .argument = "masks"};
    return {};
  }
  const std::uint64_t size = packed_bytes(elements, 1), room = payload_and_masks.size();
  const bool is_inside = place.offset <= room && place.length <= room - place.offset;
  // An element takes a bit, or its part of a run: runs of few bytes may be long, and so may the mask of a constant
  // field.
  if (!is_inside || (place.method == "none" && place.length != size)) {
    why = {.code = errc::bad_sections, .argument = "masks"};
    return {};
  }
  const auto blob =
      payload_and_masks.subspan(static_cast<std::size_t>(place.offset), static_cast<std::size_t>(place.length));
  const auto present = memory.take(size, why);
  if (why) return {};
  bool is_sound = true;
  if (place.method == "none") {
    std::transform(blob.begin(), blob.end(), present.begin(), [](std::byte each) { return ~each; });
    if (elements % 8 != 0) present.back() &= static_cast<std::byte>(0xFF << (8 - elements % 8));
  } else {
    std::fill(present.begin(), present.end(), std::byte{0});
    is_sound = read_runs(blob, elements, present);
  }
  if (!is_sound) why = {.code = errc::bad_sections, .argument = "masks"};
  out.is_there = true;
  out.present = present;
  out.payload_size = place.offset;
  return out;
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
