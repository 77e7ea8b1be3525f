// SPDX-License-Identifier: Apache-2.0
#include "constant/binary/lz4_text.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <tgmap/constant/errc.hpp>
#include <tgmap/mapping_guard.hpp>

#if defined(TGMAP_LZ4)
#include <lz4frame.h>

#include "runtime/loaded_library.hpp"
#endif

namespace tgmap {
inline namespace v0 {
namespace constant {

#if defined(TGMAP_LZ4)

#define TGMAP_LZ4_FRAME_FUNCTIONS(F) \
  F(LZ4F_createDecompressionContext) \
  F(LZ4F_decompress)                 \
  F(LZ4F_freeDecompressionContext)   \
  F(LZ4F_isError)

#ifdef TGMAP_LOADS_LZ4
TGMAP_LOADED_LIBRARY(lz4_library, TGMAP_LOADS_LZ4, TGMAP_LZ4_FRAME_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(lz4_library, TGMAP_LZ4_FRAME_FUNCTIONS);
#endif

namespace {

constexpr std::size_t piece_size = std::size_t{1} << 16;

/// Copies a piece of the file, because a mapped file may become shorter while it is decompressed.
failure copy_piece(std::span<const std::byte> from, bool is_mapped, std::byte* to) noexcept {
  const auto copy = [&]() noexcept { std::memcpy(to, from.data(), from.size()); };
  if (is_mapped) return mapping_guard::run(copy);
  copy();
  return {};
}

}  // namespace

failure read_lz4(std::span<const std::byte> frames, bool is_mapped, std::uint64_t max_bytes,
                 byte_buffer& out) noexcept {
  const lz4_library* const lz4 = lz4_library::get();
  if (lz4 == nullptr) return {.code = errc::unsupported_lz4};
  LZ4F_dctx* created = nullptr;
  if (lz4->LZ4F_isError(lz4->LZ4F_createDecompressionContext(&created, LZ4F_VERSION)) != 0)
    return {.code = tgmap::errc::out_of_memory};
  const auto free = [lz4](LZ4F_dctx* context) { lz4->LZ4F_freeDecompressionContext(context); };
  const std::unique_ptr<LZ4F_dctx, decltype(free)> context(created, free);

  std::byte piece[piece_size];
  std::size_t expected = 1;  // bytes that the decoder expects; 0 after a frame
  std::uint64_t at = 0;
  while (at < frames.size()) {
    const auto input = frames.subspan(at, std::min<std::uint64_t>(piece_size, frames.size() - at));
    if (failure why = copy_piece(input, is_mapped, piece)) return why;
    for (std::size_t used = 0; used < input.size();) {
      if (!out.grow(piece_size)) return {.code = tgmap::errc::out_of_memory};
      std::size_t produced = piece_size, consumed = input.size() - used;
      expected = lz4->LZ4F_decompress(context.get(), out.data() + out.size() - piece_size, &produced, piece + used,
                                      &consumed, nullptr);
      const bool failed = lz4->LZ4F_isError(expected) != 0;
      out.shrink(piece_size - (failed ? 0 : produced));
      if (failed || (consumed == 0 && produced == 0)) return {.code = errc::bad_lz4, .offset = at + used};
      if (out.size() > max_bytes)
        return {.code = errc::too_large, .offset = at + used, .expected = max_bytes, .found = out.size()};
      used += consumed;
    }
    at += input.size();
  }
  if (expected != 0) return {.code = errc::bad_lz4, .offset = frames.size()};
  out.shrink_to_fit();
  return {};
}

#else

failure read_lz4(std::span<const std::byte>, bool, std::uint64_t, byte_buffer&) noexcept {
  return {.code = errc::unsupported_lz4};
}

#endif

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
