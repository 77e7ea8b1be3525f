// SPDX-License-Identifier: Apache-2.0
// Parts of a blosc2 frame (§7.7): chunks and their blocks are independent.
#include <algorithm>
#include <array>
#include <new>
#include <utility>
#include <vector>

#include "codec/blosc2/blosc2.hpp"
#include "codec/blosc2/blosc2_frame.hpp"
#include "codec/codec_functions.hpp"
#include "codec/failures.hpp"
#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

/// Frames with more chunks are read by whole chunks, without finding their blocks.
constexpr std::size_t max_lookups = 64;

/// A `chunk` is one chunk of the frame. `place` is its stored offset.
struct chunk {
  std::int64_t place = 0;
  blosc2_chunk_header chunk_header{};
  std::uint64_t step = 0;  ///< bytes that are decompressed together; 0: all
};

class blosc2_partial_decompressor final : public partial_decompressor {
 public:
  blosc2_partial_decompressor(const blosc2_frame& frame, std::uint64_t size, std::vector<chunk> chunks) noexcept
      : frame_(frame), size_(size), chunks_(std::move(chunks)) {}

  extent around(extent wanted) const noexcept override {
    return {block_of(wanted.begin).begin, block_of(wanted.end - 1).end};
  }

  std::uint64_t cost(extent pieces) const noexcept override {
    std::uint64_t out = 0;
    const auto add = [&](const chunk& chunk, extent whole, extent part) noexcept -> failure {
      if (chunk.step == 0)
        out += chunk.chunk_header.compressed != 0 ? chunk.chunk_header.compressed : whole.size();
      else  // estimated: blocks are about equally long
        out += static_cast<std::uint64_t>(static_cast<double>(chunk.chunk_header.compressed) *
                                          (static_cast<double>(part.size()) / static_cast<double>(whole.size())));
      return {};
    };
    static_cast<void>(each_chunk(pieces, add));  // never fails, because `add` never does
    return out;
  }

  failure read(extent pieces, const payload_reader& payload, partial_buffers& tools,
               std::span<std::byte> out) const noexcept override {
    const auto context = create_blosc2_context();
    if (!context) return no_memory();
    return each_chunk(pieces, [&](const chunk& chunk, extent whole, extent part) noexcept {
      const auto to = out.subspan(static_cast<std::size_t>(part.begin - pieces.begin), part.size());
      const extent inside{part.begin - whole.begin, part.end - whole.begin};
      const auto special = special_chunk_value(chunk.place);
      if (special != blosc2_special::none) return fill_special(special, frame_.item_size, to);
      if (chunk.step == 0 || part == whole) return read_whole(*context, chunk, payload, tools, to);
      if (chunk.chunk_header.copied) return payload.read(begin_of(chunk) + blosc2_chunk_header_size + inside.begin, to);
      return read_blocks(*context, chunk, whole.size(), inside, payload, tools, to);
    });
  }

 private:
  std::uint64_t begin_of(const chunk& chunk) const noexcept {
    return frame_.chunks_offset + static_cast<std::uint64_t>(chunk.place);
  }

  extent chunk_at(std::size_t number) const noexcept {
    const std::uint64_t begin = number * frame_.chunk_size;
    return {begin, std::min(size_, begin + frame_.chunk_size)};
  }

  /// Returns the block that contains a byte.
  extent block_of(std::uint64_t byte) const noexcept {
    const auto number = static_cast<std::size_t>(byte / frame_.chunk_size);
    const extent whole = chunk_at(number);
    const std::uint64_t step = chunks_[number].step;
    if (step == 0) return whole;
    const std::uint64_t begin = whole.begin + (byte - whole.begin) / step * step;
    return {begin, std::min(whole.end, begin + step)};
  }

  /// Calls `visit(chunk, its extent, the part of it in pieces)` for each chunk, until a call fails.
  template <class Visit>
  failure each_chunk(extent pieces, Visit&& visit) const noexcept {
    for (std::uint64_t at = pieces.begin; at < pieces.end;) {
      const auto number = static_cast<std::size_t>(at / frame_.chunk_size);
      const extent whole = chunk_at(number), part{at, std::min(whole.end, pieces.end)};
      if (failure why = visit(chunks_[number], whole, part)) return why;
      at = part.end;
    }
    return {};
  }

  failure read_whole(blosc2_context& context, const chunk& chunk, const payload_reader& payload, partial_buffers& tools,
                     std::span<std::byte> out) const noexcept {
    std::span<const std::byte> bytes;
    if (failure why = find_chunk(chunk, payload, tools, out.size(), bytes)) return why;
    const auto sound = blosc2_chunk(bytes, out.size());
    return sound.empty() ? codec_failed() : decompress_chunk(context, sound, out);
  }

  /// Finds the bytes of a chunk that decompresses to `size` bytes, in memory or in a copy.
  failure find_chunk(const chunk& chunk, const payload_reader& payload, partial_buffers& tools, std::size_t size,
                     std::span<const std::byte>& out) const noexcept {
    failure why;
    std::array<std::byte, blosc2_chunk_header_size> header;
    const std::uint64_t begin = static_cast<std::uint64_t>(chunk.place);
    if (!wire::fits(begin, header.size(), frame_.chunks_size)) return codec_failed();
    why = payload.read(begin_of(chunk), header);
    if (why) return why;
    const auto chunk_header = read_blosc2_chunk(header, size);
    if (chunk_header.compressed == 0 || !wire::fits(begin, chunk_header.compressed, frame_.chunks_size))
      return codec_failed();
    if (const auto all = payload.in_memory(); !all.empty()) {
      out = all.subspan(static_cast<std::size_t>(begin_of(chunk)), chunk_header.compressed);
      return {};
    }
    const auto copy = tools.stored.take(chunk_header.compressed, why);
    if (!why) why = payload.read(begin_of(chunk), copy);
    out = copy;
    return why;
  }

  /// Passes a whole chunk to the library, but reads only the bytes that the library needs.
  failure read_blocks(blosc2_context& context, const chunk& chunk, std::uint64_t size, extent inside,
                      const payload_reader& payload, partial_buffers& tools, std::span<std::byte> out) const noexcept {
    const std::size_t table = blosc2_chunk_header_size + 4 * static_cast<std::size_t>(chunk.chunk_header.blocks(size));
    if (const auto all = payload.in_memory(); !all.empty()) {
      const auto bytes = all.subspan(static_cast<std::size_t>(begin_of(chunk)), chunk.chunk_header.compressed);
      if (!is_unchanged(bytes.first(table), chunk, size)) return codec_failed();
      return decompress_items(context, bytes, inside.begin, chunk.chunk_header.item_size, out);
    }
    failure why;
    const auto bytes = tools.stored.take(chunk.chunk_header.compressed, why);
    if (why) return why;
    const auto head = bytes.first(table);
    if ((why = payload.read(begin_of(chunk), head))) return why;
    if (!is_unchanged(head, chunk, size)) return codec_failed();
    const extent at = stored_of(head.subspan(blosc2_chunk_header_size), inside, chunk.chunk_header);
    const auto part = bytes.subspan(static_cast<std::size_t>(at.begin), static_cast<std::size_t>(at.size()));
    why = payload.read(begin_of(chunk) + at.begin, part);
    if (why) return why;
    // Later bytes were not read. The chunk ends here for the library, so the requested blocks must end here, too.
    const auto known = bytes.first(static_cast<std::size_t>(at.end));
    set_blosc2_chunk_size(known);
    return decompress_items(context, known, inside.begin, chunk.chunk_header.item_size, out);
  }

  /// Checks header and block offsets again: the file may have changed since it was opened.
  static bool is_unchanged(std::span<const std::byte> head, const chunk& chunk, std::uint64_t size) noexcept {
    const auto again = read_blosc2_chunk(head, size);
    return again.compressed == chunk.chunk_header.compressed && again.block_size == chunk.chunk_header.block_size &&
           again.item_size == chunk.chunk_header.item_size && !again.copied && !again.one_value &&
           valid_block_offsets(head.subspan(blosc2_chunk_header_size), again);
  }

  /// Returns the stored bytes from the first to the last of the blocks, which may be in any order.
  static extent stored_of(std::span<const std::byte> places, extent inside, const blosc2_chunk_header& of) noexcept {
    const std::uint64_t first = inside.begin / of.block_size, last = (inside.end - 1) / of.block_size;
    std::uint64_t begin = of.compressed, latest = 0, end = of.compressed;
    for (std::uint64_t i = first; i <= last; ++i) {
      begin = std::min<std::uint64_t>(begin, block_offset(places, i));
      latest = std::max<std::uint64_t>(latest, block_offset(places, i));
    }
    for (std::uint64_t i = 0; i < places.size() / 4; ++i)
      if (const std::uint64_t place = block_offset(places, i); place > latest) end = std::min(end, place);
    return {begin, end};
  }

  blosc2_frame frame_;
  std::uint64_t size_;
  std::vector<chunk> chunks_;
};

/// Reads the header of one chunk.
failure look_up(const partial_source& source, const blosc2_frame& frame, std::uint64_t size, chunk& chunk) noexcept {
  if (special_chunk_value(chunk.place) != blosc2_special::none) {
    chunk.step = frame.item_size != 0 && size % frame.item_size == 0 ? frame.item_size : 0;
    return {};
  }
  std::array<std::byte, blosc2_chunk_header_size> header;
  const auto place = static_cast<std::uint64_t>(chunk.place);
  if (!wire::fits(place, header.size(), frame.chunks_size)) return codec_failed();
  if (failure why = source.stored.read(frame.chunks_offset + place, header)) return why;
  chunk.chunk_header = read_blosc2_chunk(header, size);
  if (chunk.chunk_header.compressed == 0 || !wire::fits(place, chunk.chunk_header.compressed, frame.chunks_size))
    return codec_failed();
  const bool whole_items =
      chunk.chunk_header.block_size % chunk.chunk_header.item_size == 0 && size % chunk.chunk_header.item_size == 0;
  chunk.step = whole_items && !chunk.chunk_header.one_value ? chunk.chunk_header.block_size : 0;
  return {};
}

failure read_chunks(const partial_source& source, blosc2_frame& frame, std::vector<chunk>& out) {
  std::array<std::byte, blosc2_frame_header_size> header;
  if (source.stored.size() < header.size()) return codec_failed();
  if (failure why = source.stored.read(0, header)) return why;
  if (failure why = read_blosc2_frame(header, source.stored.size(), source.size, frame)) return why;
  const std::uint64_t at = frame.chunks_offset + frame.chunks_size;
  std::vector<std::byte> behind(static_cast<std::size_t>(source.stored.size() - at));
  if (failure why = source.stored.read(at, behind)) return why;
  const auto offsets = blosc2_chunk(behind, 8 * std::uint64_t{frame.chunk_count});
  if (offsets.empty()) return codec_failed();
  std::vector<std::int64_t> places(frame.chunk_count);
  const auto context = create_blosc2_context();
  if (!context) return no_memory();
  if (failure why = decompress_chunk_offsets(*context, offsets, places)) return why;
  out.resize(places.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].place = places[i];
    const std::uint64_t begin = i * frame.chunk_size;
    if (out.size() <= max_lookups)
      if (failure why = look_up(source, frame, std::min(frame.chunk_size, source.size - begin), out[i])) return why;
  }
  return {};
}

}  // namespace

std::unique_ptr<const partial_decompressor> open_blosc2_partial(const partial_source& source, failure& why) noexcept
    try {
  blosc2_frame frame;
  std::vector<chunk> chunks;
  why = read_chunks(source, frame, chunks);
  if (why) return nullptr;
  return std::make_unique<blosc2_partial_decompressor>(frame, source.size, std::move(chunks));
} catch (const std::bad_alloc&) {
  why = no_memory();
  return nullptr;
}

}  // namespace tgmap::codec
