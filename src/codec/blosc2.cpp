// SPDX-License-Identifier: Apache-2.0
// blosc2 (§7.7): a contiguous frame of chunks, all of it self-describing.
#include <blosc2.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "codec/blosc2_frame.hpp"
#include "codec/failures.hpp"
#include "codec/libraries.hpp"

namespace tgmap::codec {

namespace {

struct blosc2_closer {
  void operator()(blosc2_context* context) const noexcept { blosc2_free_ctx(context); }
};
using blosc2_owner = std::unique_ptr<blosc2_context, blosc2_closer>;

blosc2_owner open_blosc2() noexcept {
  static const bool once = (blosc2_init(), true);
  static_cast<void>(once);
  return blosc2_owner(blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS));
}

failure decompress_chunk(blosc2_context& context, std::span<const std::byte> chunk, std::span<std::byte> out) noexcept {
  const int size = blosc2_decompress_ctx(&context, chunk.data(), static_cast<std::int32_t>(chunk.size()), out.data(),
                                         static_cast<std::int32_t>(out.size()));
  if (size < 0) return size == BLOSC2_ERROR_MEMORY_ALLOC ? no_memory() : codec_failed(size);
  return std::cmp_equal(size, out.size()) ? failure{} : decoded_size(out.size(), static_cast<std::uint64_t>(size));
}

/// NaNs as c-blosc2 makes them: quiet, positive, in the machine's byte order.
template <class T>
void fill_with_nans(std::span<std::byte> out) noexcept {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const auto bytes = std::as_bytes(std::span(&nan, 1));
  for (; out.size() >= sizeof(T); out = out.subspan(sizeof(T))) std::copy(bytes.begin(), bytes.end(), out.begin());
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

}  // namespace

failure run_blosc2(const stored& from, std::span<std::byte> out) noexcept {
  blosc2_frame frame;
  if (auto why = read_blosc2_frame(from.bytes, out.size(), frame)) return why;
  if (out.empty()) return {};
  const auto context = open_blosc2();
  const std::unique_ptr<std::int64_t[]> offsets(new (std::nothrow) std::int64_t[frame.chunk_count]);
  if (!context || !offsets) return no_memory();
  const std::span places(offsets.get(), frame.chunk_count);
  if (auto why = decompress_chunk(*context, frame.offsets, std::as_writable_bytes(places))) return why;

  for (std::int64_t place : places) {
    if constexpr (std::endian::native == std::endian::big)
      place = static_cast<std::int64_t>(__builtin_bswap64(static_cast<std::uint64_t>(place)));
    const auto part = out.first(static_cast<std::size_t>(std::min<std::uint64_t>(frame.chunk_size, out.size())));
    out = out.subspan(part.size());
    const auto special = special_of(place);
    failure why;
    if (special != blosc2_special::none) {
      why = fill_special(special, frame.item_size, part);
    } else {
      if (std::cmp_greater(place, frame.chunks.size())) return codec_failed();
      const auto chunk = blosc2_chunk(frame.chunks.subspan(static_cast<std::size_t>(place)), part.size());
      why = chunk.empty() ? codec_failed() : decompress_chunk(*context, chunk, part);
    }
    if (why) return why;
  }
  return {};
}

std::string_view blosc2_version() noexcept { return blosc2_get_version_string(); }

}  // namespace tgmap::codec
