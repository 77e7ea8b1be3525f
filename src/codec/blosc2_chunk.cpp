// SPDX-License-Identifier: Apache-2.0
#include "codec/blosc2_chunk.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "codec/failures.hpp"
#include "codec/libraries.hpp"
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

blosc2_owner open_blosc2() noexcept {
  static const bool once = (blosc2_init(), true);
  static_cast<void>(once);
  return blosc2_owner(blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS));
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

failure decompress_places(blosc2_context& context, std::span<const std::byte> chunk,
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

}  // namespace tgmap::codec
