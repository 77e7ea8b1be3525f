// SPDX-License-Identifier: Apache-2.0
#include "encode/object_encoder.hpp"

#include <algorithm>
#include <functional>

#include "codec/byte_order.hpp"
#include "codec/compressor.hpp"
#include "codec/masks/mask_values.hpp"
#include "codec/shuffle/shuffle.hpp"
#include "encode/missing_masks.hpp"
#include "encode/object_plan.hpp"
#include "encode/packing_stage.hpp"
#include "encode/source_layout.hpp"

namespace tgmap::encode {

namespace {

/// Returns whether padding bits of a bitmask are set; they are stored as zeros.
bool has_stray_bits(std::span<const std::byte> bits, std::uint64_t elements) noexcept {
  return elements % 8 != 0 && (bits.back() & std::byte{0xff} >> static_cast<int>(elements % 8)) != std::byte{0};
}

bool is_inside(std::span<const std::byte> some, std::span<const std::byte> all) noexcept {
  return !std::less<>()(some.data(), all.data()) && std::less<>()(some.data(), all.data() + all.size());
}

/// blosc2 cannot read an empty frame, and SZ3 takes an empty field for one element.
bool has_no_empty_stream(compression codec) noexcept {
  return codec == compression::blosc2 || codec == compression::sz3;
}

/// Returns whether the pipeline stores elements unchanged.
bool is_stored_plainly(const pipeline& how) noexcept {
  return how.encoding == encoding::none && how.filter == filter::none && how.compression == compression::none;
}

}  // namespace

void encoded_object::clear() noexcept {
  payload = {};
  mask_count = 0;
  packing = {};
  shuffle_size = 0;
  compression = tgmap::compression::none;
  block_offsets.clear();
  borrowed = unchecked = false;
}

failure object_encoder::gather_elements(const new_object& in, const object_plan& plan, byte_order to,
                                        std::span<const std::byte>& out) noexcept {
  const std::size_t unit = swap_unit(in.dtype), size = static_cast<std::size_t>(plan.bytes);
  const bool swap = to != in.byte_order && unit > 1;
  const bool stray = in.dtype == dtype::bitmask && has_stray_bits(in.data, plan.elements);
  const auto begin = static_cast<std::size_t>(in.data_offset) * element_size(in.dtype);
  if (plan.elements == 0) {
    out = {};
    return {};
  }
  if (plan.layout.in_c_order() && !swap && !stray) {
    out = in.data.subspan(begin, size);
    return {};
  }
  failure why;
  const auto own = next_buffer().take(plan.bytes, why);
  if (why) return why;
  out = own;
  if (plan.layout.in_c_order() && swap) {
    codec::swap_bytes(in.data.subspan(begin, size), unit, own);
    return {};
  }
  if (stray) {
    std::copy(in.data.begin(), in.data.end(), own.begin());
    own.back() &= ~(std::byte{0xff} >> static_cast<int>(plan.elements % 8));
    return {};
  }
  gather(plan.layout, element_size(in.dtype), in.data.data() + begin, own.data());
  if (swap) codec::swap_bytes(own, unit);
  return {};
}

failure object_encoder::mask_missing(const new_object& in, const packing_plan& packing, byte_order order,
                                     std::span<const std::byte>& elements, encoded_object& out) noexcept {
  const missing_options& how = in.pipeline.missing;
  if (!codec::can_be_masked(in.dtype) || !how.check_elements || packing.all_finite) return {};
  const bool packed = in.pipeline.encoding == encoding::simple_packing;
  const bool allowed = how.allow_nan || how.allow_infinity;
  if (!allowed && packed && !packing.all_fit) return {};  // packing rejects such elements
  out.unchecked = !allowed && is_inside(elements, in.data) && is_stored_plainly(in.pipeline);
  if (out.unchecked) return {};
  const auto found = find_non_finite(elements, in.dtype, order);
  if (!found) return {};
  if (!allowed) return {.code = errc::non_finite, .found = *found};

  missing_marks bits;
  if (failure why = find_missing(elements, in.dtype, order, how, marks_, bits)) return why;
  failure why;
  const bool borrowed = is_inside(elements, in.data);
  const auto own = (borrowed ? next_buffer() : buffers_[current_buffer_])
                       .take(elements.size(), why);  // gathered elements are changed in place
  if (why) return why;
  if (borrowed) std::copy(elements.begin(), elements.end(), own.begin());
  codec::zero_marked(own, element_size(in.dtype), bits);
  elements = own;
  return write_masks(bits, elements.size() / element_size(in.dtype), how, masks_, out);
}

failure object_encoder::run_stages(const new_object& in, std::uint64_t count, const packing_plan& packing,
                                   byte_order order, std::span<const std::byte> elements,
                                   encoded_object& out) noexcept {
  const pipeline& how = in.pipeline;
  const bool packed = how.encoding == encoding::simple_packing;
  failure why;
  if (packed) {
    out.packing = packing.parameters;
    why = pack_elements({elements, order}, packing, next_buffer(), elements);
    if (why) return why;
  }
  out.shuffle_size = shuffle_size(how, in.dtype, out.packing.bits);
  if (how.filter == filter::shuffle) {
    if (why = check_shuffle(how, in.dtype, out.packing.bits, elements.size()); why) return why;
    const auto to = next_buffer().take(elements.size(), why);
    if (why) return why;
    codec::shuffle(elements, out.shuffle_size, to);
    elements = to;
  }
  out.payload = elements;
  if (how.compression == compression::none || (elements.empty() && has_no_empty_stream(how.compression))) return {};
  out.compression = how.compression;
  const codec::compressor* const compressor = codec::find_compressor(how.compression);
  if (compressor == nullptr) return {.code = errc::codec_absent};
  codec::compression_output result;
  std::swap(result.block_offsets, out.block_offsets);  // reuse its memory
  why = compressor->run({.bytes = elements,
                         .how = &how,
                         .elements = count,
                         .element_bytes = typesize(how, in.dtype, out.packing.bits),
                         .sample_bits = sample_bits(how, in.dtype, out.packing.bits),
                         .packed = packed},
                        next_buffer(), result);
  std::swap(result.block_offsets, out.block_offsets);
  out.payload = result.bytes;
  return why;
}

failure object_encoder::encode(const new_object& in, int version, encoded_object& out) noexcept {
  out.clear();
  current_buffer_ = 1;  // similar objects use the same buffer for the same stage
  out.order = in.stored_byte_order.value_or(in.byte_order);

  object_plan plan;
  if (failure why = plan_object(in, version, plan)) return why;
  const pipeline& how = in.pipeline;
  byte_order order = out.order;
  if (how.encoding == encoding::simple_packing) order = in.byte_order;  // swapped as they are packed
  if (how.compression == compression::zfp || how.compression == compression::sz3) order = native_byte_order;
  std::span<const std::byte> elements;
  if (failure why = gather_elements(in, plan, order, elements)) return why;

  packing_plan packing;
  if (how.encoding == encoding::simple_packing) {
    const bool some_are_masked = how.missing.allow_nan || how.missing.allow_infinity;
    if (failure why = choose_packing({elements, order}, how, some_are_masked, packing)) return why;
  }
  if (failure why = mask_missing(in, packing, order, elements, out)) return why;
  out.borrowed = is_inside(elements, in.data) && is_stored_plainly(how);
  if (version < 3 && out.mask_count != 0)  // options that allow masks are valid
    return {.code = errc::unsupported_wire_version, .expected = 3, .found = static_cast<std::uint64_t>(version)};
  return run_stages(in, plan.elements, packing, order, elements, out);
}

void object_encoder::trim() noexcept {
  for (core::scratch& each : buffers_) each.trim();
  marks_.trim();
  for (core::scratch& each : masks_) each.trim();
}

}  // namespace tgmap::encode
