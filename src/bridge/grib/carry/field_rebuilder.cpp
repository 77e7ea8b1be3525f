// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/carry/field_rebuilder.hpp"

#include <algorithm>
#include <new>

#include "bridge/grib/carry/object_mask.hpp"
#include "bridge/grib/carry/packing_header.hpp"
#include "bridge/grib/carry/value_integers.hpp"
#include "bridge/grib/packing/aec.hpp"
#include "bridge/grib/packing/group_packing.hpp"
#include "bridge/grib/packing/masked_values.hpp"
#include "bridge/grib/sections/grid_shape.hpp"
#include "bridge/grib/sections/numbers.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// The state of a field while it is rebuilt.
struct field_rebuilder::work {
  stored_sections stored{};
  object_layout layout{};
  bool is_known = false;  ///< the pipeline is one that the import writes
  packing how{};
  byte_view payload{};
  std::uint64_t points = 0;
  bool has_mask = false;
  byte_view present{};    ///< with `has_mask`: a set bit for each point with a value
  bitmap bits{};          ///< of the message
  bool is_alone = false;  ///< its message has no other field

  bool has_all_points() const noexcept { return bits.values == bits.points; }
  bool is_complex() const noexcept {
    return how.kind == packing_kind::complex || how.kind == packing_kind::complex_spatial;
  }
};

namespace {

failure changed(errc code, const char* what, std::uint64_t expected = 0, std::uint64_t found = 0) noexcept {
  return {.code = code, .expected = expected, .found = found, .argument = what};
}

/// Returns the number of elements; nothing if it is not the product of a list of integers.
std::optional<std::uint64_t> count_elements(const cbor_view& descriptor) noexcept {
  const auto shape = descriptor.find("shape");
  if (!shape || shape->kind() != cbor_kind::array) return std::nullopt;
  std::uint64_t out = 1;
  for (std::uint64_t i = 0; i < shape->size(); ++i) {
    const auto item = shape->at(i);
    const auto extent = item ? item->get<std::uint64_t>() : std::nullopt;
    if (!extent || (*extent != 0 && out > UINT64_MAX / *extent)) return std::nullopt;
    out *= *extent;
  }
  return out;
}

}  // namespace

bool needs_values(const cbor_view& descriptor) noexcept {
  object_layout layout;
  failure why;
  return !read_descriptor(descriptor, layout, why) || !is_usual_mask(descriptor);
}

void field_rebuilder::read_mask(const rebuilt_source& source, work& now, failure& why) {
  if (!source.values.empty() || !source.missing.empty()) {
    now.has_mask = !source.missing.empty();
    if (!now.has_mask) return;
    if (source.missing.size() != packed_bytes(now.points, 1)) {
      why = changed(errc::shape_changed, "missing", now.points, source.missing.size() * 8);
      return;
    }
    const auto present = present_.take(source.missing.size(), why);
    if (why) return;
    std::transform(source.missing.begin(), source.missing.end(), present.begin(), [](std::byte each) { return ~each; });
    if (now.points % 8 != 0) present.back() &= static_cast<std::byte>(0xFF << (8 - now.points % 8));
    now.present = present;
    return;
  }
  const object_mask mask = read_object_mask(source.descriptor, source.payload_and_masks, now.points, present_, why);
  if (why) return;
  now.has_mask = mask.is_there;
  now.present = mask.present;
  now.payload = source.payload_and_masks.first(static_cast<std::size_t>(mask.payload_size));
}

/// Finds the bitmap of the message and adds its section.
void field_rebuilder::rebuild_bitmap(work& now, rebuilt_field& out, failure& why) {
  const auto& stored = now.stored;
  const bool edition_2 = out.edition == 2;
  const std::size_t number = edition_2 ? 6 : 3;
  byte_view part = stored.bitmap_part;
  const auto add = [&](byte_view piece) {
    out.sections.push_back(piece);
    out.section_numbers.push_back(number);
  };
  constexpr std::size_t header_size = 6;
  const std::size_t whole_bytes = static_cast<std::size_t>(now.points / 8),
                    all_bytes = static_cast<std::size_t>(packed_bytes(now.points, 1));
  // The parameters that the section states.
  bool has_bits = edition_2 ? now.has_mask && !now.is_complex() : !stored.from.sections[3].empty();
  if (edition_2 && !part.empty()) has_bits = octet(part, 5) == 0 || octet(part, 5) == 254;
  if (edition_2 && !part.empty() && octet(part, 5) == 254 && now.is_alone) {
    has_bits = now.has_mask;
    part = {};
  }
  now.bits = {.points = now.points, .values = now.points, .present = has_bits};
  if (!stored.whole_bitmap.empty()) {
    const byte_view bits = stored.whole_bitmap.subspan(header_size);
    if (bits.size() < all_bytes) return void(why = changed(errc::bad_sections, "grib_rest"));
    now.bits = {.bits = bits.first(all_bytes),
                .points = now.points,
                .values = count_set_bits(bits, now.points),
                .present = true};
    return add(stored.whole_bitmap);
  }
  if (has_bits && now.has_mask) {
    now.bits.bits = now.present;
    now.bits.values = count_set_bits(now.present, now.points);
  }
  if (!has_bits && !edition_2) return;
  if (!edition_2) {
    const std::uint64_t length = big_endian<3>(stored.from.sections[3], 0);
    if (length < header_size + std::uint64_t{all_bytes})
      return void(why = changed(errc::shape_changed, "bitmap", length, all_bytes));
  }
  if (!has_bits || (edition_2 && !part.empty() && octet(part, 5) != 0)) {
    if (part.empty()) {
      bitmap_header_ = {std::byte{0}, std::byte{0}, std::byte{0}, std::byte{6}, std::byte{6}, std::byte{255}};
      part = bitmap_header_;
    }
    return add(part);
  }
  const auto bits = bitmap_.take(all_bytes, why);
  if (why) return;
  if (now.has_mask) {
    std::copy(now.present.begin(), now.present.end(), bits.begin());
  } else {
    std::fill(bits.begin(), bits.end(), std::byte{0xFF});
  }
  if (!part.empty()) {
    add(part.first(header_size));
    add(bits.first(whole_bytes));
    return add(part.subspan(header_size));
  }
  if (edition_2) {
    const std::uint64_t length = header_size + all_bytes;
    for (std::size_t i = 0; i < 4; ++i) bitmap_header_[i] = static_cast<std::byte>(length >> 8 * (3 - i));
    bitmap_header_[4] = std::byte{6};
    bitmap_header_[5] = std::byte{0};
    add(bitmap_header_);
    return add(bits);
  }
  const byte_view header = stored.from.sections[3];
  const std::uint64_t length = big_endian<3>(header, 0);
  add(header);
  add(bits);
  zeros_.resize(std::max<std::size_t>(zeros_.size(), static_cast<std::size_t>(length - header_size - all_bytes)));
  add(std::span(zeros_).first(static_cast<std::size_t>(length - header_size - all_bytes)));
}

template <class Integer>
std::span<Integer> field_rebuilder::load_integers(const rebuilt_source& source, const work& now, failure& why) {
  if (!source.values.empty()) {
    const auto out = integers_.take_integers<Integer>(now.points, why);
    if (!why) why = integers_of_values(source.values, now.has_mask ? now.present : byte_view{}, now.how, out);
    return out;
  }
  const auto& layout = now.layout;
  if (!now.is_known || !layout.is_packed || layout.bits > 8 * sizeof(Integer)) {
    why = changed(errc::packing_changed, "sp_bits_per_value", now.how.bits, layout.bits);
    return {};
  }
  // A short stream cannot have many integers: 64 blocks of zeros take 7 bits at least.
  const std::uint64_t stored = now.payload.size();
  const bool has_room = layout.is_szip ? now.points / 64 / std::max(layout.szip_block_size, 1U) <= stored * 8 / 7 + 1
                                       : stored == packed_bytes(now.points, layout.bits);
  if (!has_room) {
    why = changed(errc::bad_sections, "payload", packed_bytes(now.points, layout.bits), stored);
    return {};
  }
  const auto out = integers_.take_integers<Integer>(now.points, why);
  if (why) return {};
  if (!layout.is_szip) {
    unpack_integers(now.payload, 0, layout.bits, out);
  } else if (aec_sample_bytes(layout.bits) != sizeof(Integer) || layout.bits == 0) {
    why = changed(errc::packing_changed, "sp_bits_per_value", now.how.bits, layout.bits);
  } else {
    why = decode_aec(
        now.payload,
        {.bits = layout.bits, .block_size = layout.szip_block_size, .rsi = layout.szip_rsi, .flags = layout.szip_flags},
        std::as_writable_bytes(out));
  }
  return out;
}

/// Packs the integers of the points with a value, as simple or ccsds packing has them.
byte_view field_rebuilder::pack_values(const rebuilt_source& source, work& now, failure& why) {
  const unsigned bits = now.how.bits;
  byte_view packed;
  with_container(container_bytes(bits), [&]<class Integer>(Integer) {
    std::span<Integer> integers = load_integers<Integer>(source, now, why);
    if (why) return;
    if (!now.has_all_points()) {
      const auto values = values_.take_integers<Integer>(now.bits.values, why);
      if (why) return;
      gather_values(std::span<const Integer>(integers), now.bits.bits, values);
      integers = values;
    }
    const auto most = static_cast<Integer>(UINT64_MAX >> (64 - bits));
    const auto large = std::find_if(integers.begin(), integers.end(), [&](Integer each) { return each > most; });
    if (large != integers.end()) {
      why = changed(errc::values_changed, nullptr, 0, static_cast<std::uint64_t>(large - integers.begin()));
      return;
    }
    if (now.how.kind == packing_kind::ccsds) {
      const auto& ccsds = now.how.ccsds;
      const unsigned flags = ccsds.flags & (aec_preprocess | aec_not_enforce | (bits <= 8 ? aec_restricted : 0U));
      packed = encode_aec(
          std::as_bytes(integers),
          {.bits = bits, .block_size = ccsds.block_size, .rsi = ccsds.reference_sample_interval, .flags = flags},
          packed_, why);
      return;
    }
    const auto out = packed_.take(packed_bytes(integers.size(), bits), why);
    if (!why) pack_integers(std::span<const Integer>(integers), bits, out);
    packed = out;
  });
  return packed;
}

/// Packs integers into the groups that `grib_rest` has kept. Sets now.how to all parameters.
byte_view field_rebuilder::pack_complex(const rebuilt_source& source, work& now, failure& why) {
  const auto& stored = now.stored;
  const std::uint64_t packed_size = stored.head_packed_size, most = packed_bytes(now.bits.values, 32);
  if (packed_size > most) return why = changed(errc::bad_sections, "grib_rest", most, packed_size), byte_view{};
  // A data section as it was, but for the packed integers, from which the groups are read.
  const std::size_t begin = 5 + stored.head.size();
  const auto section = section_.take(begin + packed_size, why);
  if (why) return {};
  std::fill(section.begin(), section.end(), std::byte{0});
  std::copy(stored.head.begin(), stored.head.end(), section.begin() + 5);
  field whole = stored.from;
  whole.sections[7] = section;
  now.how = read_packing(whole, now.bits, why);
  const group_table table = why ? group_table{} : read_groups(now.how, why);
  if (why) return {};
  if (table.is_constant || packed_size == 0) return {};
  const auto integers = values_.take_integers<std::int64_t>(now.bits.values, why);
  if (why) return {};
  const unsigned bits = source.values.empty() && now.layout.is_packed ? now.layout.bits : 64;
  with_container(container_bytes(bits), [&]<class Integer>(Integer) {
    std::span<Integer> loaded;
    if (bits > 0) loaded = load_integers<Integer>(source, now, why);
    if (why) return;
    std::size_t used = 0;
    for (std::uint64_t i = 0; i < now.points && used < integers.size(); ++i) {
      const auto byte = static_cast<std::size_t>(i / 8);
      const auto bit = static_cast<std::byte>(0x80U >> i % 8);
      if (!now.has_all_points() && (now.bits.bits[byte] & bit) == std::byte{0}) continue;
      const bool is_missing = now.has_mask && (now.present[byte] & bit) == std::byte{0};
      const std::uint64_t integer = loaded.empty() ? 0 : std::uint64_t{loaded[static_cast<std::size_t>(i)]};
      integers[used++] = is_missing ? missing_integer : static_cast<std::int64_t>(integer);
    }
  });
  if (why) return {};
  const auto out = packed_.take(packed_size + 8, why);
  if (why) return {};
  if (!pack_groups(now.how, table, integers, out) || table.packed_size != packed_size) {
    why = changed(errc::values_changed, nullptr);
    return {};
  }
  return out.first(static_cast<std::size_t>(packed_size));
}

byte_view field_rebuilder::gather_ieee(const rebuilt_source& source, work& now, failure& why) {
  const std::size_t size = now.how.bits / 8;
  const auto element = size == 4 ? dtype::float32 : dtype::float64;
  if (!source.values.empty() || !now.is_known || now.layout.is_packed || now.layout.element != element)
    return why = changed(errc::packing_changed, "dtype"), byte_view{};
  if (now.payload.size() / size != now.points || now.payload.size() % size != 0)
    return why = changed(errc::shape_changed, "payload", now.points, now.payload.size() / size), byte_view{};
  byte_view elements = now.payload;
  if (now.layout.order != byte_order::big) {
    const auto swapped = integers_.take(elements.size(), why);
    if (why) return {};
    for (std::size_t at = 0; at < elements.size(); at += size)
      std::reverse_copy(elements.begin() + static_cast<std::ptrdiff_t>(at),
                        elements.begin() + static_cast<std::ptrdiff_t>(at + size),
                        swapped.begin() + static_cast<std::ptrdiff_t>(at));
    elements = swapped;
  }
  if (now.has_all_points()) return elements;
  const auto out = packed_.take(now.bits.values * size, why);
  if (why) return {};
  gather_elements(elements, size, now.bits.bits, now.points, out);
  return out;
}

void field_rebuilder::rebuild_data(const rebuilt_source& source, work& now, rebuilt_field& out, failure& why) {
  const auto& stored = now.stored;
  const auto& layout = now.layout;
  const packing how = now.how;
  byte_view content = stored.data, head, tail;
  const std::size_t number = out.edition == 2 ? 7 : 4;
  if (!stored.has_data) {
    const bool has_integers = how.kind == packing_kind::simple || how.kind == packing_kind::ccsds;
    const bool is_constant = has_integers && (how.bits == 0 || now.bits.values == 0);
    const double reference = is_constant ? how.reference : scaled_reference(how.reference, how.decimal_scale);
    if ((has_integers || now.is_complex()) && layout.is_packed && layout.bits > 0 &&
        (layout.reference != reference || layout.binary_scale != how.binary_scale ||
         layout.decimal_scale != how.decimal_scale))
      return void(why = changed(errc::packing_changed, "sp_reference_value"));
    if (is_constant && !(layout.is_packed && layout.bits == 0 && layout.reference == reference))
      return void(why = changed(errc::packing_changed, "sp_bits_per_value", 0, layout.bits));
    const bool is_direct =
        now.is_known && now.has_all_points() && layout.is_packed && layout.bits == how.bits && source.values.empty();
    if (is_constant) {
    } else if (how.kind == packing_kind::simple) {
      const bool is_payload = is_direct && !layout.is_szip && now.payload.size() == packed_bytes(now.points, how.bits);
      content = is_payload ? now.payload : pack_values(source, now, why);
    } else if (how.kind == packing_kind::ccsds) {
      const unsigned kept = aec_preprocess | aec_not_enforce;
      const bool is_payload = is_direct && layout.is_szip && layout.szip_block_size == how.ccsds.block_size &&
                              layout.szip_rsi == how.ccsds.reference_sample_interval &&
                              (layout.szip_flags & kept) == (how.ccsds.flags & kept);
      content = is_payload ? now.payload : pack_values(source, now, why);
    } else if (how.kind == packing_kind::ieee) {
      content = gather_ieee(source, now, why);
    } else if (now.is_complex()) {
      content = pack_complex(source, now, why);
    } else {
      why = changed(errc::no_sections, "grib_data");
    }
    if (why) return;
    head = stored.head;
    tail = stored.tail;
  }
  const auto add = [&](byte_view piece) {
    if (piece.empty()) return;
    out.sections.push_back(piece);
    out.section_numbers.push_back(number);
  };
  if (out.edition == 2) {
    const std::uint64_t length = 5 + std::uint64_t{head.size()} + content.size() + tail.size();
    if (length > UINT32_MAX) return void(why = changed(errc::shape_changed, "payload", UINT32_MAX, length));
    for (std::size_t i = 0; i < 4; ++i) data_header_[i] = static_cast<std::byte>(length >> 8 * (3 - i));
    data_header_[4] = std::byte{7};
    add(data_header_);
    add(head);
    add(content);
    return add(tail);
  }
  const byte_view header = stored.from.sections[4];
  add(header);
  add(content);
  if (stored.has_tail || stored.has_data) return add(tail);
  const std::uint64_t length = big_endian<3>(header, 0), before = header.size() + content.size();
  if (length <= before) return;
  const auto size = static_cast<std::size_t>(length - before);
  if (size > zeros_.size()) {
    // Another bitmap piece may view the zeros that are there.
    tail_zeros_.assign(size, std::byte{0});
    return add(tail_zeros_);
  }
  add(std::span(zeros_).first(size));
}

void field_rebuilder::rebuild(const rebuilt_source& source, rebuilt_field& out, failure& why) {
  rebuild(source, false, out, why);
}

void field_rebuilder::rebuild_alone(const rebuilt_source& source, rebuilt_field& out, failure& why) {
  rebuild(source, true, out, why);
}

void field_rebuilder::rebuild(const rebuilt_source& source, bool is_alone, rebuilt_field& out, failure& why) try {
  out.sections.clear();
  out.section_numbers.clear();
  work now;
  now.is_alone = is_alone;
  now.stored = read_stored_sections(source.base, why);
  if (why) return;
  const field& from = now.stored.from;
  out.edition = from.edition;
  out.number = from.number;
  out.fields = from.fields;
  out.first_section = from.first_section;
  now.is_known = read_descriptor(source.descriptor, now.layout, why);
  if (why) return;
  if (!now.is_known && source.values.empty() && !now.stored.has_data)
    return void(why = changed(errc::packing_changed, "compression"));
  const auto elements = count_elements(source.descriptor);
  if (!elements) return void(why = changed(errc::bad_sections, "shape"));
  now.points = *elements;
  if (now.points > UINT32_MAX) return void(why = changed(errc::shape_changed, "shape", UINT32_MAX, now.points));
  // Grids of GRIB 1 may need the bitmap or the data to count their points.
  failure unknown;
  const grid_shape shape = read_grid_shape(from, unknown);
  if (unknown && from.edition == 2) return void(why = unknown);
  if (!unknown && !(from.edition == 1 && shape.is_reduced) && shape.points != now.points)
    return void(why = changed(errc::shape_changed, "shape", shape.points, now.points));
  if (!source.values.empty() && source.values.size() != now.points)
    return void(why = changed(errc::shape_changed, "values", now.points, source.values.size()));
  now.how = read_packing_header(from, why);
  if (!why) read_mask(source, now, why);
  if (why) return;
  const std::size_t last = from.edition == 2 ? 5 : 2;
  for (std::size_t i = 0; i <= last; ++i) {
    if (from.sections[i].empty()) continue;
    out.sections.push_back(from.sections[i]);
    out.section_numbers.push_back(i);
  }
  rebuild_bitmap(now, out, why);
  if (!why && from.edition == 2) out.bitmap_indicator = octet(out.sections.back(), 5);
  out.present = now.bits.bits.empty() && now.has_mask ? now.present : now.bits.bits;
  if (!why) rebuild_data(source, now, out, why);
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
