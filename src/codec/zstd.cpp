// SPDX-License-Identifier: Apache-2.0
// zstd (§7.5): one frame or more, which seldom tell the size of their content.

#include <memory>

#include "codec/failures.hpp"
#include "codec/libraries.hpp"
#include "codec/zstd_library.hpp"

namespace tgmap::codec {

namespace {

failure zstd_failure(std::size_t result, std::size_t out) noexcept {
  const ZSTD_ErrorCode code = zstd().ZSTD_getErrorCode(result);
  if (code == ZSTD_error_memory_allocation) return no_memory();
  if (code == ZSTD_error_dstSize_tooSmall) return decoded_size(out, std::uint64_t{out} + 1);
  return codec_failed(code);
}

std::uint32_t zstd_magic(std::span<const std::byte> bytes) noexcept {
  std::uint32_t magic = 0;
  for (std::size_t i = 0; i < 4 && i < bytes.size(); ++i) magic |= std::to_integer<std::uint32_t>(bytes[i]) << 8 * i;
  return magic;
}

/// Whether the bytes are frames of today's format, one after another. Libraries may be built to read those of before
/// its release too, which no Tensogram writer has ever made and whose decoders are no longer cared for.
failure check_zstd(std::span<const std::byte> bytes, std::size_t out) noexcept {
  if (bytes.empty()) return codec_failed(ZSTD_error_srcSize_wrong);
  while (!bytes.empty()) {
    const std::uint32_t magic = zstd_magic(bytes);
    if (magic != ZSTD_MAGICNUMBER && (magic & ZSTD_MAGIC_SKIPPABLE_MASK) != ZSTD_MAGIC_SKIPPABLE_START)
      return codec_failed(ZSTD_error_prefix_unknown);
    const std::size_t size = zstd().ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
    if (zstd().ZSTD_isError(size)) return zstd_failure(size, out);
    bytes = bytes.subspan(size);
  }
  return {};
}

struct context_closer {
  void operator()(ZSTD_DCtx* context) const noexcept { zstd().ZSTD_freeDCtx(context); }
};

/// Kept for the next object: making one takes longer than decompressing a small one. Null without memory.
ZSTD_DCtx* context_of_this_thread() noexcept {
  thread_local std::unique_ptr<ZSTD_DCtx, context_closer> kept;
  if (!kept) kept.reset(zstd().ZSTD_createDCtx());
  return kept.get();
}

}  // namespace

failure run_zstd(const stored& from, std::span<std::byte> out) noexcept {
  if (auto why = check_zstd(from.bytes, out.size())) return why;
  ZSTD_DCtx* const context = context_of_this_thread();
  if (context == nullptr) return no_memory();
  const std::size_t size =
      zstd().ZSTD_decompressDCtx(context, out.data(), out.size(), from.bytes.data(), from.bytes.size());
  if (zstd().ZSTD_isError(size)) return zstd_failure(size, out.size());
  return size == out.size() ? failure{} : decoded_size(out.size(), size);
}

bool has_zstd() noexcept { return zstd_library::get() != nullptr; }

std::string_view zstd_version() noexcept { return zstd().ZSTD_versionString(); }

}  // namespace tgmap::codec
