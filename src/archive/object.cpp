// SPDX-License-Identifier: Apache-2.0
#include <tgmap/object.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/metadata/metadata_snapshot.hpp"
#include "archive/owned_descriptor.hpp"
#include "cbor/structure/descriptor.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

descriptor detail::read_descriptor_of(const archive_state& state, const object& object, entry_lifetime lifetime,
                                      metadata_snapshot& copy, failure& why) noexcept {
  const byte_range from = access::descriptor_of(object);
  const io::locality what = locality_of(object.frame().message(), object.frame().length());
  // A range too short for a descriptor is not kept in memory, because a file may repeat it very often.
  const bool keep = lifetime == entry_lifetime::archive && from.size >= cbor::min_descriptor_size;
  const failure unread = keep ? copy.load(state.bytes(), from.offset, from.size, what)
                              : copy.load_temporary(state.bytes(), from.offset, from.size, what);
  // Near a kilobyte: constructed in the caller's storage.
  descriptor out =
      cbor::read_descriptor(copy.bytes(), object.payload_and_masks_size(), state.options().max_cbor_depth, why);
  if (unread) why = unread;
  if (!why) return out;
  // The rest of a file's last page reads as zeros: check that the file is whole before reporting damage.
  if (failure truncated = state.bytes().check_not_truncated()) {
    truncated.offset = from.offset;
    why = truncated;
  }
  if (why.offset == 0) why.offset = from.offset;
  why = with_location(why, object.frame().message(), object.index());
  out = {};  // nothing may point into the copy
  return out;
}

descriptor object::descriptor(failure& why) const noexcept {
  why = {};
  const detail::archive_state* const state = access::state(frame_);
  if (state == nullptr) {
    access::none(why);
    return {};
  }
  detail::metadata_snapshot copy;
  tgmap::descriptor out = detail::read_descriptor_of(*state, *this, detail::entry_lifetime::archive, copy, why);
  if (why) return out;
  out.type = copy.in_archive(out.type);
  out.entries = copy.in_archive(out.entries);
  return out;
}

descriptor object::descriptor() const {
  failure why;
  auto out = descriptor(why);
  detail::raise_if(why);
  return out;
}

namespace {

/// Returns bytes of an object's frame where they are.
std::span<const std::byte> bytes_of(const object& object, std::uint64_t at, std::uint64_t size, failure& why) noexcept {
  const detail::archive_state* const state = access::state(object.frame());
  if (state == nullptr) return access::none(why);
  if (const std::byte* all = state->bytes().mapped()) return {all + at, static_cast<std::size_t>(size)};
  const auto bytes = state->bytes().view(at, size, io::budget::payload, why);
  why = detail::with_location(why, object.frame().message(), object.index());
  return bytes;
}

}  // namespace

std::span<const std::byte> object::payload(failure& why) const noexcept {
  why = {};
  return bytes_of(*this, payload_offset(), payload_length_, why);
}

std::span<const std::byte> object::payload_and_masks(failure& why) const noexcept {
  why = {};
  return bytes_of(*this, payload_offset(), region_length_, why);
}

std::span<const std::byte> object::payload() const {
  const detail::archive_state* const state = access::state(frame_);
  if (state != nullptr && state->bytes().mapped() != nullptr)
    return {state->bytes().mapped() + payload_offset(), static_cast<std::size_t>(payload_length_)};
  failure why;
  const auto bytes = payload(why);
  detail::raise_if(why);
  return bytes;
}

std::span<const std::byte> object::payload_and_masks() const {
  failure why;
  const auto bytes = payload_and_masks(why);
  detail::raise_if(why);
  return bytes;
}

void object::read(std::uint64_t offset, std::span<std::byte> out, failure& why) const noexcept {
  why = {};
  if (access::state(frame_) == nullptr) {
    access::none(why);
    return;
  }
  if (!wire::fits(offset, out.size(), payload_length_))
    why = {.code = errc::read_past_end,
           .offset = payload_offset(),
           .expected = payload_length_,
           .found = offset > UINT64_MAX - out.size() ? UINT64_MAX : offset + out.size()};
  else
    why = access::state(frame_)->bytes().read(payload_offset() + offset, out);
  why = detail::with_location(why, frame_.message(), index_);
}

void object::read(std::uint64_t offset, std::span<std::byte> out) const {
  failure why;
  read(offset, out, why);
  detail::raise_if(why);
}

namespace {

constexpr bool native(byte_order order) noexcept {
  return (order == byte_order::little) == (std::endian::native == std::endian::little);
}

/// Returns why the payload cannot be used in place, as far as the descriptor says.
failure why_not_plain(const descriptor& d, dtype as, std::uint64_t stored) noexcept {
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
  return std::max<std::size_t>(swap_unit(type), 1);  // complex numbers: alignment of a component
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
    return detail::with_location(f, frame_.message(), index_);
  };
  if (failure f = why_not_plain(d, as, payload_length_)) return fail(f);
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
    access::state(frame_)->objects().add_layout(
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
  // Not mapped: answer from the descriptor alone, because reading the payload would copy it.
  failure why;
  const tgmap::descriptor d = descriptor(why);
  if (!why) why = why_not_plain(d, as, payload_length_);
  std::array<std::int64_t, max_rank> strides;
  if (!why && order == stride_policy::apply && !dense_strides(d.shape(), d.strides(), {strides.data(), d.rank()}))
    why = {.code = errc::unsupported_strides};
  if (!why) why = {.code = errc::not_mapped};
  if (why.offset == 0) why.offset = payload_offset();
  return detail::with_location(why, frame_.message(), index_);
}

}  // namespace v0
}  // namespace tgmap
