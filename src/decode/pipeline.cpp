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

/// On several threads, where the pipeline allows it; else on this one.
failure decode_in_pieces(range_decoder& by, executor& on, std::span<std::byte> out) noexcept {
  core::scratch blob, masks;  // not the thread's own: it may run pieces of other objects meanwhile
  if (failure why = by.open(reading::whole_in_parts, blob, masks)) return why;
  if (by.whole_only()) return by.decode(0, out, workspace_of_this_thread());
  return by.decode_all(out, on, piece_for(out.size(), on.concurrency()));
}

failure decode_at_once(range_decoder& by, std::span<std::byte> out) noexcept {
  workspace& tools = workspace_of_this_thread();
  if (failure why = by.open(reading::whole, tools.codec.stored, tools.masks)) return why;
  const encoded_source& source = by.source();
  // What is stored of no elements has to be sound too.
  return out.empty() && source.compressed() ? source.read(source.all(), tools, out) : by.decode(0, out, tools);
}

}  // namespace

failure decode_elements(const plan& p, const object& from, const decode_options& how,
                        std::span<std::byte> out) noexcept {
  range_decoder all(p, from, how);
  // Where places of pieces are wrong, the whole may be sound: the answer is that of one thread.
  const bool has_pieces = !p.shuffled() && (p.compression == nullptr || p.compression->open_parts != nullptr);
  const bool several =
      has_pieces && how.executor != nullptr && out.size() >= least_for_two && how.executor->concurrency() > 1;
  const bool done = several && !decode_in_pieces(all, *how.executor, out);
  const failure why = done ? failure{} : decode_at_once(all, out);
  workspace_of_this_thread().trim();
  return why;
}

}  // namespace tgmap::decode
