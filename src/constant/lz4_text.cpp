// SPDX-License-Identifier: Apache-2.0
#include "constant/lz4_text.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <tgmap/constant/errc.hpp>
#include <tgmap/mapping_guard.hpp>

#if defined(TGMAP_LZ4)
#include "constant/lz4_library.hpp"
#endif

namespace tgmap {
inline namespace v0 {
namespace constant {

#if defined(TGMAP_LZ4)

namespace {

constexpr std::size_t read_at_once = std::size_t{1} << 16;

/// A piece of the file, in memory of our own: what is mapped may become shorter.
failure copy_piece(std::span<const std::byte> from, bool mapped, std::byte* to) noexcept {
  const auto copy = [&]() noexcept { std::memcpy(to, from.data(), from.size()); };
  if (mapped) return mapping_guard::run(copy);
  copy();
  return {};
}

}  // namespace

failure read_lz4(std::span<const std::byte> frames, bool mapped, std::uint64_t most, grown_memory& into) noexcept {
  const lz4_library* const lz4 = lz4_library::get();
  if (lz4 == nullptr) return {.code = errc::unsupported_lz4};
  LZ4F_dctx* made = nullptr;
  if (lz4->LZ4F_isError(lz4->LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0)
    return {.code = tgmap::errc::out_of_memory};
  const auto free = [lz4](LZ4F_dctx* context) { lz4->LZ4F_freeDecompressionContext(context); };
  const std::unique_ptr<LZ4F_dctx, decltype(free)> context(made, free);

  std::byte piece[read_at_once];
  std::size_t expected = 1;  // of what is to come; 0: a frame has ended
  std::uint64_t at = 0;
  while (at < frames.size()) {
    const auto here = frames.subspan(at, std::min<std::uint64_t>(read_at_once, frames.size() - at));
    if (failure why = copy_piece(here, mapped, piece)) return why;
    for (std::size_t used = 0; used < here.size();) {
      if (!into.add(read_at_once)) return {.code = tgmap::errc::out_of_memory};
      std::size_t given = read_at_once, taken = here.size() - used;
      expected = lz4->LZ4F_decompress(context.get(), into.data() + into.size() - read_at_once, &given, piece + used,
                                      &taken, nullptr);
      const bool failed = lz4->LZ4F_isError(expected) != 0;
      into.drop(read_at_once - (failed ? 0 : given));
      if (failed || (taken == 0 && given == 0)) return {.code = errc::bad_lz4, .offset = at + used};
      if (into.size() > most)
        return {.code = errc::too_large, .offset = at + used, .expected = most, .found = into.size()};
      used += taken;
    }
    at += here.size();
  }
  if (expected != 0) return {.code = errc::bad_lz4, .offset = frames.size()};
  into.trim();
  return {};
}

#else

failure read_lz4(std::span<const std::byte>, bool, std::uint64_t, grown_memory&) noexcept {
  return {.code = errc::unsupported_lz4};
}

#endif

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
