// SPDX-License-Identifier: Apache-2.0
#include "decode/element_builder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codec/byte_order.hpp"
#include "codec/packing/unpack.hpp"
#include "codec/shuffle/shuffle.hpp"

namespace tgmap::decode {

namespace {

constexpr byte_order native_order = std::endian::native == std::endian::big ? byte_order::big : byte_order::little;

/// Elements of a block. Its input and output stay in the nearest cache.
constexpr std::uint64_t block_elements = 2048;

/// Bytes of an unshuffled block if another stage follows: half of the nearest cache.
constexpr std::size_t unshuffled_block_bytes = std::size_t{16} << 10;

/// Larger shuffled elements are not unshuffled in blocks. A block may need one more element at either end.
constexpr std::size_t max_shuffle_size = 1024;

/// Returns the byte order after the stages: codecs of numbers produce that of the machine (§7.0).
byte_order order_after_stages(const plan& p) noexcept {
  const bool numbers =
      p.packed() || p.descriptor.compression == compression::zfp || p.descriptor.compression == compression::sz3;
  return numbers ? native_order : p.descriptor.byte_order;
}

}  // namespace

element_builder::element_builder(const plan& p, const decode_options& how, const mask_bits& masks) noexcept
    : plan_(p),
      masks_(masks),
      wanted_order_(how.byte_order == output_byte_order::native ? native_order : p.descriptor.byte_order),
      unshuffles_(p.shuffled() && p.shuffle_size <= max_shuffle_size),
      scale_(p.packed() ? codec::scale_of(p.packing.binary_scale, p.packing.decimal_scale) : 0) {
  const std::size_t unit = swap_unit(p.descriptor.dtype);
  if (unit > 1 && order_after_stages(p) != wanted_order_) swap_unit_ = unit;
}

extent element_builder::needs(std::uint64_t first, std::uint64_t count) const noexcept {
  return unshuffles_ ? extent{0, plan_.encoded} : bytes_of_elements(first, count);
}

/// Returns the bytes of elements that are not shuffled.
extent element_builder::bytes_of_elements(std::uint64_t first, std::uint64_t count) const noexcept {
  if (plan_.packed()) {  // groups of 8 begin at a byte
    const std::uint64_t begin = first / 8 * plan_.packing.bits, groups = (first + count + 7) / 8;
    return {begin, std::min(plan_.encoded, groups * plan_.packing.bits)};
  }
  if (plan_.descriptor.dtype == dtype::bitmask) return {first / 8, (first + count + 7) / 8};
  const std::uint64_t width = tgmap::element_size(plan_.descriptor.dtype);
  return {first * width, (first + count) * width};
}

extent element_builder::holds(extent bytes) const noexcept {
  const std::uint64_t all = plan_.descriptor.element_count;
  if (bytes == extent{0, plan_.encoded} || plan_.encoded == 0) return {0, all};
  if (unshuffles_) return {};
  if (plan_.packed() || plan_.descriptor.dtype == dtype::bitmask) {
    const std::uint64_t group = plan_.packed() ? plan_.packing.bits : 1;  // bytes of 8 elements
    const std::uint64_t end = bytes.end == plan_.encoded ? all : bytes.end / group * 8;
    return {(bytes.begin + group - 1) / group * 8, end};
  }
  const std::uint64_t width = tgmap::element_size(plan_.descriptor.dtype);
  return {(bytes.begin + width - 1) / width, bytes.end / width};
}

void element_builder::unpack(window window, std::uint64_t first, std::span<std::byte> out) const noexcept {
  const auto& packing = plan_.packing;
  const auto skipped = static_cast<std::size_t>(first / 8 * packing.bits - window.at);
  const auto packed = packing.bits == 0 ? window.bytes.first(0) : window.bytes.subspan(skipped);
  const auto part = [&](std::uint64_t at, std::span<double> to) {
    // Never false: the window holds the elements.
    static_cast<void>(codec::unpack(packed, packing.bits, packing.reference, scale_, first % 8 + at, to));
  };
  if (reinterpret_cast<std::uintptr_t>(out.data()) % alignof(double) == 0)
    return part(0, {reinterpret_cast<double*>(out.data()), out.size() / sizeof(double)});
  std::array<double, 256> memory;
  for (std::size_t at = 0; at * sizeof(double) < out.size(); at += memory.size()) {
    const auto block = std::span(memory).first(std::min(memory.size(), out.size() / sizeof(double) - at));
    part(at, block);
    std::memcpy(out.data() + at * sizeof(double), block.data(), block.size_bytes());
  }
}

void element_builder::make_unshuffled(window window, std::uint64_t first, std::span<std::byte> out) const noexcept {
  if (plan_.packed()) {
    unpack(window, first, out);
    if (swap_unit_ > 1) codec::swap_bytes(out, swap_unit_);
    return;
  }
  const std::uint64_t begin = bytes_of_elements(first, 0).begin;
  const auto encoded = window.bytes.subspan(static_cast<std::size_t>(begin - window.at), out.size());
  if (swap_unit_ > 1)
    codec::swap_bytes(encoded, swap_unit_, out);
  else
    std::memcpy(out.data(), encoded.data(), out.size());
}

/// Works in blocks of elements, each unshuffled from the whole shuffled elements that contain it.
void element_builder::unshuffle_and_make(window window, std::uint64_t first, std::span<std::byte> out) const noexcept {
  constexpr std::size_t group =
      codec::max_packed_bits;  // bytes of eight packed elements; a block may begin within them
  alignas(64) std::array<std::byte, unshuffled_block_bytes + group + 2 * max_shuffle_size> memory;
  const std::size_t width = plan_.packed() ? sizeof(double) : tgmap::element_size(plan_.descriptor.dtype),
                    size = plan_.shuffle_size;
  const std::size_t unit = std::max<std::size_t>(width, 1);
  const std::size_t bits = plan_.packed() ? std::max<std::size_t>(plan_.packing.bits, 1) : unit * 8;  // of each unit
  const std::size_t step = unshuffled_block_bytes / bits * 8 * unit;
  for (std::size_t at = 0; at < out.size(); at += step) {
    const auto block = out.subspan(at, std::min(step, out.size() - at));
    const std::uint64_t number = first + (width == 0 ? 8 * at : at / width);
    const extent bytes = bytes_of_elements(number, width == 0 ? 8 * block.size() : block.size() / width);
    const std::uint64_t begin = bytes.begin / size, end = (bytes.end + size - 1) / size;
    if (!plan_.packed() && extent{begin * size, end * size} == bytes) {  // exactly these elements
      codec::unshuffle(window.bytes, size, begin, block);
      if (swap_unit_ > 1) codec::swap_bytes(block, swap_unit_);
      continue;
    }
    const auto unshuffled = std::span(memory).first(static_cast<std::size_t>(end - begin) * size);
    codec::unshuffle(window.bytes, size, begin, unshuffled);
    make_unshuffled({unshuffled, begin * size}, number, block);
  }
}

void element_builder::make(window window, std::uint64_t first, std::span<std::byte> out) const noexcept {
  if (!unshuffles_) return make_unshuffled(window, first, out);
  if (plan_.packed() || plan_.shuffle_size != element_size(plan_.descriptor.dtype))
    return unshuffle_and_make(window, first, out);
  const bool reversed = swap_unit_ == plan_.shuffle_size;
  codec::unshuffle(window.bytes, plan_.shuffle_size, first, out,
                   reversed ? codec::byte_sequence::reversed : codec::byte_sequence::as_stored);
  if (swap_unit_ > 1 && !reversed) codec::swap_bytes(out, swap_unit_);
}

/// Clears the padding bits after the last element.
void element_builder::clear_padding(std::uint64_t first, std::span<std::byte> out) const noexcept {
  if (plan_.descriptor.dtype != dtype::bitmask || out.empty()) return;
  const std::uint64_t left = plan_.descriptor.element_count - first;
  if (left < std::uint64_t{out.size()} * 8) out.back() &= static_cast<std::byte>(0xff00u >> (left % 8));
}

void element_builder::finish(window window, std::uint64_t first, std::span<std::byte> out) const noexcept {
  if (plan_.packed() && plan_.packing.bits == 0) window = {};
  const std::size_t width = plan_.packed() ? sizeof(double) : tgmap::element_size(plan_.descriptor.dtype);
  // Without a later stage, blocks have no benefit.
  const bool swaps_as_it_copies = !plan_.packed() && (!unshuffles_ || swap_unit_ == plan_.shuffle_size);
  const bool at_once = (masks_.empty() && (swap_unit_ == 1 || swaps_as_it_copies)) || width == 0;
  const std::size_t step = at_once ? out.size() : static_cast<std::size_t>(block_elements * width);
  for (std::size_t at = 0; at < out.size(); at += step) {
    const auto block = out.subspan(at, std::min(step, out.size() - at));
    const std::uint64_t number = width == 0 ? first : first + at / width;
    make(window, number, block);
    if (!masks_.empty()) masks_.put(plan_.descriptor.dtype, wanted_order_, number, block);
  }
  clear_padding(first, out);
}

void element_builder::finish(std::uint64_t first, std::span<std::byte> elements) const noexcept {
  clear_padding(first, elements);
  if (swap_unit_ == 1 && masks_.empty()) return;
  const auto step = static_cast<std::size_t>(block_elements * element_size(plan_.descriptor.dtype));
  for (std::size_t at = 0; at < elements.size(); at += step) {
    const auto block = elements.subspan(at, std::min(step, elements.size() - at));
    if (swap_unit_ > 1) codec::swap_bytes(block, swap_unit_);
    masks_.put(plan_.descriptor.dtype, wanted_order_, first + at / element_size(plan_.descriptor.dtype), block);
  }
}

}  // namespace tgmap::decode
