// SPDX-License-Identifier: Apache-2.0
// The members of object_decoding that decode all elements. Every object is one, and only objects are.
#include <algorithm>
#include <tgmap/object.hpp>
#include <utility>

#include "archive/decoding.hpp"
#include "archive/held_descriptor.hpp"
#include "decode/encoded_source.hpp"
#include "decode/pipeline.hpp"
#include "decode/plan.hpp"
#include "decode/plan_for.hpp"
#include "decode/tensor_access.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::tensor_access;

const object& self(const object_decoding& of) noexcept { return static_cast<const object&>(of); }

/// Nothing but dtype, shape and strides, in `out`, and what it takes to fill it.
failure begin(const object& of, const decode_options& how, detail::held_descriptor& held, tensor& out,
              decode::plan& plan) noexcept {
  if (failure why = held.read(of)) return why;
  const tgmap::descriptor& what = held.what();
  if (!tensor_access::describe(out, what, how.elements)) return decode::concerning(of, {.code = errc::odd_strides});
  tensor_access::set_order(out, detail::wanted_order(what, how.bytes));
  return decode::plan_for(of, what, plan);
}

/// Whether bits behind the last element of a bitmask are set, which are not to be given to anybody.
bool has_set_padding(const object& of, const decode::plan& plan, failure& why) noexcept {
  const std::uint64_t used = plan.what.elements % 8;
  if (plan.what.dtype != dtype::bitmask || used == 0) return false;
  std::byte last{};
  why = detail::read_payload(of, plan.decoded - 1, {&last, 1});
  return (last & static_cast<std::byte>(0xffu >> used)) != std::byte{0};
}

/// Whether the payload is the elements already, in place. Then `out` has borrowed it, or `why` says why it could not.
bool borrowed(const object& of, const decode::plan& plan, tensor& out, failure& why) noexcept {
  const std::size_t unit = std::max<std::size_t>(1, swap_unit(plan.what.dtype));
  const bool in_order = unit == 1 || plan.what.byte_order == out.byte_order();
  if (!plan.what.plain() || !in_order || !detail::is_mapped(of) || has_set_padding(of, plan, why) || why) return false;
  const auto bytes = of.payload(why);
  if (!why && reinterpret_cast<std::uintptr_t>(bytes.data()) % unit != 0) return false;
  tensor_access::borrow(out, bytes);
  return true;
}

failure fill(const object& of, const decode::plan& plan, const decode_options& how, tensor& out) noexcept {
  failure why;
  const auto memory = tensor_access::own(out, plan.decoded, why);
  if (!why) why = decode_elements(plan, of, how, memory);
  return decode::concerning(of, why);
}

}  // namespace

std::uint64_t object_decoding::decoded_size(failure& why) const noexcept {
  const object& of = self(*this);
  detail::held_descriptor held;
  why = held.read(of);
  if (why) return 0;
  decode::plan sizes;
  why = decode::concerning(of,
                           plan_sizes(held.what(), of.payload_size(), detail::options_of(of).max_decoded_bytes, sizes));
  return why ? 0 : sizes.decoded;
}

tensor object_decoding::decode(const decode_options& how, failure& why) const noexcept {
  tensor out;
  decode::plan plan;
  detail::held_descriptor held;
  why = begin(self(*this), how, held, out, plan);
  if (!why && !borrowed(self(*this), plan, out, why) && !why) why = fill(self(*this), plan, how, out);
  return why ? tensor() : std::move(out);
}

void object_decoding::decode_into(tensor& out, const decode_options& how, failure& why) const noexcept {
  decode::plan plan;
  detail::held_descriptor held;
  why = begin(self(*this), how, held, out, plan);
  if (!why) why = fill(self(*this), plan, how, out);
  if (why) tensor_access::empty(out);
}

void object_decoding::decode_into(std::span<std::byte> out, const decode_options& how, failure& why) const noexcept {
  const object& of = self(*this);
  detail::held_descriptor held;
  why = held.read(of);
  if (why) return;
  decode::plan plan;
  why = decode::plan_for(of, held.what(), plan);
  if (why) return;
  if (plan.decoded != out.size())
    why = decode::concerning(
        of, {.code = errc::invalid_option, .expected = plan.decoded, .found = out.size(), .argument = "out.size()"});
  else
    why = decode::concerning(of, decode_elements(plan, of, how, out));
}

tensor object_decoding::decode_as(dtype as, const decode_options& how, failure& why) const noexcept {
  const object& of = self(*this);
  decode_options natively = how;
  natively.bytes = output_order::native;
  const tgmap::descriptor what = of.descriptor(why);
  if (why) return {};
  if (what.dtype == as) return decode(natively, why);
  tensor from;  // of its own: what is borrowed can vanish while it is read
  decode_into(from, natively, why);
  if (why) return {};
  const auto size = byte_count(as, from.elements());
  const std::uint64_t most = detail::options_of(of).max_decoded_bytes;
  tensor out;
  if (!size || *size > most)
    why = {.code = errc::decoded_limit, .expected = most, .found = size.value_or(UINT64_MAX)};
  else
    why = tensor_access::convert(from, as, *size, out);
  why = decode::concerning(of, why);
  return why ? tensor() : std::move(out);
}

void object_decoding::verify_offsets(failure& why) const noexcept {
  const object& of = self(*this);
  detail::held_descriptor held;
  why = held.read(of);
  if (why || !held.what().entries.find("szip_block_offsets")) return;
  decode::plan plan;
  why = decode::plan_for(of, held.what(), plan);
  if (why || plan.what.compression != compression::szip || plan.encoded == 0) return;
  decode::encoded_source source;
  why = source.open(plan, of, decode::reading::parts);
  if (!why)
    why = source.whole_only() ? failure{.code = errc::bad_parameter, .argument = "szip_block_offsets"}
                              : source.check_places(decode::workspace_of_this_thread());
  why = decode::concerning(of, why);
}

failure object_decoding::decodes_as(dtype as) const noexcept {
  failure why;
  const tgmap::descriptor what = self(*this).descriptor(why);
  if (why || what.dtype == as) return why;
  return decode::concerning(self(*this), {.code = errc::dtype_mismatch,
                                          .expected = static_cast<std::uint64_t>(as),
                                          .found = static_cast<std::uint64_t>(what.dtype)});
}

}  // namespace v0
}  // namespace tgmap
