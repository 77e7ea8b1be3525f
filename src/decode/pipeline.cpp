// SPDX-License-Identifier: Apache-2.0
#include "decode/pipeline.hpp"

#include <algorithm>

#include "decode/range_decoder.hpp"

namespace tgmap::decode {

namespace {

/// Bytes of elements from which on a second thread is worth waking.
constexpr std::size_t least_for_two = std::size_t{2} << 20;

/// Bytes of elements that a thread takes at a time: few enough that all end together, and enough that what a library
/// sets up for each piece is little beside it.
std::size_t piece_for(std::size_t bytes, unsigned threads) noexcept {
  constexpr std::size_t pieces_each = 8, least = std::size_t{1} << 20, most = std::size_t{4} << 20;
  return std::clamp(bytes / (pieces_each * threads), least, most);
}

}  // namespace

failure decode_elements(const plan& p, const object& from, const decode_options& how,
                        std::span<std::byte> out) noexcept {
  if (out.empty()) return {};
  range_decoder all(p, from, how);
  if (how.on != nullptr && out.size() >= least_for_two && how.on->width() > 1) {
    core::scratch blob, masks;  // not the thread's own: it may run pieces of other objects meanwhile
    if (failure why = all.open(true, blob, masks)) return why;
    if (!all.whole_only()) return all.decode_all(out, *how.on, piece_for(out.size(), how.on->width()));
    return all.decode(0, out, workspace_of_this_thread());
  }
  workspace& tools = workspace_of_this_thread();
  if (failure why = all.open(false, tools.codec.stored, tools.masks)) return why;
  return all.decode(0, out, tools);
}

}  // namespace tgmap::decode
