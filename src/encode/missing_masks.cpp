// SPDX-License-Identifier: Apache-2.0
#include "encode/missing_masks.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "codec/compressor.hpp"
#include "codec/masks/mask_blob.hpp"
#include "codec/masks/mask_values.hpp"

namespace tgmap::encode {

namespace {

constexpr std::array kinds{mask_kind::nan, mask_kind::positive_infinity, mask_kind::negative_infinity};

/// In the order of cost: the first of two methods with equal size is used.
constexpr std::array methods{mask_method::none, mask_method::rle,  mask_method::roaring,
                             mask_method::lz4,  mask_method::zstd, mask_method::blosc2};

bool is_allowed(mask_kind kind, const missing_options& how) noexcept {
  return kind == mask_kind::nan ? how.allow_nan : how.allow_infinity;
}

std::optional<mask_method> method_for(mask_kind kind, const missing_options& how) noexcept {
  if (kind == mask_kind::nan) return how.nan;
  return kind == mask_kind::positive_infinity ? how.positive_infinity : how.negative_infinity;
}

/// Returns the index of the first set bit.
std::optional<std::uint64_t> first_bit(std::span<const std::byte> bits) noexcept {
  const auto at = std::find_if(bits.begin(), bits.end(), [](std::byte each) { return each != std::byte{0}; });
  if (at == bits.end()) return std::nullopt;
  const auto ahead = static_cast<std::uint64_t>(std::countl_zero(std::to_integer<std::uint8_t>(*at)));
  return 8 * static_cast<std::uint64_t>(at - bits.begin()) + ahead;
}

/// Tries all methods that this build has and that support the number of elements. The smallest result is in `best`.
failure write_smallest(std::span<const std::byte> bits, std::uint64_t elements, core::scratch& best,
                       core::scratch& trial, encoded_mask& out) noexcept {
  out.method = mask_method::none;
  out.blob = bits;
  for (const mask_method method : methods) {
    std::span<const std::byte> blob;
    const failure why = codec::write_mask(method, bits, elements, trial, blob);
    if (why.code == errc::codec_absent || why.code == errc::too_large) continue;
    if (why) return why;
    if (blob.size() >= out.blob.size()) continue;
    out.method = method;
    out.blob = blob;
    std::swap(best, trial);
  }
  return {};
}

}  // namespace

failure find_missing(std::span<const std::byte> elements, dtype type, byte_order order, const missing_options& how,
                     core::scratch& memory, missing_marks& out) noexcept {
  out = {};
  const auto each = static_cast<std::size_t>(codec::mask_bytes(elements.size() / element_size(type)));
  failure why;
  const auto all = memory.take(3 * std::uint64_t{each}, why);
  if (why) return why;
  const std::array marks{all.first(each), all.subspan(each, each), all.subspan(2 * each)};
  codec::mark_non_finite(elements, type, order, marks);

  std::optional<std::uint64_t> refused;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const auto first = first_bit(marks[k]);
    if (first) out[k] = marks[k];
    if (first && !is_allowed(kinds[k], how)) refused = std::min(*first, refused.value_or(UINT64_MAX));
  }
  return refused ? failure{.code = errc::non_finite, .found = *refused} : failure{};
}

failure write_masks(const missing_marks& bits, std::uint64_t elements, const missing_options& how,
                    std::array<core::scratch, 4>& memory, encoded_object& out) noexcept {
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (bits[k].empty()) continue;
    encoded_mask& mask = out.masks[out.mask_count++];
    mask = {.kind = kinds[k]};
    const bool small = bits[k].size() <= how.small_mask_bytes;
    const auto method = small ? mask_method::none : method_for(kinds[k], how);
    mask.method = method.value_or(mask_method::none);
    failure why = method ? codec::write_mask(*method, bits[k], elements, memory[k], mask.blob)
                         : write_smallest(bits[k], elements, memory[k], memory.back(), mask);
    if (why) return why;
  }
  return {};
}

}  // namespace tgmap::encode
