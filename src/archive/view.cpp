// SPDX-License-Identifier: Apache-2.0
// Proving that elements can be used where they lie, and where each one is. What was proven is remembered.
#include <algorithm>
#include <array>
#include <bit>

#include "archive/access.hpp"
#include "archive/state.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

namespace {

constexpr bool native(byte_order order) noexcept {
  return (order == byte_order::little) == (std::endian::native == std::endian::little);
}

/// Why the bytes described cannot be elements in place; nothing about where they lie.
failure obstacle(const descriptor& d, dtype as, std::uint64_t stored) noexcept {
  if (d.encoding != encoding::none) return {.code = errc::encoded};
  if (d.filter != filter::none) return {.code = errc::filtered};
  if (d.compression != compression::none) return {.code = errc::compressed};
  if (d.mask_count != 0) return {.code = errc::masked};
  if (d.dtype != as)
    return {.code = errc::dtype_mismatch,
            .expected = static_cast<std::uint64_t>(as),
            .found = static_cast<std::uint64_t>(d.dtype)};
  if (swap_unit(d.dtype) > 1 && !native(d.byte_order)) return {.code = errc::foreign_byte_order};
  const auto needed = size_bytes(d.dtype, d.element_count);
  if (!needed) return {.code = errc::shape_overflow};
  if (*needed != stored) return {.code = errc::payload_size_mismatch, .expected = *needed, .found = stored};
  return {};
}

std::size_t alignment_of(dtype type) noexcept {
  return std::max<std::size_t>(swap_unit(type), 1);  // of a complex number: that of its components
}

}  // namespace

failure object::locate(dtype as, std::size_t alignment, stride_policy order, layout& out) const noexcept {
  const detail::element_layout* const known = elements_;
  if (known == nullptr || known->type != as || known->size_bytes != payload_length_ || payload_length_ == 0 ||
      (order == stride_policy::ignore && !known->c_order))
    return locate_by_descriptor(as, alignment, order, out);
  const std::byte* const all = access::state(frame_)->bytes().mapped();
  if (all == nullptr || reinterpret_cast<std::uintptr_t>(all + payload_offset()) % alignment != 0)
    return locate_by_descriptor(as, alignment, order, out);
  out.dimensions = known->dimensions;
  out.data = all + payload_offset();
  return {};
}

failure object::locate_by_descriptor(dtype as, std::size_t alignment, stride_policy order, layout& out) const noexcept {
  failure why;
  const tgmap::descriptor d = descriptor(why);
  if (why) return why;
  const auto fail = [&](failure f) {
    f.offset = payload_offset();
    return detail::located(f, frame_.message(), index_);
  };
  if (failure f = obstacle(d, as, payload_length_)) return fail(f);
  std::array<std::int64_t, max_rank> in_c_order, stored;
  const auto c_order = std::span(in_c_order).first(d.rank()), dense = std::span(stored).first(d.rank());
  c_order_strides(d.shape(), c_order);
  const bool supported = dense_strides(d.shape(), d.strides(), dense);
  if (!supported && order == stride_policy::apply) return fail({.code = errc::unsupported_strides});
  if (!out.dimensions.set(d.shape(), order == stride_policy::ignore ? c_order : dense))
    return fail({.code = errc::out_of_memory});

  const auto bytes = payload(why);
  if (why) return why;
  if (const auto off = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment; off != 0)
    return fail({.code = errc::misaligned, .expected = alignment, .found = off});
  out.data = bytes.empty() ? nullptr : bytes.data();
  if (const bool same = supported && std::ranges::equal(c_order, dense); same || order == stride_policy::apply)
    access::state(frame_)->objects().add_elements(
        frame_.message(), index_,
        {.type = as, .c_order = same, .size_bytes = payload_length_, .dimensions = out.dimensions});
  return {};
}

failure object::why_not_in_place(dtype as, stride_policy order) const noexcept {
  const detail::archive_state* state = access::state(frame_);
  if (state == nullptr) return {.code = errc::no_archive};
  if (state->bytes().mapped() != nullptr || payload_length_ == 0) {
    layout ignored;
    return locate(as, alignment_of(as), order, ignored);
  }
  // Unmapped: what can be told without reading the payload, which would be a copy.
  failure why;
  const tgmap::descriptor d = descriptor(why);
  if (!why) why = obstacle(d, as, payload_length_);
  std::array<std::int64_t, max_rank> strides;
  if (!why && order == stride_policy::apply && !dense_strides(d.shape(), d.strides(), {strides.data(), d.rank()}))
    why = {.code = errc::unsupported_strides};
  if (!why) why = {.code = errc::not_mapped};
  if (why.offset == 0) why.offset = payload_offset();
  return detail::located(why, frame_.message(), index_);
}

}  // namespace v0
}  // namespace tgmap
