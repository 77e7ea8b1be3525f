// SPDX-License-Identifier: Apache-2.0
// Views of the elements of an object in place.
#include <algorithm>
#include <array>
#include <bit>
#include <tgmap/object.hpp>
#include <tgmap/untyped_view.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/owned_descriptor.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

namespace {

bool is_native(const descriptor& d) noexcept {
  return swap_unit(d.dtype) <= 1 ||
         (d.byte_order == byte_order::little) == (std::endian::native == std::endian::little);
}

/// Returns why the payload is not the elements themselves.
failure why_not_plain(const descriptor& d, std::uint64_t stored) noexcept {
  if (d.encoding != encoding::none) return {.code = errc::encoded};
  if (d.filter != filter::none) return {.code = errc::filtered};
  if (d.compression != compression::none) return {.code = errc::compressed};
  if (d.mask_count != 0) return {.code = errc::masked};
  const auto needed = size_bytes(d.dtype, d.element_count);
  if (!needed) return {.code = errc::shape_overflow};
  if (*needed != stored) return {.code = errc::payload_size_mismatch, .expected = *needed, .found = stored};
  return {};
}

/// Returns why the payload cannot be used in place as `as`, as far as the descriptor says.
failure why_not_native(const descriptor& d, dtype as, std::uint64_t stored) noexcept {
  if (d.is_plain() && d.dtype != as)
    return {.code = errc::dtype_mismatch,
            .expected = static_cast<std::uint64_t>(as),
            .found = static_cast<std::uint64_t>(d.dtype)};
  if (d.is_plain() && !is_native(d)) return {.code = errc::foreign_byte_order};
  return why_not_plain(d, stored);
}

std::size_t alignment_of(dtype type) noexcept {
  return std::max<std::size_t>(swap_unit(type), 1);  // complex numbers: alignment of a component
}

/// Sets shape and dense strides, in elements. `in_c_order`: the descriptor's strides are those of C order.
failure dense_dimensions(const descriptor& d, stride_policy order, detail::dimensions& out, bool& in_c_order) noexcept {
  std::array<std::int64_t, max_rank> c_order, stored;
  const auto c = std::span(c_order).first(d.rank()), dense = std::span(stored).first(d.rank());
  c_order_strides(d.shape(), c);
  const bool supported = dense_strides(d.shape(), d.strides(), element_size(d.dtype), dense);
  if (!supported && order == stride_policy::apply) return {.code = errc::unsupported_strides};
  if (!out.set(d.shape(), order == stride_policy::ignore ? c : dense)) return {.code = errc::out_of_memory};
  in_c_order = supported && std::ranges::equal(c, dense);
  return {};
}

failure at_payload(const object& of, failure why) noexcept {
  why.offset = of.payload_offset();
  return detail::with_location(why, of.frame().message(), of.index());
}

/// Returns whether elements that are plain are viewed where they are.
bool is_viewable(const object& of, const descriptor& d) noexcept {
  return d.dtype != dtype::bitmask && is_native(d) && access::state(of.frame())->bytes().mapped() != nullptr;
}

/// Lets later views of the object find its layout without the descriptor.
void add_layout(const object& of, dtype type, bool in_c_order, const detail::dimensions& dimensions) noexcept {
  access::state(of.frame())
      ->objects()
      .add_layout(of.frame().message(), of.index(),
                  {.type = type, .c_order = in_c_order, .size_bytes = of.payload_size(), .dimensions = dimensions});
}

}  // namespace

void detail::remember_layout(const object& of, const descriptor& d) noexcept {
  dimensions found;
  bool in_c_order = false;
  if (is_viewable(of, d) && !why_not_plain(d, of.payload_size()) &&
      !dense_dimensions(d, stride_policy::apply, found, in_c_order))
    add_layout(of, d.dtype, in_c_order, found);
}

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
  const auto fail = [&](failure f) { return at_payload(*this, f); };
  if (failure f = why_not_native(d, as, payload_length_)) return fail(f);
  bool in_c_order = false;
  if (failure f = dense_dimensions(d, order, out.dimensions, in_c_order)) return fail(f);

  const auto bytes = payload(why);
  if (why) return why;
  if (const auto off = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment; off != 0)
    return fail({.code = errc::misaligned, .expected = alignment, .found = off});
  out.data = bytes.empty() ? nullptr : bytes.data();
  if (in_c_order || order == stride_policy::apply) add_layout(*this, as, in_c_order, out.dimensions);
  return {};
}

failure object::why_not_in_place(dtype as, stride_policy order) const noexcept {
  const detail::archive_state* state = access::state(frame_);
  if (state == nullptr) return {.code = errc::no_archive};
  if (state->bytes().mapped() != nullptr || payload_length_ == 0) {
    layout ignored;
    return locate(as, alignment_of(as), order, ignored);
  }
  // Not mapped: answer from the descriptor alone, because reading the payload would copy it.
  failure why;
  const tgmap::descriptor d = descriptor(why);
  if (!why) why = why_not_native(d, as, payload_length_);
  std::array<std::int64_t, max_rank> strides;
  if (!why && order == stride_policy::apply &&
      !dense_strides(d.shape(), d.strides(), element_size(d.dtype), {strides.data(), d.rank()}))
    why = {.code = errc::unsupported_strides};
  if (!why) why = {.code = errc::not_mapped};
  if (why.offset == 0) why.offset = payload_offset();
  return detail::with_location(why, frame_.message(), index_);
}

untyped_view view_untyped(const object& of, stride_policy order, failure& why) noexcept {
  why = {};
  untyped_view out;
  const detail::archive_state* const state = access::state(of.frame());
  if (state == nullptr) {
    access::none(why);
    return out;
  }
  const detail::element_layout* const known = access::layout_of(of);
  if (known != nullptr && known->size_bytes == of.payload_size() && (order == stride_policy::apply || known->c_order)) {
    out.dtype = known->type;
    out.byte_order = native_byte_order;
    out.dimensions = known->dimensions;
  } else {
    const descriptor d = of.descriptor(why);
    if (why) return out;
    bool in_c_order = false;
    failure f = why_not_plain(d, of.payload_size());
    if (!f) f = dense_dimensions(d, order, out.dimensions, in_c_order);
    if (f) {
      why = at_payload(of, f);
      return out;
    }
    out.dtype = d.dtype;
    out.byte_order = is_native(d) ? native_byte_order : d.byte_order;
    if (is_viewable(of, d) && (in_c_order || order == stride_policy::apply))
      add_layout(of, d.dtype, in_c_order, out.dimensions);
  }
  out.bytes = of.payload(why);
  return out;
}

untyped_view view_untyped(const object& of, failure& why) noexcept {
  return view_untyped(of, stride_policy::apply, why);
}

untyped_view view_untyped(const object& of, stride_policy order) {
  failure why;
  auto out = view_untyped(of, order, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
