// SPDX-License-Identifier: Apache-2.0
// blosc2 (§7.7), the way out: a contiguous frame of chunks. One thread, so that the same bytes give the same frame.
#include <blosc2.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "codec/compressions.hpp"
#include "codec/failures.hpp"

namespace tgmap::codec {

namespace {

/// As the reference cuts what it compresses.
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

failure compress_blosc2(const uncompressed& from, core::scratch& memory, compressed& out) noexcept {
  if (from.bytes.empty()) return bad_combination();  // there is no frame of nothing that readers would take
  if (from.element_bytes == 0 || from.element_bytes > BLOSC_MAX_TYPESIZE)
    return bad_parameter(from.element_bytes, "dtype");
  return compress_frame(from.bytes, parameters_of(from.how->blosc2, from.element_bytes), memory, out.bytes);
}

failure compress_mask_by_blosc2(std::span<const std::byte> bits, core::scratch& memory,
                                std::span<const std::byte>& blob) noexcept {
  auto parameters = parameters_of({}, 1);
  std::fill(std::begin(parameters.filters), std::end(parameters.filters), std::uint8_t{BLOSC_NOFILTER});
  parameters.filters[0] = BLOSC_BITSHUFFLE;
  return compress_frame(bits, parameters, memory, blob);
}

}  // namespace tgmap::codec
