// SPDX-License-Identifier: Apache-2.0
#include "decode/pipeline.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codec/byte_order.hpp"
#include "codec/shuffle.hpp"
#include "codec/simple_packing.hpp"
#include "decode/masks.hpp"

namespace tgmap::decode {

namespace {

constexpr byte_order native_order = std::endian::native == std::endian::big ? byte_order::big : byte_order::little;

class stages {
 public:
  stages(const plan& what, const object& from, workspace& tools, std::span<std::byte> out) noexcept
      : plan_(what), from_(from), tools_(tools), out_(out) {}

  failure undo() noexcept {
    if (failure why = decompress()) return why;
    if (failure why = unshuffle()) return why;
    return plan_.packed() ? unpack() : failure{};
  }

 private:
  bool last_is_compression() const noexcept { return !plan_.packed() && !plan_.shuffled(); }

  /// The bytes behind the compression: in `out` where nothing else is to be undone, else in memory of our own.
  failure decompress() noexcept {
    failure why;
    const auto to = last_is_compression() ? out_ : tools_.decompressed.take(plan_.encoded, why);
    if (why) return why;
    now_ = to;
    if (plan_.compression == nullptr) {
      from_.read(to, 0, why);
      return why;
    }
    const auto stored = tools_.stored.take(plan_.stored, why);
    if (!why) from_.read(stored, 0, why);
    return why ? why : plan_.compression->run({.bytes = stored, .parameters = plan_.parameters}, to);
  }

  failure unshuffle() noexcept {
    if (!plan_.shuffled()) return {};
    failure why;
    const auto to = plan_.packed() ? tools_.unshuffled.take(plan_.encoded, why) : out_;
    if (why) return why;
    codec::unshuffle(now_, plan_.shuffle_size, 0, to);
    now_ = to;
    return {};
  }

  /// `out_` may lie anywhere: doubles that are not aligned are made a block at a time, elsewhere.
  failure unpack() noexcept {
    const auto& packing = plan_.packing;
    const double scale = codec::scale_of(packing.binary_scale, packing.decimal_scale);
    const std::uint64_t elements = plan_.what.elements;
    const auto part = [&](std::uint64_t first, std::span<double> to) {
      return codec::unpack(now_, packing.bits, packing.reference, scale, first, to);
    };
    if (reinterpret_cast<std::uintptr_t>(out_.data()) % alignof(double) == 0) {
      const std::span<double> doubles(reinterpret_cast<double*>(out_.data()), static_cast<std::size_t>(elements));
      return part(0, doubles) ? failure{} : short_of();
    }
    std::array<double, 512> block;
    for (std::uint64_t first = 0; first < elements; first += block.size()) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), elements - first));
      if (!part(first, std::span(block).first(count))) return short_of();
      std::memcpy(out_.data() + first * sizeof(double), block.data(), count * sizeof(double));
    }
    return {};
  }

  failure short_of() const noexcept {
    return {.code = errc::decoded_size, .expected = plan_.encoded, .found = now_.size()};
  }

  const plan& plan_;
  const object& from_;
  workspace& tools_;
  std::span<std::byte> out_;
  std::span<const std::byte> now_{};  ///< what the last stage gave
};

/// The order in which the stages leave the elements: codecs that know numbers give the machine's own (§7.0).
byte_order order_behind(const plan& p) noexcept {
  const bool numbers = p.packed() || p.what.compression == compression::zfp || p.what.compression == compression::sz3;
  return numbers ? native_order : p.what.byte_order;
}

}  // namespace

failure run(const plan& p, const object& from, const decode_options& how, workspace& tools,
            std::span<std::byte> out) noexcept {
  if (out.empty()) return {};
  if (failure why = stages(p, from, tools, out).undo()) return why;
  const byte_order wanted = how.bytes == output_order::native ? native_order : p.what.byte_order;
  const std::size_t unit = swap_unit(p.what.dtype);
  if (unit > 1 && order_behind(p) != wanted) codec::swap_bytes(out, unit);
  return how.missing ? put_masks_back(p, from, wanted, tools.stored, out) : failure{};
}

}  // namespace tgmap::decode
