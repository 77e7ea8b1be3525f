// SPDX-License-Identifier: Apache-2.0
// The decoding members of object.
#include <bit>
#include <tgmap/object.hpp>

#include "archive/decoding.hpp"
#include "archive/layout.hpp"
#include "decode/pipeline.hpp"
#include "decode/plan.hpp"
#include "decode/tensor_access.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

constexpr auto native_order = std::endian::native == std::endian::big ? byte_order::big : byte_order::little;

/// The failure, as it concerns that object.
failure concerning(const object& of, failure why) noexcept {
  if (!why) return why;
  if (why.offset == 0) why.offset = of.payload_offset();
  return detail::located(why, of.frame().message(), static_cast<std::int64_t>(of.index()));
}

/// Buffers that live as long as their thread, so that objects decoded one after another need no new ones.
decode::workspace& tools_of_this_thread() noexcept {
  thread_local decode::workspace tools;
  return tools;
}

failure plan_for(const object& of, const descriptor& what, decode::plan& out) noexcept {
  bool legacy = false;
  if (what.compression == compression::szip)
    if (failure why = detail::legacy_szip_flags(of, legacy)) return why;
  return decode::make_plan(what, of.payload_size(), detail::options_of(of).max_decoded_bytes, legacy, out);
}

}  // namespace

std::uint64_t object::decoded_size(failure& why) const noexcept {
  const tgmap::descriptor what = descriptor(why);
  if (why) return 0;
  decode::plan sizes;
  why = concerning(*this, plan_sizes(what, payload_size(), detail::options_of(*this).max_decoded_bytes, sizes));
  return why ? 0 : sizes.decoded;
}

std::uint64_t object::decoded_size() const {
  failure why;
  const auto out = decoded_size(why);
  detail::raise_if(why);
  return out;
}

tensor object::decode(const decode_options& how, failure& why) const noexcept {
  const tgmap::descriptor what = descriptor(why);
  if (why) return {};
  tensor out;
  const byte_order wanted = how.bytes == output_order::native ? native_order : what.byte_order;
  const auto fail = [&](const failure& f) {
    why = concerning(*this, f);
    return tensor();
  };
  if (!detail::tensor_access::describe(out, what, how.elements)) return fail({.code = errc::odd_strides});
  decode::plan p;
  if (failure f = plan_for(*this, what, p)) return fail(f);
  detail::tensor_access::set_order(out, wanted);

  const bool in_order = swap_unit(what.dtype) <= 1 || what.byte_order == wanted;
  if (what.plain() && in_order && detail::is_mapped(*this)) {
    detail::tensor_access::borrow(out, payload(why));
    const auto unaligned =
        reinterpret_cast<std::uintptr_t>(out.bytes().data()) % std::max<std::size_t>(1, swap_unit(what.dtype));
    if (why || unaligned == 0) return why ? tensor() : std::move(out);
  }
  failure f;
  const auto memory = detail::tensor_access::own(out, p.decoded, f);
  if (!f) f = run(p, *this, how, tools_of_this_thread(), memory);
  if (f) return fail(f);
  return out;
}

tensor object::decode(const decode_options& how) const {
  failure why;
  auto out = decode(how, why);
  detail::raise_if(why);
  return out;
}

void object::decode_into(std::span<std::byte> out, const decode_options& how, failure& why) const noexcept {
  const tgmap::descriptor what = descriptor(why);
  if (why) return;
  decode::plan p;
  failure f = plan_for(*this, what, p);
  if (!f && p.decoded != out.size()) f = {.code = errc::invalid_option, .expected = p.decoded, .found = out.size()};
  if (!f) f = run(p, *this, how, tools_of_this_thread(), out);
  why = concerning(*this, f);
}

void object::decode_into(std::span<std::byte> out, const decode_options& how) const {
  failure why;
  decode_into(out, how, why);
  detail::raise_if(why);
}

failure object::decodes_as(dtype as) const noexcept {
  failure why;
  const tgmap::descriptor what = descriptor(why);
  if (why || what.dtype == as) return why;
  return concerning(*this, {.code = errc::dtype_mismatch,
                            .expected = static_cast<std::uint64_t>(as),
                            .found = static_cast<std::uint64_t>(what.dtype)});
}

}  // namespace v0
}  // namespace tgmap
