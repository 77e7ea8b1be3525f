// SPDX-License-Identifier: Apache-2.0
#include "encode/packing_stage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "codec/byte_order.hpp"
#include "codec/packing/pack.hpp"
#include "codec/packing/packing_parameters.hpp"
#include "codec/packing/unpack.hpp"
#include "core/phrases.hpp"

namespace tgmap::encode {

namespace {

/// Number of elements that are copied at a time if they are misaligned or swapped. A multiple of 8, so that packed
/// blocks end at a byte.
constexpr std::uint64_t block_elements = 2048;

std::uint64_t count_of(const double_elements& elements) noexcept { return elements.bytes.size() / sizeof(double); }

/// Calls `call(first, elements)` with aligned elements in native byte order: once with all elements if possible, else
/// block by block until `call` returns false.
template <class Call>
void each_block(const double_elements& elements, Call call) noexcept {
  const bool aligned = reinterpret_cast<std::uintptr_t>(elements.bytes.data()) % alignof(double) == 0;
  if (aligned && elements.order == native_byte_order) {
    call(std::uint64_t{0}, std::span(reinterpret_cast<const double*>(elements.bytes.data()), count_of(elements)));
    return;
  }
  std::array<double, block_elements> memory;
  for (std::uint64_t first = 0; first < count_of(elements); first += block_elements) {
    const auto block = std::span(memory).first(std::min(block_elements, count_of(elements) - first));
    const auto bytes = elements.bytes.subspan(first * sizeof(double), block.size_bytes());
    codec::swap_bytes(bytes, elements.order == native_byte_order ? 1 : sizeof(double), std::as_writable_bytes(block));
    if (!call(first, std::span<const double>(block))) return;
  }
}

codec::number_range range_of(const double_elements& elements) noexcept {
  codec::number_range out;
  each_block(elements, [&](std::uint64_t, std::span<const double> block) {
    out.add(block);
    return true;
  });
  return out;
}

/// Returns the index of the first element that `find` reports. `find` gets a block, and returns an index in it or
/// nothing.
template <class Find>
std::optional<std::uint64_t> find_element(const double_elements& elements, Find find) noexcept {
  std::optional<std::uint64_t> found;
  each_block(elements, [&](std::uint64_t first, std::span<const double> block) {
    const std::optional<std::uint64_t> index = find(block);
    if (index) found = first + *index;
    return !index;
  });
  return found;
}

failure why_not_packed(const double_elements& elements, const codec::packing_rule& rule,
                       bool some_are_masked) noexcept {
  double culprit = 0;
  const auto found = find_element(elements, [&](std::span<const double> block) -> std::optional<std::uint64_t> {
    const auto at = std::find_if(block.begin(), block.end(), [&](double each) {
      return !rule.fits(each) && !(some_are_masked && !std::isfinite(each));
    });
    if (at == block.end()) return std::nullopt;
    culprit = *at;
    return static_cast<std::uint64_t>(at - block.begin());
  });
  if (!std::isfinite(culprit)) return {.code = errc::non_finite, .found = found.value_or(0)};
  return {.code = errc::not_representable, .found = found.value_or(0), .argument = detail::packed_element};
}

codec::packing_parameters parameters_of(const packing_options& how, const codec::number_range& range,
                                        unsigned bits) noexcept {
  if (!how.reference) return codec::compute_packing(range, bits, how.decimal_scale);
  return {.reference = *how.reference,
          .binary_scale = how.binary_scale.value_or(0),
          .decimal_scale = how.decimal_scale,
          .bits = bits};
}

/// `found` is the parameter that the range would need.
failure unusable_range(std::uint64_t found) noexcept {
  return {.code = errc::bad_parameter, .found = found, .argument = detail::packed_range};
}

/// Checks if the following stages accept elements of this many bits.
bool accepts_bits(const pipeline& how, unsigned bits) noexcept {
  switch (how.compression) {
    case compression::szip:
      if (bits != 8 && bits != 16 && bits != 24 && bits != 32) return false;
      break;
    case compression::blosc2:
      if (bits == 0) return false;
      break;
    default: break;
  }
  return how.filter == filter::none || (bits != 0 && bits % 8 == 0);  // whole bytes can always be shuffled
}

/// Finds the fewest bits that keep the error small. Tests the element that failed last first, because it most likely
/// fails again.
failure fewest_bits(const double_elements& elements, const pipeline& how, const codec::number_range& range,
                    codec::packing_parameters& out) noexcept {
  failure last = unusable_range(0);
  std::optional<double> last_inexact;
  for (unsigned bits = 0; bits <= codec::max_packed_bits; ++bits) {
    if (!accepts_bits(how, bits)) continue;
    const auto with = parameters_of(how.packing, range, bits);
    if (const failure why = check_packing(with)) {
      if (!last_inexact) last = unusable_range(why.found);
      continue;
    }
    const double limit = *how.packing.max_error;
    if (last_inexact && codec::find_inexact({&*last_inexact, 1}, with, limit)) continue;
    const auto found = find_element(elements, [&](std::span<const double> block) {
      const auto at = codec::find_inexact(block, with, limit);
      if (at) last_inexact = block[static_cast<std::size_t>(*at)];
      return at;
    });
    if (!found) {
      out = with;
      return {};
    }
    last = {.code = errc::not_representable, .found = *found, .argument = detail::packed_error};
  }
  return last;
}

}  // namespace

failure choose_packing(const double_elements& elements, const pipeline& how, bool some_are_masked,
                       packing_plan& out) noexcept {
  out = {};
  if (how.packing.reference && !how.packing.max_error && !some_are_masked) {
    out.parameters = parameters_of(how.packing, {}, how.packing.bits);
    return check_packing(out.parameters);
  }
  const codec::number_range range = range_of(elements);
  out.all_finite = range.all_finite;
  out.all_fit = true;
  if (how.packing.max_error) return fewest_bits(elements, how, range, out.parameters);
  out.parameters = parameters_of(how.packing, range, how.packing.bits);
  if (const failure why = check_packing(out.parameters)) return how.packing.reference ? why : unusable_range(why.found);
  const codec::packing_rule rule(out.parameters);  // products grow with the numbers: if both ends fit, all fit
  return !range.any || (rule.fits(range.min) && rule.fits(range.max)) ? failure{}
                                                                      : why_not_packed(elements, rule, true);
}

failure pack_elements(const double_elements& elements, const packing_plan& plan, core::scratch& memory,
                      std::span<const std::byte>& out) noexcept {
  const auto size = codec::packed_size(count_of(elements), plan.parameters.bits);
  if (!size) return {.code = errc::shape_overflow};
  failure why;
  const auto to = memory.take(*size, why);
  if (why) return why;
  const codec::packing_rule rule(plan.parameters);
  bool fit = true;
  each_block(elements, [&](std::uint64_t first, std::span<const double> block) {
    fit = codec::pack(block, rule, to.subspan(static_cast<std::size_t>(first / 8 * rule.bits))) && fit;
    return true;
  });
  out = to;
  return fit || plan.all_fit ? failure{} : why_not_packed(elements, rule, false);
}

}  // namespace tgmap::encode
