// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <optional>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/object.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/object_hash.hpp"
#include "archive/owned_descriptor.hpp"
#include "decode/plan.hpp"
#include "decode/range_decoder.hpp"
#include "decode/slab_reader.hpp"
#include "decode/tensor_access.hpp"

namespace tgmap {
inline namespace v0 {

namespace detail {

/// The state of a part_reader; constant once it is open.
struct part_state {
  explicit part_state(const object& object, const decode_options& options) noexcept : of(object), how(options) {}
  part_state(const part_state&) = delete;

  object of;
  decode_options how;
  decode::plan plan{};
  tensor like{};  ///< dtype, byte order, shape and strides
  core::scratch blob{}, masks{};
  std::optional<decode::range_decoder> decoder{};  ///< set once there is a plan
};

}  // namespace detail

namespace {

using detail::part_state;
using detail::tensor_access;

std::unique_ptr<part_state> open_state(const object& object, const decode_options& how, failure& why) {
  auto out = std::make_unique<part_state>(object, how);
  detail::owned_descriptor held;
  why = held.read(object);
  if (why) return nullptr;
  const tgmap::descriptor& descriptor = held.get();
  if (!tensor_access::describe(out->like, descriptor, how.strides))
    why = decode::with_location(object, {.code = errc::unsupported_strides});
  if (!why) why = decode::plan_for_parts(object, descriptor, out->plan);
  if (!why && how.verify) why = decode::with_location(object, detail::check_hash(object));
  if (why) return nullptr;
  tensor_access::set_order(out->like, detail::wanted_order(descriptor, how.byte_order));
  out->decoder.emplace(out->plan, out->of, out->how);
  why = decode::with_location(object, out->decoder->open(decode::reading::parts, out->blob, out->masks));
  out->blob.release();
  out->plan.descriptor.entries = out->plan.descriptor.type = {};  // they refer to the descriptor, which is freed
  return why ? nullptr : std::move(out);
}

failure no_archive() noexcept { return {.code = errc::no_archive}; }

/// Checks that the object has the elements.
failure check_range(const part_state& in, std::uint64_t offset, std::uint64_t count) noexcept {
  const std::uint64_t all = in.plan.descriptor.element_count;
  if (offset <= all && count <= all - offset) return {};
  const std::uint64_t end = count > UINT64_MAX - offset ? UINT64_MAX : offset + count;
  return decode::with_location(in.of, {.code = errc::out_of_range, .expected = all, .found = end});
}

failure check_slab(const part_state& in, const slab& box) noexcept {
  const auto shape = in.plan.descriptor.shape();
  const auto fail = [&](errc code, std::uint64_t expected, std::uint64_t found, const char* argument) {
    return decode::with_location(in.of, {.code = code, .expected = expected, .found = found, .argument = argument});
  };
  for (const std::size_t size :
       {box.start.size(), box.count.size(), box.stride.empty() ? shape.size() : box.stride.size()})
    if (size != shape.size()) return fail(errc::invalid_option, shape.size(), size, "slab dimensions");
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::uint64_t start = box.start[d], count = box.count[d], step = box.stride.empty() ? 1 : box.stride[d];
    if (step == 0) return fail(errc::invalid_option, shape[d], 0, "slab::stride");
    if (start > shape[d]) return fail(errc::out_of_range, shape[d], start, "slab::start");
    if (count == 0) continue;
    const std::uint64_t available = shape[d] - start;
    if (available == 0 || count - 1 > (available - 1) / step)
      return fail(errc::out_of_range, shape[d], start + (available == 0 ? 0 : available), "slab::count");
  }
  return {};
}

std::uint64_t elements_of(const slab& box) noexcept {
  std::uint64_t out = 1;
  for (const std::uint64_t each : box.count) out *= each;  // at most what the object has: checked
  return out;
}

void clear_padding(std::uint64_t count, std::span<std::byte> bits) noexcept {
  if (count % 8 != 0) bits.back() &= static_cast<std::byte>(0xff00u >> (count % 8));
}

/// Shifts bits left by `by`, to align the first element to a byte. Padding bits become 0.
void shift_bits(std::span<const std::byte> from, unsigned by, std::uint64_t count, std::span<std::byte> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const unsigned high = std::to_integer<unsigned>(from[i]) << by;
    const unsigned low = by != 0 && i + 1 < from.size() ? std::to_integer<unsigned>(from[i + 1]) >> (8 - by) : 0;
    out[i] = static_cast<std::byte>(high | low);
  }
  clear_padding(count, out);
}

failure decode_bits(const part_state& in, std::span<std::byte> out, std::uint64_t offset,
                    std::uint64_t count) noexcept {
  if (count == 0) return {};
  if (offset % 8 == 0) {  // no other memory
    const failure why = in.decoder->decode(offset, out, decode::thread_workspace());
    if (!why) clear_padding(count, out);
    return why;
  }
  core::scratch memory;
  failure why;
  const std::uint64_t first = offset / 8, end = (offset + count + 7) / 8;
  const auto bytes = memory.take(end - first, why);
  if (!why) why = in.decoder->decode(first * 8, bytes, decode::thread_workspace());
  if (!why) shift_bits(bytes, static_cast<unsigned>(offset % 8), count, out);
  return why;
}

failure decode_range(const part_state& in, std::span<std::byte> out, std::uint64_t offset,
                     std::uint64_t count) noexcept {
  const auto size = size_bytes(in.plan.descriptor.dtype, count);
  if (!size || *size != out.size())
    return decode::with_location(
        in.of,
        {.code = errc::invalid_option, .expected = size.value_or(0), .found = out.size(), .argument = "out.size()"});
  if (in.plan.descriptor.dtype == dtype::bitmask)
    return decode::with_location(in.of, decode_bits(in, out, offset, count));
  return decode::with_location(in.of, in.decoder->decode(offset, out, decode::thread_workspace()));
}

failure decode_slabs(const part_state& in, std::span<const slab> boxes, std::span<const std::span<std::byte>> out) {
  std::vector<decode::slab_request> requests;
  requests.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (failure why = check_slab(in, boxes[i])) return why;
    const auto size = size_bytes(in.plan.descriptor.dtype, elements_of(boxes[i]));
    if (!size || *size != out[i].size())
      return decode::with_location(in.of, {.code = errc::invalid_option,
                                           .expected = size.value_or(0),
                                           .found = out[i].size(),
                                           .argument = "out[i].size()"});
    requests.push_back({decode::slab_runs(boxes[i], in.like.strides()), out[i]});
  }
  const decode::slab_reader reader(*in.decoder, in.plan, in.how.coalesce_bytes);
  return decode::with_location(in.of, reader.read(requests, decode::thread_workspace()));
}

/// Returns `call()`. Turns std::bad_alloc into a failure with the location of the object.
template <class Call>
auto with_memory(const object& object, failure& why, Call&& call) noexcept -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    why = decode::with_location(object, {.code = errc::out_of_memory});
    return decltype(call())();
  }
}

}  // namespace

part_reader::part_reader() noexcept = default;
part_reader::part_reader(part_reader&&) noexcept = default;
part_reader& part_reader::operator=(part_reader&&) noexcept = default;
part_reader::~part_reader() = default;

part_reader part_reader::open(const object& object, const decode_options& how, failure& why) noexcept {
  part_reader out;
  why = {};
  out.state_ = with_memory(object, why, [&] { return open_state(object, how, why); });
  return out;
}

void part_reader::range_into(std::uint64_t offset, std::uint64_t count, std::span<std::byte> out,
                             failure& why) const noexcept {
  why = state_ ? check_range(*state_, offset, count) : no_archive();
  if (!why) why = decode_range(*state_, out, offset, count);
}

void part_reader::range_into(std::uint64_t offset, std::uint64_t count, std::span<std::byte> out) const {
  failure why;
  range_into(offset, count, out, why);
  detail::raise_if(why);
}

tensor part_reader::range(std::uint64_t offset, std::uint64_t count, failure& why) const noexcept {
  tensor out;
  why = state_ ? check_range(*state_, offset, count) : no_archive();
  if (why) return out;
  tensor_access::describe_part(out, state_->like, {&count, 1});
  const std::uint64_t bytes = *size_bytes(out.dtype(), count);
  why = decode::require_within_limit(state_->of, bytes);
  if (why) return tensor();
  const auto memory = tensor_access::allocate(out, bytes, why);
  why = decode::with_location(state_->of, why);
  if (!why) why = decode_range(*state_, memory, offset, count);
  return why ? tensor() : std::move(out);
}

tensor part_reader::range(std::uint64_t offset, std::uint64_t count) const {
  return detail::or_throw([&](failure& why) { return range(offset, count, why); });
}

void part_reader::slabs_into(std::span<const tgmap::slab> boxes, std::span<const std::span<std::byte>> out,
                             failure& why) const noexcept {
  if (!state_)
    why = no_archive();
  else if (boxes.size() != out.size())
    why = {.code = errc::invalid_option, .expected = boxes.size(), .found = out.size(), .argument = "out.size()"};
  else
    with_memory(state_->of, why, [&] { why = decode_slabs(*state_, boxes, out); });
}

void part_reader::slabs_into(std::span<const tgmap::slab> boxes, std::span<const std::span<std::byte>> out) const {
  failure why;
  slabs_into(boxes, out, why);
  detail::raise_if(why);
}

tensor part_reader::slab(const tgmap::slab& box, failure& why) const noexcept {
  tensor out;
  why = state_ ? check_slab(*state_, box) : no_archive();
  if (why) return out;
  tensor_access::describe_part(out, state_->like, box.count);
  const std::uint64_t bytes = *size_bytes(out.dtype(), out.size());
  why = decode::require_within_limit(state_->of, bytes);
  if (why) return tensor();
  const std::span<std::byte> memory = tensor_access::allocate(out, bytes, why);
  why = decode::with_location(state_->of, why);
  if (!why) slabs_into({&box, 1}, {&memory, 1}, why);
  return why ? tensor() : std::move(out);
}

tensor part_reader::slab(const tgmap::slab& box) const {
  return detail::or_throw([&](failure& why) { return slab(box, why); });
}

part_cost part_reader::cost(std::uint64_t offset, std::uint64_t count, failure& why) const noexcept {
  why = state_ ? check_range(*state_, offset, count) : no_archive();
  if (why || count == 0) return {};
  const auto bytes = state_->decoder->around(state_->decoder->builder().needs(offset, count));
  const auto& source = state_->decoder->source();
  return {.bytes_read = source.cost(bytes),
          .bytes_decoded = source.compressed() ? bytes.size() : 0,
          .decodes_whole_object = state_->decoder->whole_only()};
}

part_cost part_reader::cost(std::uint64_t offset, std::uint64_t count) const {
  return detail::or_throw([&](failure& why) { return cost(offset, count, why); });
}

part_cost part_reader::cost(const tgmap::slab& box, failure& why) const noexcept {
  why = state_ ? check_slab(*state_, box) : no_archive();
  if (why) return {};
  return with_memory(state_->of, why, [&] {
    std::vector<decode::slab_request> one{{decode::slab_runs(box, state_->like.strides()), {}}};
    return decode::slab_reader(*state_->decoder, state_->plan, state_->how.coalesce_bytes).cost(one);
  });
}

part_cost part_reader::cost(const tgmap::slab& box) const {
  return detail::or_throw([&](failure& why) { return cost(box, why); });
}

part_reader::part_reader(const object& object, const decode_options& how)
    : part_reader(detail::or_throw([&](failure& why) { return open(object, how, why); })) {}

}  // namespace v0
}  // namespace tgmap
