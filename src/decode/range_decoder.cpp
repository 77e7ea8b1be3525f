// SPDX-License-Identifier: Apache-2.0
#include "decode/range_decoder.hpp"

#include <algorithm>

#include "archive/decoding.hpp"
#include "codec/shuffle.hpp"

namespace tgmap::decode {

namespace {

/// Bytes of elements that are made out of one positioned read: what is read is still in the cache when it is unpacked.
constexpr std::size_t file_block = std::size_t{1} << 18;

}  // namespace

failure range_decoder::open(bool by_parts, core::scratch& blob, core::scratch& masks) noexcept {
  if (how_.missing)
    if (failure why = masks_.load(plan_, from_, blob, masks)) return why;
  return source_.open(plan_, from_, by_parts && !plan_.shuffled());
}

std::uint64_t range_decoder::elements_in(std::size_t bytes) const noexcept {
  if (plan_.what.dtype == dtype::bitmask) return std::uint64_t{bytes} * 8;
  return bytes / width(plan_.what.dtype);
}

extent range_decoder::needs(std::uint64_t first, std::uint64_t count) const noexcept {
  return source_.around(finisher_.needs(first, count));
}

failure range_decoder::decode(std::uint64_t first, std::span<std::byte> out, workspace& tools) const noexcept {
  if (out.empty()) return {};
  if (!source_.compressed() && !unshuffled_beforehand()) {
    if (!detail::may_look(from_)) return from_file(first, out, tools);
    return detail::look_at_payload(from_, [&](std::span<const std::byte> payload) noexcept {
      finisher_.finish({payload, 0}, first, out);
    });
  }
  return from_pieces(first, elements_in(out.size()), out, tools);
}

failure range_decoder::from_file(std::uint64_t first, std::span<std::byte> out, workspace& tools) const noexcept {
  const bool at_once = plan_.shuffled();
  for (std::size_t at = 0; at < out.size();) {
    const auto now = out.subspan(at, at_once ? out.size() : std::min(file_block, out.size() - at));
    const std::uint64_t number = first + elements_in(at);
    const extent needed = finisher_.needs(number, elements_in(now.size()));
    failure why;
    const auto bytes = tools.encoded.take(needed.size(), why);
    if (!why) why = source_.read(needed, tools, bytes);
    if (why) return why;
    finisher_.finish({bytes, needed.begin}, number, now);
    at += now.size();
  }
  return {};
}

failure range_decoder::from_pieces(std::uint64_t first, std::uint64_t count, std::span<std::byte> out,
                                   workspace& tools) const noexcept {
  const extent needed = finisher_.needs(first, count);
  const extent pieces = unshuffled_beforehand() ? source_.all() : source_.around(needed);
  failure why;
  if (pieces == needed && pieces.size() == out.size() && !plan_.packed() && !plan_.shuffled()) {
    why = source_.read(pieces, tools, out);
    if (!why) finisher_.finish(first, out);
    return why;
  }
  std::span<const std::byte> bytes;
  const auto memory = tools.encoded.take(pieces.size(), why);
  if (!why) why = source_.read(pieces, tools, memory);
  if (why) return why;
  bytes = memory;
  if (unshuffled_beforehand()) {
    const auto whole = tools.unshuffled.take(pieces.size(), why);
    if (why) return why;
    codec::unshuffle(memory, plan_.shuffle_size, 0, whole);
    bytes = whole;
  }
  finisher_.finish({bytes, pieces.begin}, first, out);
  return {};
}

failure range_decoder::decode_all(std::span<std::byte> out, workspace& tools) const noexcept {
  return decode(0, out, tools);
}

}  // namespace tgmap::decode
