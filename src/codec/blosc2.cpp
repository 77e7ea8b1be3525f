// SPDX-License-Identifier: Apache-2.0
// blosc2 (§7.7): a contiguous frame of chunks, all of it self-describing.
#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "codec/blosc2_chunk.hpp"
#include "codec/blosc2_frame.hpp"
#include "codec/failures.hpp"
#include "codec/libraries.hpp"

namespace tgmap::codec {

failure run_blosc2(const stored& from, std::span<std::byte> out) noexcept {
  blosc2_frame frame;
  if (auto why = read_blosc2_frame(from.bytes, from.bytes.size(), out.size(), frame)) return why;
  if (out.empty()) return {};
  const auto behind = from.bytes.subspan(static_cast<std::size_t>(frame.chunks_at));
  const auto chunks = behind.first(static_cast<std::size_t>(frame.chunks_size));
  const auto offsets = blosc2_chunk(behind.subspan(chunks.size()), 8 * std::uint64_t{frame.chunk_count});
  if (offsets.empty()) return codec_failed();
  const auto context = open_blosc2();
  const std::unique_ptr<std::int64_t[]> list(new (std::nothrow) std::int64_t[frame.chunk_count]);
  if (!context || !list) return no_memory();
  const std::span places(list.get(), frame.chunk_count);
  if (auto why = decompress_places(*context, offsets, places)) return why;

  for (const std::int64_t place : places) {
    const auto part = out.first(static_cast<std::size_t>(std::min<std::uint64_t>(frame.chunk_size, out.size())));
    out = out.subspan(part.size());
    const auto special = special_of(place);
    failure why;
    if (special != blosc2_special::none) {
      why = fill_special(special, frame.item_size, part);
    } else {
      if (std::cmp_greater(place, chunks.size())) return codec_failed();
      const auto chunk = blosc2_chunk(chunks.subspan(static_cast<std::size_t>(place)), part.size());
      why = chunk.empty() ? codec_failed() : decompress_chunk(*context, chunk, part);
    }
    if (why) return why;
  }
  return {};
}

}  // namespace tgmap::codec
