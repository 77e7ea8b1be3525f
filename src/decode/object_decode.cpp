// SPDX-License-Identifier: Apache-2.0
// Members of object that decode all elements, also as another type and as vectors.
#include <algorithm>
#include <exception>
#include <optional>
#include <tgmap/array_view.hpp>
#include <tgmap/object.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/owned_descriptor.hpp"
#include "archive/payload_access.hpp"
#include "decode/conversion.hpp"
#include "decode/object_loader.hpp"
#include "decode/plan.hpp"
#include "decode/tensor_access.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::tensor_access;

using decode::object_loader;

/// Sets dtype, shape and strides of `out`, and plans the decoding. The payload may be read with the descriptor, into
/// the memory of `out` or of the loader.
failure begin(const object& object, const decode_options& how, object_loader& loader, tensor& out, decode::plan& plan,
              object_loader::use what = object_loader::use::owned) noexcept {
  failure why;
  std::span<std::byte> memory;
  if (loader.begin(object, how, what)) memory = tensor_access::allocate(out, object.payload_size(), why);
  if (!why) why = loader.load(object, memory);
  if (why) return why;
  const tgmap::descriptor& descriptor = loader.get();
  if (!tensor_access::describe(out, descriptor, how.strides))
    return decode::with_location(object, {.code = errc::unsupported_strides});
  tensor_access::set_order(out, detail::wanted_order(descriptor, how.byte_order));
  return loader.plan_for(object, plan);
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

failure fill(const object& object, object_loader& loader, decode::plan& plan, const decode_options& how,
             tensor& out) noexcept {
  failure why;
  const auto memory = tensor_access::allocate(out, plan.decoded, why);
  if (!why) why = loader.decode(plan, object, how, memory);
  return decode::with_location(object, why);
}

/// Does the same, and converts the elements to another type. `out` then owns them: borrowed bytes can vanish while they
/// are read.
failure fill_as(const object& object, object_loader& loader, decode::plan& plan, const decode_options& how, dtype as,
                tensor& out) noexcept {
  if (out.dtype() == as) return fill(object, loader, plan, how, out);
  const auto size = size_bytes(as, out.size());
  failure why = decode::require_within_limit(object, size.value_or(UINT64_MAX));
  if (!why) why = fill(object, loader, plan, how, out);
  tensor converted;
  if (!why) why = decode::with_location(object, tensor_access::convert(out, as, *size, converted));
  out = std::move(converted);
  return why;
}

failure borrow_or_fill(const object& object, object_loader& loader, decode::plan& plan, const decode_options& how,
                       tensor& out) noexcept {
  failure why;
  // Borrowed bytes could change after their hash was compared.
  if (!how.verify && (borrowed(object, plan, out, why) || why)) return why;
  return fill(object, loader, plan, how, out);
}

/// Decodes elements as another type. `tensor` has dtype and shape, but no elements yet.
failure make_converted(const object& object, object_loader& loader, decode::plan& plan, const decode_options& how,
                       tensor& tensor, dtype as, std::span<std::byte> out) noexcept {
  if (tensor.dtype() == as) return loader.decode(plan, object, how, out);
  if (failure why = fill(object, loader, plan, how, tensor)) return why;
  return decode::convert(tensor.bytes(), tensor.dtype(), out, as, tensor.size());
}

}  // namespace

tensor object::decode(const decode_options& how, failure& why) const noexcept {
  tensor out;
  decode::plan plan;
  object_loader loader;
  why = begin(*this, how, loader, out, plan, object_loader::use::may_borrow);
  if (!why) why = borrow_or_fill(*this, loader, plan, how, out);
  return why ? tensor() : std::move(out);
}

tensor object::decode(const decode_options& how) const {
  return detail::or_throw([&](failure& why) { return decode(how, why); });
}

void object::decode_into(tensor& out, const decode_options& how, failure& why) const noexcept {
  decode::plan plan;
  object_loader loader;
  why = begin(*this, how, loader, out, plan);
  if (!why) why = fill(*this, loader, plan, how, out);
  if (why) tensor_access::clear(out);
}

void object::decode_into(tensor& out, const decode_options& how) const {
  failure why;
  decode_into(out, how, why);
  detail::raise_if(why);
}

void object::decode_into(std::span<std::byte> out, const decode_options& how, failure& why) const noexcept {
  why = decode_to({}, out, how);
}

void object::decode_into(std::span<std::byte> out, const decode_options& how) const {
  failure why;
  decode_into(out, how, why);
  detail::raise_if(why);
}

failure object::decode_to(std::optional<dtype> required, std::span<std::byte> out,
                          const decode_options& how) const noexcept {
  object_loader loader;
  const bool in_output = loader.begin(*this, how, object_loader::use::owned);
  if (failure why = loader.load(*this, in_output ? out : std::span<std::byte>())) return why;
  const dtype stored = loader.get().dtype;
  if (required && stored != *required)
    return decode::with_location(*this, {.code = errc::dtype_mismatch,
                                         .expected = static_cast<std::uint64_t>(*required),
                                         .found = static_cast<std::uint64_t>(stored)});
  decode::plan plan;
  if (failure why = loader.plan_for(*this, plan)) return why;
  if (plan.decoded != out.size())
    return decode::with_location(
        *this, {.code = errc::invalid_option, .expected = plan.decoded, .found = out.size(), .argument = "out.size()"});
  return decode::with_location(*this, loader.decode(plan, *this, how, out));
}

tensor object::decode_as(dtype as, const decode_options& how, failure& why) const noexcept {
  decode_options natively = how;
  natively.byte_order = output_byte_order::native;
  tensor out;
  decode::plan plan;
  object_loader loader;
  why = begin(*this, natively, loader, out, plan, object_loader::use::may_borrow);
  if (!why)
    why = out.dtype() == as ? borrow_or_fill(*this, loader, plan, natively, out)
                            : fill_as(*this, loader, plan, natively, as, out);
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
  object_loader loader;
  why = begin(*this, natively, loader, tensor, plan);
  if (why) return;
  const auto size = size_bytes(as, tensor.size());
  if (!size || *size != out.size())
    why = {.code = errc::invalid_option, .expected = size.value_or(UINT64_MAX), .found = out.size()};
  else
    why = make_converted(*this, loader, plan, natively, tensor, as, out);
  why = decode::with_location(*this, why);
}

template <element T>
std::vector<T> object::to_vector(const decode_options& how, failure& why) const noexcept try {
  decode_options natively = how;
  natively.byte_order = output_byte_order::native;
  tensor decoded;
  decode::plan plan;
  object_loader loader;
  why = begin(*this, natively, loader, decoded, plan);
  if (!why) why = fill_as(*this, loader, plan, natively, dtype_of<T>, decoded);
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
