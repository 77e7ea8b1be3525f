// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/carry/carry_field.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "bridge/grib/carry/field_encoder.hpp"
#include "bridge/grib/carry/field_rebuilder.hpp"
#include "bridge/grib/sections/grid_shape.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

/// Returns the bytes of a message that belong to this field alone, up to the end of its data section.
byte_view own_bytes(const field& from) noexcept {
  const byte_view data = from.sections[from.edition == 2 ? 7 : 4];
  const std::byte* const begin = from.number == 0 ? from.message.data() : from.sections[from.first_section].data();
  return {begin, data.data() + data.size()};
}

/// Compares pieces with bytes. Returns the place of the first difference, or nothing. A piece that views the same
/// memory needs no comparison.
std::optional<std::uint64_t> find_difference(const rebuilt_field& rebuilt, byte_view original) noexcept {
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < rebuilt.sections.size(); ++i) {
    const byte_view piece = rebuilt.sections[i];
    if (rebuilt.number > 0 && rebuilt.section_numbers[i] < rebuilt.first_section) continue;
    const byte_view expected = original.subspan(static_cast<std::size_t>(at));
    if (piece.size() > expected.size()) return at + expected.size();
    if (piece.data() != expected.data() && !piece.empty() &&
        std::memcmp(piece.data(), expected.data(), piece.size()) != 0)
      return at + static_cast<std::uint64_t>(std::mismatch(piece.begin(), piece.end(), expected.begin()).first -
                                             piece.begin());
    at += piece.size();
  }
  return at == original.size() ? std::nullopt : std::optional(at);
}

/// A `field_carrier` makes the object of one field, step by step.
class field_carrier {
 public:
  field_carrier(const field& from, const carry_options& options, carry_memory& memory) noexcept
      : from_(from), options_(options), memory_(memory) {}

  carried_field carry(failure& why) {
    bits_ = read_bitmap(from_, why);
    if (!why) how_ = read_packing(from_, bits_, why);
    if (!why) encode(why);
    if (!why) make_object(why);
    if (!why) make_keys(why);
    if (!why && options_.check && (!encoded_.needs_original || options_.keep_original)) check(why);
    return why ? carried_field{} : std::move(out_);
  }

 private:
  void encode(failure& why) {
    field_encoder encoder(how_, bits_, memory_);
    if (encoder.encode(encoded_, why) || why) return;
    if (!options_.decode) return void(why = {.code = tgmap::errc::codec_absent});
    decoded_values values;
    options_.decode(from_, values, why);
    if (!why) encoder.encode_decoded(values, encoded_, why);
  }

  void make_object(failure& why) {
    const grid_shape shape = read_grid_shape(from_, why);
    if (why) return;
    std::vector<std::uint64_t> extents(shape.extents.begin(),
                                       shape.extents.begin() + static_cast<std::ptrdiff_t>(shape.rank));
    std::uint64_t product = 1;
    for (const std::uint64_t each : extents) product *= each;  // both are of four bytes
    if (product != bits_.points) extents = {bits_.points};
    auto& layout = encoded_.layout;
    layout.szip_offsets = encoded_.szip_offsets;
    byte_view bytes = encoded_.payload;
    const std::byte* const message = from_.message.data();
    const bool is_borrowed =
        !std::less<>{}(bytes.data(), message) && std::less<>{}(bytes.data(), message + from_.message.size());
    if (encoded_.has_mask || !is_borrowed) {
      const auto own = out_.memory.take(bytes.size() + encoded_.mask.bytes.size(), why);
      if (why) return;
      std::copy(bytes.begin(), bytes.end(), own.begin());
      std::copy(encoded_.mask.bytes.begin(), encoded_.mask.bytes.end(),
                own.begin() + static_cast<std::ptrdiff_t>(bytes.size()));
      bytes = own;
    }
    if (encoded_.has_mask) {
      layout.mask_method = encoded_.mask.method;
      layout.mask_offset = encoded_.payload.size();
      layout.mask_size = encoded_.mask.bytes.size();
    }
    out_.object.descriptor = make_descriptor(extents, layout, why);
    out_.object.payload_and_masks = bytes;
    out_.method = encoded_.method;
    out_.reason = encoded_.reason;
    out_.is_exact = encoded_.is_exact;
  }

  /// Returns the bytes of the data section after its header.
  byte_view data_bytes() const noexcept {
    return from_.sections[from_.edition == 2 ? 7 : 4].subspan(data_header_bytes(from_.edition, how_.kind));
  }

  void make_keys(failure& why) {
    const bool has_original = encoded_.needs_original && options_.keep_original;
    const data_parts parts =
        has_original ? data_parts{.packed_size = data_bytes().size(), .is_bitmap_kept = encoded_.parts.is_bitmap_kept}
                     : encoded_.parts;
    const auto sections = sections_without_values(from_, how_, why);
    if (why) return;
    const auto rest = rest_of_sections(from_, how_, bits_, parts, encoded_.has_mask, why);
    if (why) return;
    std::vector<cbor_value::pair> keys;
    keys.emplace_back("grib_sections", cbor_value::bytes(sections));
    if (!rest.empty()) keys.emplace_back("grib_rest", cbor_value::bytes(rest));
    if (has_original) keys.emplace_back("grib_data", cbor_value::bytes(data_bytes()));
    out_.base = cbor_value::map(std::span<const cbor_value::pair>(keys));
    out_.has_original = has_original;
  }

  /// Rebuilds the field and compares it. If it differs, keeps its data section and compares once more.
  void check(failure& why) {
    field_rebuilder rebuilder;
    rebuilt_field rebuilt;
    const byte_view original = own_bytes(from_);
    for (;;) {
      rebuilder.rebuild({.descriptor = out_.object.descriptor.view(),
                         .payload_and_masks = out_.object.payload_and_masks,
                         .base = out_.base.view()},
                        rebuilt, why);
      if (why.code == tgmap::errc::out_of_memory) return;
      const auto different = why ? std::optional<std::uint64_t>(0) : find_difference(rebuilt, original);
      if (!different) return;
      const bool can_keep = options_.keep_original && !encoded_.needs_original;
      if (!can_keep) {
        why = {.code = errc::not_identical, .offset = from_.offset, .found = *different};
        return;
      }
      why = {};
      encoded_.needs_original = true;
      make_keys(why);
      if (why) return;
    }
  }

  const field& from_;
  const carry_options& options_;
  carry_memory& memory_;
  bitmap bits_{};
  packing how_{};
  encoded_field encoded_{};
  carried_field out_{};
};

}  // namespace

std::string_view to_string_view(carry_method method) noexcept {
  switch (method) {
    case carry_method::carried: return "carried";
    case carry_method::reencoded: return "reencoded";
    case carry_method::decoded: return "decoded";
  }
  return {};
}

std::string_view to_string_view(carry_reason reason) noexcept {
  switch (reason) {
    case carry_reason::none: return "none";
    case carry_reason::sample_width: return "sample_width";
    case carry_reason::missing_points: return "missing_points";
    case carry_reason::groups: return "groups";
    case carry_reason::negative_integers: return "negative_integers";
    case carry_reason::decoder: return "decoder";
  }
  return {};
}

carried_field carry_field(const field& from, const carry_options& options, carry_memory& memory, failure& why) try {
  why = {};
  return field_carrier(from, options, memory).carry(why);
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
