// SPDX-License-Identifier: Apache-2.0
// Members of object that decode elements: all of them, parts, as another type and as vectors.
#include <algorithm>
#include <exception>
#include <optional>
#include <tgmap/array_view.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/object.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/owned_descriptor.hpp"
#include "archive/payload_access.hpp"
#include "decode/conversion.hpp"
#include "decode/encoded_source.hpp"
#include "decode/plan.hpp"
#include "decode/range_decoder.hpp"
#include "decode/tensor_access.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::tensor_access;

/// Sets dtype, shape and strides of `out`, and plans the decoding.
failure begin(const object& object, const decode_options& how, detail::owned_descriptor& held, tensor& out,
              decode::plan& plan) noexcept {
  if (failure why = held.read(object)) return why;
  const tgmap::descriptor& descriptor = held.get();
  if (!tensor_access::describe(out, descriptor, how.strides))
    return decode::with_location(object, {.code = errc::unsupported_strides});
  tensor_access::set_order(out, detail::wanted_order(descriptor, how.byte_order));
  return decode::plan_for(object, descriptor, plan);
}

/// Returns whether padding bits of a bitmask are set; such a payload cannot be borrowed.
bool has_set_padding(const object& object, const decode::plan& plan, failure& why) noexcept {
  const std::uint64_t used = plan.descriptor.element_count % 8;
  if (plan.descriptor.dtype != dtype::bitmask || used == 0) return false;
  std::byte last{};
  why = detail::read_payload(object, plan.decoded - 1, {&last, 1});
  return (last & static_cast<std::byte>(0xffu >> used)) != std::byte{0};
}

/// Borrows the payload if it is usable in place. Returns whether it is; `why` may have a failure.
bool borrowed(const object& object, const decode::plan& plan, tensor& out, failure& why) noexcept {
  const std::size_t unit = std::max<std::size_t>(1, swap_unit(plan.descriptor.dtype));
  const bool in_order = unit == 1 || plan.descriptor.byte_order == out.byte_order();
  if (!plan.descriptor.is_plain() || !in_order || !detail::is_mapped(object) || has_set_padding(object, plan, why) ||
      why)
    return false;
  const auto bytes = object.payload(why);
  if (!why && reinterpret_cast<std::uintptr_t>(bytes.data()) % unit != 0) return false;
  if (!why) tensor_access::borrow(out, bytes, detail::pin_of(object));
  return true;
}

failure fill(const object& object, const decode::plan& plan, const decode_options& how, tensor& out) noexcept {
  failure why;
  const auto memory = tensor_access::allocate(out, plan.decoded, why);
  if (!why) why = decode_elements(plan, object, how, memory);
  return decode::with_location(object, why);
}

/// Plans the sizes before and after decoding and checks the limits.
failure sizes_of(const object& object, detail::owned_descriptor& held, decode::plan& out) noexcept {
  if (failure why = held.read(object)) return why;
  const std::uint64_t max_bytes = detail::options_of(object).max_decoded_bytes;
  return decode::with_location(object, plan_sizes(held.get(), object.payload_size(), max_bytes, out));
}

/// Decodes elements as another type. `tensor` has dtype and shape, but no elements yet.
failure make_converted(const object& object, const decode::plan& plan, const decode_options& how, tensor& tensor,
                       dtype as, std::span<std::byte> out) noexcept {
  if (tensor.dtype() == as) return decode_elements(plan, object, how, out);
  if (failure why = fill(object, plan, how, tensor)) return why;
  return decode::convert(tensor.bytes(), tensor.dtype(), out, as, tensor.size());
}

}  // namespace

std::uint64_t object::decoded_size(failure& why) const noexcept {
  detail::owned_descriptor held;
  decode::plan sizes;
  why = sizes_of(*this, held, sizes);
  return why ? 0 : sizes.decoded;
}

std::uint64_t object::decoded_size() const {
  return detail::or_throw([&](failure& why) { return decoded_size(why); });
}

tensor object::decode(const decode_options& how, failure& why) const noexcept {
  tensor out;
  decode::plan plan;
  detail::owned_descriptor held;
  why = begin(*this, how, held, out, plan);
  // Borrowed bytes could change after their hash was compared.
  if (!why && (how.verify || !borrowed(*this, plan, out, why)) && !why) why = fill(*this, plan, how, out);
  return why ? tensor() : std::move(out);
}

tensor object::decode(const decode_options& how) const {
  return detail::or_throw([&](failure& why) { return decode(how, why); });
}

void object::decode_into(tensor& out, const decode_options& how, failure& why) const noexcept {
  decode::plan plan;
  detail::owned_descriptor held;
  why = begin(*this, how, held, out, plan);
  if (!why) why = fill(*this, plan, how, out);
  if (why) tensor_access::clear(out);
}

void object::decode_into(tensor& out, const decode_options& how) const {
  failure why;
  decode_into(out, how, why);
  detail::raise_if(why);
}

void object::decode_into(std::span<std::byte> out, const decode_options& how, failure& why) const noexcept {
  detail::owned_descriptor held;
  why = held.read(*this);
  if (why) return;
  decode::plan plan;
  why = decode::plan_for(*this, held.get(), plan);
  if (why) return;
  if (plan.decoded != out.size())
    why = decode::with_location(
        *this, {.code = errc::invalid_option, .expected = plan.decoded, .found = out.size(), .argument = "out.size()"});
  else
    why = decode::with_location(*this, decode_elements(plan, *this, how, out));
}

void object::decode_into(std::span<std::byte> out, const decode_options& how) const {
  failure why;
  decode_into(out, how, why);
  detail::raise_if(why);
}

tensor object::decode_as(dtype as, const decode_options& how, failure& why) const noexcept {
  decode_options natively = how;
  natively.byte_order = output_byte_order::native;
  const tgmap::descriptor what = descriptor(why);
  if (why) return {};
  if (what.dtype == as) return decode(natively, why);
  const auto size = size_bytes(as, what.element_count);
  why = decode::require_within_limit(*this, size.value_or(UINT64_MAX));
  if (why) return {};
  tensor from;  // owns its elements: borrowed bytes can vanish while they are read
  decode_into(from, natively, why);
  if (why) return {};
  tensor out;
  why = tensor_access::convert(from, as, *size, out);
  why = decode::with_location(*this, why);
  return why ? tensor() : std::move(out);
}

tensor object::decode_as(dtype as, const decode_options& how) const {
  return detail::or_throw([&](failure& why) { return decode_as(as, how, why); });
}

void object::decode_converted(dtype as, std::span<std::byte> out, const decode_options& how,
                              failure& why) const noexcept {
  decode_options natively = how;
  natively.byte_order = output_byte_order::native;
  natively.strides = stride_policy::ignore;
  tensor tensor;
  decode::plan plan;
  detail::owned_descriptor held;
  why = begin(*this, natively, held, tensor, plan);
  if (why) return;
  const auto size = size_bytes(as, tensor.size());
  if (!size || *size != out.size())
    why = {.code = errc::invalid_option, .expected = size.value_or(UINT64_MAX), .found = out.size()};
  else
    why = make_converted(*this, plan, natively, tensor, as, out);
  why = decode::with_location(*this, why);
}

void object::verify_block_offsets(failure& why) const noexcept {
  detail::owned_descriptor held;
  why = held.read(*this);
  if (why || !held.get().entries.find("szip_block_offsets")) return;
  decode::plan plan;
  why = decode::plan_for(*this, held.get(), plan);
  if (why || plan.descriptor.compression != compression::szip || plan.encoded == 0) return;
  decode::encoded_source source;
  why = source.open(plan, *this, decode::reading::parts);
  if (!why)
    why = source.whole_only() ? failure{.code = errc::bad_parameter, .argument = "szip_block_offsets"}
                              : source.check_offsets(decode::thread_workspace());
  why = decode::with_location(*this, why);
}

void object::verify_block_offsets() const {
  failure why;
  verify_block_offsets(why);
  detail::raise_if(why);
}

failure object::decodes_as(dtype as) const noexcept {
  failure why;
  const tgmap::descriptor what = descriptor(why);
  if (why || what.dtype == as) return why;
  return decode::with_location(*this, {.code = errc::dtype_mismatch,
                                       .expected = static_cast<std::uint64_t>(as),
                                       .found = static_cast<std::uint64_t>(what.dtype)});
}

tensor object::decode_range(std::uint64_t offset, std::uint64_t count, const decode_options& how,
                            failure& why) const noexcept {
  const auto by = part_reader::open(*this, how, why);
  return why ? tensor() : by.range(offset, count, why);
}

tensor object::decode_range(std::uint64_t offset, std::uint64_t count, const decode_options& how) const {
  return detail::or_throw([&](failure& why) { return decode_range(offset, count, how, why); });
}

tensor object::decode_slab(const slab& box, const decode_options& how, failure& why) const noexcept {
  const auto by = part_reader::open(*this, how, why);
  return why ? tensor() : by.slab(box, why);
}

tensor object::decode_slab(const slab& box, const decode_options& how) const {
  return detail::or_throw([&](failure& why) { return decode_slab(box, how, why); });
}

part_cost object::part_cost(const slab& box, const decode_options& how, failure& why) const noexcept {
  const auto by = part_reader::open(*this, how, why);
  return why ? tgmap::part_cost() : by.cost(box, why);
}

part_cost object::part_cost(const slab& box, const decode_options& how) const {
  return detail::or_throw([&](failure& why) { return part_cost(box, how, why); });
}

template <element T>
std::vector<T> object::to_vector(const decode_options& how, failure& why) const noexcept try {
  decode_options natively = how;
  natively.byte_order = output_byte_order::native;
  tensor decoded;
  const tgmap::dtype stored = descriptor(why).dtype;
  if (why) return {};
  // The same dtype is decoded into memory of its own: borrowed bytes can vanish while they are read.
  if (stored == dtype_of<T>)
    decode_into(decoded, natively, why);
  else
    decoded = decode_as(dtype_of<T>, natively, why);
  if (why) return {};
  // The vector is cleared when it is made. A forged shape must have failed before.
  std::vector<T> out(static_cast<std::size_t>(decoded.size()));
  gather_elements(decoded.bytes().data(), sizeof(T), decoded.shape(), decoded.strides(),
                  std::as_writable_bytes(std::span(out)).data());
  return out;
} catch (const std::exception&) {  // std::bad_alloc, std::length_error
  why = decode::with_location(*this, {.code = errc::out_of_memory});
  return {};
}

#define TGMAP_TO_VECTOR(type) \
  template TGMAP_API std::vector<type> object::to_vector<type>(const decode_options&, failure&) const noexcept
TGMAP_TO_VECTOR(float16);
TGMAP_TO_VECTOR(bfloat16);
TGMAP_TO_VECTOR(float);
TGMAP_TO_VECTOR(double);
TGMAP_TO_VECTOR(std::complex<float>);
TGMAP_TO_VECTOR(std::complex<double>);
TGMAP_TO_VECTOR(std::int8_t);
TGMAP_TO_VECTOR(std::int16_t);
TGMAP_TO_VECTOR(std::int32_t);
TGMAP_TO_VECTOR(std::int64_t);
TGMAP_TO_VECTOR(std::uint8_t);
TGMAP_TO_VECTOR(std::uint16_t);
TGMAP_TO_VECTOR(std::uint32_t);
TGMAP_TO_VECTOR(std::uint64_t);
#undef TGMAP_TO_VECTOR

}  // namespace v0
}  // namespace tgmap
