// SPDX-License-Identifier: Apache-2.0
// zstd (§7.5): one or more frames, which often lack the size of their content.
#include <memory>

#include "codec/codec_functions.hpp"
#include "codec/failures.hpp"
#include "codec/zstd/zstd_library.hpp"

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

/// Checks that the bytes are frames of the current format. Libraries may be built to read legacy formats, too, which no
/// Tensogram writer uses and whose decoders are no longer maintained.
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

/// Returns a context that is kept for the next object: creating one takes longer than decompressing a small object.
/// Null without memory.
ZSTD_DCtx* context_of_this_thread() noexcept {
  thread_local std::unique_ptr<ZSTD_DCtx, context_closer> kept;
  if (!kept) kept.reset(zstd().ZSTD_createDCtx());
  return kept.get();
}

}  // namespace

failure decompress_zstd(const compressed_payload& payload, std::span<std::byte> out) noexcept {
  if (auto why = check_zstd(payload.bytes, out.size())) return why;
  ZSTD_DCtx* const context = context_of_this_thread();
  if (context == nullptr) return no_memory();
  const std::size_t size =
      zstd().ZSTD_decompressDCtx(context, out.data(), out.size(), payload.bytes.data(), payload.bytes.size());
  if (zstd().ZSTD_isError(size)) return zstd_failure(size, out.size());
  return size == out.size() ? failure{} : decoded_size(out.size(), size);
}

bool has_zstd() noexcept { return zstd_library::get() != nullptr; }

std::string_view zstd_version() noexcept { return zstd().ZSTD_versionString(); }

// Compression: one frame, which does not state the size of its content.

namespace {

struct zstd_compression_closer {
  void operator()(ZSTD_CCtx* context) const noexcept { zstd().ZSTD_freeCCtx(context); }
};
using zstd_compression = std::unique_ptr<ZSTD_CCtx, zstd_compression_closer>;

/// From this level on zstd is told the size of its input, and takes tables and a window of that size. Otherwise it
/// takes those of large inputs: up to 800 MB, and up to 100 times the time for some KiB. At lower levels the input is a
/// stream of unknown size, as the reference writes it: its bytes are the same, and tables are small.
constexpr int first_sized_level = 5;

/// A context is kept for the next object up to this size, which every level takes for 1 MiB. For larger inputs a new
/// context costs less than a tenth of the compression, and the highest levels take hundreds of megabytes.
constexpr std::size_t max_kept_bytes = std::size_t{32} << 20;

failure judged_zstd(std::size_t result) noexcept {
  const ZSTD_ErrorCode code = zstd().ZSTD_getErrorCode(result);
  return code == ZSTD_error_memory_allocation ? no_memory() : codec_failed(code);
}

/// Compresses `from`, whose size zstd is not told, into `to`, which is large enough, and stores the size.
failure stream_zstd(ZSTD_CCtx& context, std::span<const std::byte> from, std::span<std::byte> to,
                    std::size_t& size) noexcept {
  ZSTD_inBuffer in{from.data(), from.size(), 0};
  ZSTD_outBuffer out{to.data(), to.size(), 0};
  // Ending the stream in the first call would reveal the length to zstd. The reference does so only without input.
  while (in.pos < in.size) {
    const std::size_t result = zstd().ZSTD_compressStream2(&context, &out, &in, ZSTD_e_continue);
    if (zstd().ZSTD_isError(result)) return judged_zstd(result);
    if (out.pos == out.size) return codec_failed(ZSTD_error_dstSize_tooSmall);
  }
  const std::size_t left = zstd().ZSTD_compressStream2(&context, &out, &in, ZSTD_e_end);
  if (zstd().ZSTD_isError(left)) return judged_zstd(left);
  if (left != 0) return codec_failed(ZSTD_error_dstSize_tooSmall);
  size = out.pos;
  return {};
}

/// The same, with tables and a window for this size.
failure compress_sized_zstd(ZSTD_CCtx& context, std::span<const std::byte> from, std::span<std::byte> to,
                            std::size_t& size) noexcept {
  const std::size_t set = zstd().ZSTD_CCtx_setParameter(&context, ZSTD_c_contentSizeFlag, 0);
  if (zstd().ZSTD_isError(set)) return judged_zstd(set);
  size = zstd().ZSTD_compress2(&context, to.data(), to.size(), from.data(), from.size());
  return zstd().ZSTD_isError(size) ? judged_zstd(size) : failure{};
}

}  // namespace

failure compress_zstd(const compression_input& input, core::scratch& memory, compression_output& out) noexcept {
  thread_local zstd_compression kept;
  if (!kept) kept.reset(zstd().ZSTD_createCCtx());
  if (!kept) return no_memory();

  const std::size_t capacity = zstd().ZSTD_compressBound(input.bytes.size());
  if (zstd().ZSTD_isError(capacity)) return judged_zstd(capacity);
  failure why;
  const auto to = memory.take(capacity, why);
  if (why) return why;
  const int level = input.how->zstd_level;
  zstd().ZSTD_CCtx_reset(kept.get(), ZSTD_reset_session_and_parameters);
  const std::size_t set = zstd().ZSTD_CCtx_setParameter(kept.get(), ZSTD_c_compressionLevel, level);
  if (zstd().ZSTD_isError(set)) return judged_zstd(set);

  std::size_t size = 0;
  why = level < first_sized_level || input.bytes.empty() ? stream_zstd(*kept, input.bytes, to, size)
                                                         : compress_sized_zstd(*kept, input.bytes, to, size);
  if (why || zstd().ZSTD_sizeof_CCtx(kept.get()) > max_kept_bytes) kept.reset();
  if (!why) out.bytes = to.first(size);
  return why;
}

}  // namespace tgmap::codec
