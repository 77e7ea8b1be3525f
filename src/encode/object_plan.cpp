// SPDX-License-Identifier: Apache-2.0
#include "encode/object_plan.hpp"

#include <algorithm>
#include <array>

#include "codec/failures.hpp"
#include "codec/packing/unpack.hpp"
#include "codec/shuffle/shuffle.hpp"

namespace tgmap::encode {

namespace {

bool is_packed(const pipeline& how) noexcept { return how.encoding == encoding::simple_packing; }

std::size_t whole_bytes(unsigned bits) noexcept { return (bits + 7) / 8; }

}  // namespace

std::size_t shuffle_size(const pipeline& how, dtype type, unsigned bits) noexcept {
  if (how.filter != filter::shuffle) return 0;
  if (how.shuffle_size != 0) return how.shuffle_size;
  return is_packed(how) ? whole_bytes(bits) : std::max<std::size_t>(element_size(type), 1);
}

unsigned sample_bits(const pipeline& how, dtype type, unsigned bits) noexcept {
  if (is_packed(how)) return bits;
  return how.filter == filter::shuffle ? 8 : static_cast<unsigned>(8 * element_size(type));
}

std::size_t typesize(const pipeline& how, dtype type, unsigned bits) noexcept {
  if (is_packed(how)) return std::max<std::size_t>(whole_bytes(bits), 1);
  return how.filter == filter::shuffle ? 1 : std::max<std::size_t>(element_size(type), 1);
}

failure check_shuffle(const pipeline& how, dtype type, unsigned bits, std::uint64_t bytes) noexcept {
  if (how.filter != filter::shuffle) return {};
  const std::size_t size = shuffle_size(how, type, bits);
  return codec::can_be_shuffled(bytes, size) ? failure{} : codec::bad_parameter(size, "shuffle_element_size");
}

namespace {

failure count_elements(std::span<const std::uint64_t> shape, std::uint64_t& out) noexcept {
  if (shape.size() > max_rank) return {.code = errc::too_many_dimensions, .expected = max_rank, .found = shape.size()};
  const auto elements = element_count(shape);
  if (!elements) return {.code = errc::shape_overflow};
  out = *elements;
  return {};
}

/// Checks that bits are in C order and start at the first bit, because single bits cannot be addressed.
failure check_bits(const new_object& in, const object_plan& out) noexcept {
  std::array<std::int64_t, max_rank> dense{};
  c_order_strides(in.shape, {dense.data(), in.shape.size()});
  bool is_contiguous = in.data_offset == 0;
  for (std::size_t d = 0; d < in.strides.size(); ++d)
    is_contiguous = is_contiguous && (in.strides[d] == dense[d] || in.shape[d] == 1 || out.elements == 0);
  if (!is_contiguous) return {.code = errc::invalid_strides, .expected = out.elements, .found = out.elements};
  if (in.data.size() == out.bytes) return {};
  return {.code = errc::payload_size_mismatch, .expected = out.bytes, .found = in.data.size()};
}

/// Checks that the data contains the elements, and finds their layout.
failure locate_elements(const new_object& in, object_plan& out) noexcept {
  if (!in.strides.empty() && in.strides.size() != in.shape.size())
    return {.code = errc::invalid_strides, .expected = in.shape.size(), .found = in.strides.size()};
  if (in.dtype == dtype::bitmask) return check_bits(in, out);
  const std::size_t width = tgmap::element_size(in.dtype);
  if (in.strides.empty()) {
    std::uint64_t needed;
    if (__builtin_mul_overflow(in.data_offset, width, &needed) || __builtin_add_overflow(needed, out.bytes, &needed))
      return {.code = errc::shape_overflow};
    if (in.data.size() != needed)
      return {.code = errc::payload_size_mismatch, .expected = needed, .found = in.data.size()};
    return {};
  }
  if (out.elements == 0) return {};
  if (failure why = check_bounds(in.shape, in.strides, in.data_offset, in.data.size() / width)) return why;
  out.layout = simplify(in.shape, in.strides);
  return {};
}

failure check_version(const new_object& in, int version) noexcept {
  const auto& how = in.pipeline;
  // Readers of version 2 know neither rle nor roaring, nor the size of shuffled bits in szip.
  const bool needs_version_3 = how.compression == compression::rle || how.compression == compression::roaring ||
                               (how.compression == compression::szip && in.dtype == dtype::bitmask);
  if (version >= 3 || !needs_version_3) return {};
  return {.code = errc::unsupported_wire_version, .expected = 3, .found = static_cast<std::uint64_t>(version)};
}

}  // namespace

failure plan_object(const new_object& in, int version, object_plan& out) noexcept {
  out = {};
  if (failure why = count_elements(in.shape, out.elements)) return why;
  const auto bytes = size_bytes(in.dtype, out.elements);
  if (!bytes) return {.code = errc::shape_overflow};
  out.bytes = *bytes;
  if (failure why = validate_pipeline(in.pipeline, in.dtype)) return why;
  if (failure why = check_version(in, version)) return why;
  if (failure why = locate_elements(in, out)) return why;
  if (in.pipeline.encoding == encoding::none) return check_shuffle(in.pipeline, in.dtype, 0, out.bytes);
  if (in.pipeline.packing.max_error) return {};  // the number of bits depends on the elements
  const auto packed = codec::packed_size(out.elements, in.pipeline.packing.bits);
  if (!packed) return {.code = errc::shape_overflow};
  return check_shuffle(in.pipeline, in.dtype, in.pipeline.packing.bits, *packed);
}

failure check_object(const new_object& in, int version, std::uint64_t& elements, std::uint64_t& bytes) noexcept {
  object_plan plan;
  failure why = plan_object(in, version, plan);
  elements = plan.elements;
  bytes = plan.bytes;
  return why;
}

}  // namespace tgmap::encode
