// SPDX-License-Identifier: Apache-2.0
#include "gather/object_decoder.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tgmap/decode/executor.hpp>

#include "archive/object_hash.hpp"
#include "archive/owned_descriptor.hpp"
#include "archive/payload_access.hpp"
#include "cbor/structure/descriptor.hpp"
#include "decode/tensor_access.hpp"
#include "gather/strided_output.hpp"
#include "wire/bytes.hpp"

namespace tgmap::gather {

namespace {

using detail::tensor_access;

/// Frames up to this size are read whole, even if only a part of them is wanted: that costs less than another read.
constexpr std::uint64_t max_whole_for_part = std::uint64_t{32} << 10;

/// Frames up to this size are read whole if all elements are wanted. Larger ones are decoded piece by piece.
constexpr std::uint64_t max_whole_frame = std::uint64_t{64} << 20;

failure differing(errc code, std::uint64_t expected, std::uint64_t found, const char* argument) noexcept {
  return {.code = code, .expected = expected, .found = found, .argument = argument};
}

/// Compares dtype and shape of an object with those of the first.
failure compare(const element_form& form, const descriptor& found) noexcept {
  if (found.dtype != form.dtype)
    return differing(errc::dtype_mismatch, static_cast<std::uint64_t>(form.dtype),
                     static_cast<std::uint64_t>(found.dtype), "dtype");
  const auto shape = found.shape();
  if (shape.size() != form.shape.size())
    return differing(errc::invalid_option, form.shape.size(), shape.size(), "shape");
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (shape[d] != form.shape[d]) return differing(errc::invalid_option, form.shape[d], shape[d], "shape");
  return {};
}

bool is_c_order(const tensor& like) noexcept {
  std::array<std::int64_t, max_rank> dense;
  const auto strides = std::span(dense).first(like.shape().size());
  c_order_strides(like.shape(), strides);
  return like.size() <= 1 || std::ranges::equal(strides, like.strides());
}

}  // namespace

failure read_form(const detail::archive_state& state, const object_location& at, stride_policy strides,
                  element_form& out) {
  object_finder finder;
  found_object found;
  failure why = finder.find(state, {.message_offset = at.message_offset, .object = at.object}, found);
  if (why) return why;
  const tgmap::descriptor what = found.handle.descriptor(why);
  if (why) return why;
  tensor like;
  if (!tensor_access::describe(like, what, strides))
    return decode::with_location(found.handle, {.code = errc::unsupported_strides});
  out.dtype = what.dtype;
  out.shape.assign(what.shape().begin(), what.shape().end());
  out.count = what.element_count;
  return {};
}

/// Plans the decoding of an object, unless its descriptor has the same bytes as the one before.
failure object_decoder::plan(const found_object& found) {
  const object& from = found.handle;
  detail::owned_descriptor owned;
  descriptor what;
  failure why;
  if (found.descriptor.empty()) {
    has_plan_ = false;
    why = owned.read(from);
    if (why) return why;
    const auto bytes = owned.get().entries.bytes();
    descriptor_bytes_.assign(bytes.begin(), bytes.end());
  } else {
    // Objects with szip are planned each: in old versions, the program that wrote the message decides what szip means.
    if (has_plan_ && std::ranges::equal(found.descriptor, descriptor_bytes_) && plan_.stored == from.payload_size() &&
        plan_.descriptor.compression != compression::szip)
      return {};
    has_plan_ = false;
    descriptor_bytes_.assign(found.descriptor.begin(), found.descriptor.end());
  }
  what = cbor::read_descriptor(descriptor_bytes_, from.payload_and_masks_size(),
                               detail::options_of(from).max_cbor_depth, why);
  if (!why) why = compare(form_, what);
  if (!why && !tensor_access::describe(like_, what, how_.strides)) why = {.code = errc::unsupported_strides};
  if (why) return decode::with_location(from, why);
  why = part_.is_whole() ? decode::plan_for(from, what, plan_) : decode::plan_for_parts(from, what, plan_);
  if (why) return why;
  has_plan_ = true;
  has_list_ = false;
  is_c_order_ = is_c_order(like_);
  is_plain_elements_ = what.is_plain() && (what.byte_order == native_byte_order || swap_unit(what.dtype) <= 1) &&
                       what.dtype != dtype::bitmask;
  const bool is_filtered = plan_.shuffled();
  decodes_whole_ = is_filtered || (plan_.compression != nullptr && plan_.compression->open_partial == nullptr);
  return {};
}

/// Returns whether payloads as the last one are the elements as they are wanted.
bool object_decoder::reads_into_output() const noexcept {
  return part_.is_whole() && has_plan_ && is_plain_elements_ && is_c_order_ && !how_.verify;
}

std::size_t object_decoder::read_ahead(const detail::archive_state& state, std::span<const object_location> next,
                                       std::span<std::byte* const> to) noexcept {
  constexpr std::uint64_t small = std::uint64_t{64} << 10;
  if (!reads_into_output() || !part_.is_dense || plan_.decoded > small) return 0;
  std::array<wanted_object, max_ahead> wanted;
  const std::size_t count = std::min(next.size(), max_ahead);
  for (std::size_t i = 0; i < count; ++i)
    wanted[i] = {.message_offset = next[i].message_offset,
                 .object = next[i].object,
                 .output = {to[i], static_cast<std::size_t>(plan_.decoded)}};
  return finder_.read_ahead(state, std::span(wanted).first(count));
}

failure object_decoder::decode(const detail::archive_state& state, const object_location& at, std::size_t number,
                               executor* on, std::byte* to) {
  wanted_object wanted{.message_offset = at.message_offset, .object = at.object};
  failure why;
  const bool has_bits = form_.dtype == dtype::bitmask;
  const std::uint64_t bytes = has_bits ? (part_.count + 7) / 8 : part_.count * form_.item();
  std::span<std::byte> dense(to, static_cast<std::size_t>(bytes));
  if (!part_.is_dense) {
    dense = elements_.take(bytes, why);
    if (why) return why;
  }
  // A hash covers more than the payload: checking it reads the object in its own way.
  if (!how_.verify && on == nullptr) {
    const bool reads_whole = part_.is_whole() || (has_plan_ && decodes_whole_);
    wanted.max_whole = reads_whole ? max_whole_frame : max_whole_for_part;
    if (reads_into_output() && plan_.decoded == bytes) wanted.output = dense;
  }
  found_object found;
  why = finder_.find(state, wanted, found);
  if (!why) why = plan(found);
  if (!why) why = decode_found(found, number, on, dense);
  if (why || part_.is_dense) return why;
  if (has_bits)
    copy_bits_strided(dense.data(), part_.shape, out_.strides, to);
  else
    copy_strided(dense.data(), part_.shape, out_.strides, form_.item(), to);
  return {};
}

failure object_decoder::decode_found(const found_object& found, std::size_t number, executor* on,
                                     std::span<std::byte> dense) {
  const object& from = found.handle;
  if (found.is_in_output && is_plain_elements_ && is_c_order_ && plan_.decoded == dense.size()) return {};
  plan_.verified_payload = plan_.verified_masks = {};
  std::span<const std::byte> region = found.region;
  if (found.is_in_output) {  // its descriptor differs from the one before, and the payload must be decoded
    failure why;
    const auto copy = region_.take(dense.size(), why);
    if (why) return why;
    std::memcpy(copy.data(), dense.data(), dense.size());
    region = copy;
  }
  if (region.data() != nullptr && from.payload_and_masks_size() == region.size()) {
    const auto payload = static_cast<std::size_t>(from.payload_size());
    plan_.verified_payload = region.first(payload);
    if (region.size() > payload) plan_.verified_masks = region.subspan(payload);
  }
  const failure why =
      part_.is_whole() && is_c_order_ ? decode_whole(from, on, dense) : decode_part(from, number, dense);
  plan_.verified_payload = plan_.verified_masks = {};
  return decode::with_location(from, why);
}

failure object_decoder::decode_whole(const object& from, executor* on, std::span<std::byte> dense) {
  if (plan_.decoded != dense.size())
    return {.code = errc::decoded_size_mismatch, .expected = dense.size(), .found = plan_.decoded};
  decode_options how = how_;
  how.executor = on;
  return decode::decode_elements(plan_, from, how, dense);
}

failure object_decoder::decode_part(const object& from, std::size_t number, std::span<std::byte> dense) {
  if (how_.verify)
    if (failure why = detail::check_hash(from)) return why;
  decode::range_decoder decoder(plan_, from, how_);
  if (failure why = decoder.open(decode::reading::parts, blob_, masks_)) return why;
  slab whole;
  const slab* box = part_.box;
  if (part_.is_whole()) {
    whole.start.assign(form_.shape.size(), 0);
    whole.count = form_.shape;
    box = &whole;
  }
  const decode::slab_runs runs = part_.is_list ? runs_of_list(number) : decode::slab_runs(*box, like_.strides());
  if (are_far_apart(runs)) return read_runs(from, runs, dense);
  requests_.clear();
  requests_.push_back({runs, dense});
  const failure why =
      decode::slab_reader(decoder, plan_, how_.coalesce_bytes).read(requests_, decode::thread_workspace());
  decode::thread_workspace().trim();
  return why;
}

/// Returns whether a part is runs of stored elements that are as wanted, with so much between them that each is read by
/// itself. Then they are read straight into the output: through slab_reader a read takes twice as long.
bool object_decoder::are_far_apart(const decode::slab_runs& runs) const noexcept {
  const std::size_t width = form_.item();
  if (!is_plain_elements_ || how_.verify || plan_.verified_payload.data() != nullptr || runs.done()) return false;
  decode::slab_runs next = runs;
  for (int looked = 0; looked < 2 && !next.done(); ++looked) {
    const decode::run current = next.current();
    if (current.step != 1 || (current.box_step != 1 && current.count != 1)) return false;
    next.skip(current.count);
    if (!next.done() && (next.current().first - current.end()) * width <= how_.coalesce_bytes) return false;
  }
  return true;
}

/// Reads runs of stored elements one by one. Those that are near each other are, too: lists need not be regular.
failure object_decoder::read_runs(const object& from, decode::slab_runs runs, std::span<std::byte> dense) noexcept {
  const std::size_t width = form_.item();
  const io::source& in = detail::access::state(from.frame())->bytes();
  for (; !runs.done(); runs.skip(runs.current().count)) {
    const decode::run& run = runs.current();
    const std::uint64_t at = run.first * width, size = run.count * width;
    if (!wire::fits(at, size, from.payload_size()))
      return {.code = errc::read_past_end, .expected = from.payload_size(), .found = at + size};
    const auto to = dense.subspan(static_cast<std::size_t>(run.box_position) * width, static_cast<std::size_t>(size));
    if (failure why = in.read(from.payload_offset() + at, to)) return why;
  }
  return {};
}

/// Returns the elements of a list in the order of the payload, as runs.
decode::slab_runs object_decoder::runs_of_list(std::size_t number) {
  if (has_list_ && part_.count_of_each == 0) return decode::slab_runs(list_);
  const auto elements = part_.count_of_each == 0
                            ? part_.elements
                            : part_.elements.subspan(number * static_cast<std::size_t>(part_.count_of_each),
                                                     static_cast<std::size_t>(part_.count_of_each));
  list_.clear();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    std::uint64_t at = elements[i];
    if (!is_c_order_) {
      std::uint64_t rest = std::exchange(at, 0);
      for (std::size_t d = form_.shape.size(); d-- > 0; rest /= form_.shape[d])
        at += rest % form_.shape[d] * static_cast<std::uint64_t>(like_.strides()[d]);
    }
    list_.push_back({.first = at, .count = 1, .step = 1, .box_position = i, .box_step = 1});
  }
  if (!std::ranges::is_sorted(list_, {}, &decode::run::first)) std::ranges::sort(list_, {}, &decode::run::first);
  // Elements that follow each other are one run.
  std::size_t last = 0;
  for (std::size_t i = 1; i < list_.size(); ++i) {
    decode::run& before = list_[last];
    if (list_[i].first == before.end() && list_[i].box_position == before.box_position + before.count)
      ++before.count;
    else
      list_[++last] = list_[i];
  }
  if (!list_.empty()) list_.resize(last + 1);
  has_list_ = true;
  return decode::slab_runs(list_);
}

}  // namespace tgmap::gather
