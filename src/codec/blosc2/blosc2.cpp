// SPDX-License-Identifier: Apache-2.0
#include "codec/blosc2/blosc2.hpp"

#include <blosc2.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "codec/blosc2/blosc2_frame.hpp"
#include "codec/codec_functions.hpp"
#include "codec/failures.hpp"
#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

failure judged(int size, std::size_t wanted) noexcept {
  if (size < 0) return size == BLOSC2_ERROR_MEMORY_ALLOC ? no_memory() : codec_failed(size);
  return std::cmp_equal(size, wanted) ? failure{} : decoded_size(wanted, static_cast<std::uint64_t>(size));
}

/// NaNs as c-blosc2 makes them: quiet, positive, in the machine's byte order.
template <class T>
void fill_with_nans(std::span<std::byte> out) noexcept {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const auto bytes = std::as_bytes(std::span(&nan, 1));
  for (; out.size() >= sizeof(T); out = out.subspan(sizeof(T))) std::copy(bytes.begin(), bytes.end(), out.begin());
}

}  // namespace

blosc2_context_owner create_blosc2_context() noexcept {
  static const bool once = (blosc2_init(), true);
  static_cast<void>(once);
  return blosc2_context_owner(blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS));
}

failure decompress_chunk(blosc2_context& context, std::span<const std::byte> chunk, std::span<std::byte> out) noexcept {
  return judged(blosc2_decompress_ctx(&context, chunk.data(), static_cast<std::int32_t>(chunk.size()), out.data(),
                                      static_cast<std::int32_t>(out.size())),
                out.size());
}

failure decompress_items(blosc2_context& context, std::span<const std::byte> chunk, std::uint64_t begin,
                         std::size_t item_size, std::span<std::byte> out) noexcept {
  return judged(blosc2_getitem_ctx(&context, chunk.data(), static_cast<std::int32_t>(chunk.size()),
                                   static_cast<int>(begin / item_size), static_cast<int>(out.size() / item_size),
                                   out.data(), static_cast<std::int32_t>(out.size())),
                out.size());
}

failure decompress_chunk_offsets(blosc2_context& context, std::span<const std::byte> chunk,
                                 std::span<std::int64_t> out) noexcept {
  if (failure why = decompress_chunk(context, chunk, std::as_writable_bytes(out))) return why;
  if constexpr (std::endian::native == std::endian::big)
    for (std::int64_t& each : out) each = static_cast<std::int64_t>(wire::reversed(static_cast<std::uint64_t>(each)));
  return {};
}

failure fill_special(blosc2_special what, std::size_t item, std::span<std::byte> out) noexcept {
  if (what == blosc2_special::zeros) {
    std::fill(out.begin(), out.end(), std::byte{0});
    return {};
  }
  if (what != blosc2_special::nans || (item != 4 && item != 8) || out.size() % item != 0) return codec_failed();
  item == 4 ? fill_with_nans<float>(out) : fill_with_nans<double>(out);
  return {};
}

bool has_blosc2() noexcept { return true; }  // linked

std::string_view blosc2_version() noexcept { return blosc2_get_version_string(); }

// blosc2 (§7.7): a contiguous frame of chunks, all of it self-describing.

namespace {

/// Contexts are kept for the next object after outputs up to this size. Their buffers take about four times as much.
constexpr std::size_t max_kept_output = std::size_t{4} << 20;

/// The contexts of a thread. A context allocates buffers again if the size of blocks changes, so the chunk offsets have
/// one of their own.
struct blosc2_contexts {
  blosc2_context_owner offsets = create_blosc2_context(), chunks = create_blosc2_context();
};

failure decompress_blosc2(blosc2_contexts& contexts, const compressed_payload& payload,
                          std::span<std::byte> out) noexcept {
  blosc2_frame frame;
  if (auto why = read_blosc2_frame(payload.bytes, payload.bytes.size(), out.size(), frame)) return why;
  if (out.empty()) return {};
  const auto rest = payload.bytes.subspan(static_cast<std::size_t>(frame.chunks_offset));
  const auto chunks = rest.first(static_cast<std::size_t>(frame.chunks_size));
  const auto offsets = blosc2_chunk(rest.subspan(chunks.size()), 8 * std::uint64_t{frame.chunk_count});
  if (offsets.empty()) return codec_failed();
  const std::unique_ptr<std::int64_t[]> list(new (std::nothrow) std::int64_t[frame.chunk_count]);
  if (!list) return no_memory();
  const std::span places(list.get(), frame.chunk_count);
  if (auto why = decompress_chunk_offsets(*contexts.offsets, offsets, places)) return why;

  for (const std::int64_t place : places) {
    const auto part = out.first(static_cast<std::size_t>(std::min<std::uint64_t>(frame.chunk_size, out.size())));
    out = out.subspan(part.size());
    const auto special = special_chunk_value(place);
    failure why;
    if (special != blosc2_special::none) {
      why = fill_special(special, frame.item_size, part);
    } else {
      if (std::cmp_greater(place, chunks.size())) return codec_failed();
      const auto chunk = blosc2_chunk(chunks.subspan(static_cast<std::size_t>(place)), part.size());
      why = chunk.empty() ? codec_failed() : decompress_chunk(*contexts.chunks, chunk, part);
    }
    if (why) return why;
  }
  return {};
}

}  // namespace

failure decompress_blosc2(const compressed_payload& payload, std::span<std::byte> out) noexcept {
  thread_local std::optional<blosc2_contexts> kept;
  if (!kept) kept.emplace();
  const failure why = kept->offsets && kept->chunks ? decompress_blosc2(*kept, payload, out) : no_memory();
  if (why || out.size() > max_kept_output) kept.reset();
  return why;
}

// Compression. It uses one thread, so the same bytes give the same frame.

namespace {

/// The chunk size of the reference.
constexpr std::size_t blosc2_chunk_bytes = std::size_t{256} << 20;

struct frame_closer {
  void operator()(blosc2_schunk* frame) const noexcept { blosc2_schunk_free(frame); }
  void operator()(std::uint8_t* bytes) const noexcept { std::free(bytes); }
};

failure judged_blosc2(std::int64_t number) noexcept {
  return number == BLOSC2_ERROR_MEMORY_ALLOC ? no_memory() : codec_failed(number);
}

blosc2_cparams parameters_of(const blosc2_options& with, std::size_t element_bytes) noexcept {
  constexpr std::array<std::uint8_t, 5> codes{BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_LZ4HC, BLOSC_ZLIB, BLOSC_ZSTD};
  blosc2_cparams out = BLOSC2_CPARAMS_DEFAULTS;
  out.compcode = codes[static_cast<std::size_t>(with.codec)];
  out.clevel = static_cast<std::uint8_t>(with.level);
  out.typesize = static_cast<std::int32_t>(element_bytes);
  out.nthreads = 1;
  return out;
}

failure compress_frame(std::span<const std::byte> from, blosc2_cparams parameters, core::scratch& memory,
                       std::span<const std::byte>& out) noexcept {
  static const bool once = (blosc2_init(), true);
  static_cast<void>(once);
  blosc2_dparams back = BLOSC2_DPARAMS_DEFAULTS;
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.contiguous = false;
  storage.cparams = &parameters;
  storage.dparams = &back;
  const std::unique_ptr<blosc2_schunk, frame_closer> chunks(blosc2_schunk_new(&storage));
  if (!chunks) return no_memory();
  while (!from.empty()) {
    const auto part = from.first(std::min(from.size(), blosc2_chunk_bytes));
    const std::int64_t count =
        blosc2_schunk_append_buffer(chunks.get(), part.data(), static_cast<std::int32_t>(part.size()));
    if (count < 0) return judged_blosc2(count);
    from = from.subspan(part.size());
  }

  std::uint8_t* bytes = nullptr;
  bool ours = false;
  const std::int64_t size = blosc2_schunk_to_buffer(chunks.get(), &bytes, &ours);
  const std::unique_ptr<std::uint8_t, frame_closer> owned(ours ? bytes : nullptr);
  if (size <= 0) return judged_blosc2(size);
  failure why;
  const auto to = memory.take(static_cast<std::uint64_t>(size), why);
  if (why) return why;
  std::copy_n(reinterpret_cast<const std::byte*>(bytes), to.size(), to.begin());
  out = to;
  return {};
}

}  // namespace

failure compress_blosc2(const compression_input& input, core::scratch& memory, compression_output& out) noexcept {
  if (input.bytes.empty()) return bad_combination();  // readers reject empty frames
  if (input.element_bytes == 0 || input.element_bytes > BLOSC_MAX_TYPESIZE)
    return bad_parameter(input.element_bytes, "dtype");
  return compress_frame(input.bytes, parameters_of(input.how->blosc2, input.element_bytes), memory, out.bytes);
}

failure compress_mask_by_blosc2(std::span<const std::byte> bits, core::scratch& memory,
                                std::span<const std::byte>& blob) noexcept {
  auto parameters = parameters_of({}, 1);
  std::fill(std::begin(parameters.filters), std::end(parameters.filters), std::uint8_t{BLOSC_NOFILTER});
  parameters.filters[0] = BLOSC_BITSHUFFLE;
  return compress_frame(bits, parameters, memory, blob);
}

}  // namespace tgmap::codec
