// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// How payloads are compressed (§7.3). Masks use some of them too (§6.2).
enum class compression : std::uint8_t { none, szip, zstd, lz4, blosc2, zfp, sz3, rle, roaring, other };

TGMAP_API std::string_view to_string_view(compression) noexcept;  ///< as in the file; "other" for what has no name here

/// A set of compressions, for `open_options::codecs`: `{compression::szip, compression::zstd}`.
class codec_set {
 public:
  constexpr codec_set() noexcept = default;  ///< none of them
  constexpr codec_set(std::initializer_list<compression> list) noexcept {
    for (const compression each : list) insert(each);
  }
  static constexpr codec_set all() noexcept {
    codec_set out;
    out.bits_ = UINT16_MAX;
    return out;
  }

  constexpr bool contains(compression which) const noexcept { return (bits_ >> static_cast<unsigned>(which) & 1) != 0; }
  constexpr void insert(compression which) noexcept { bits_ |= bit(which); }
  constexpr void erase(compression which) noexcept { bits_ &= static_cast<std::uint16_t>(~bit(which)); }
  friend constexpr bool operator==(codec_set, codec_set) noexcept = default;

 private:
  static constexpr std::uint16_t bit(compression which) noexcept {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(which));
  }
  std::uint16_t bits_ = 0;
};

/// A compression that the specification names, and what it is here. All text is static.
struct codec_info {
  tgmap::compression compression = tgmap::compression::none;
  std::string_view name{};      ///< as in descriptors: "szip"
  std::string_view library{};   ///< whose code it is: "libaec"; empty: the library's own
  std::string_view version{};   ///< of that library, as it tells it at run time; empty where it tells none
  std::string_view option{};    ///< of CMake, which brings it: "TGMAP_SZIP"; empty: always there
  std::string_view used_for{};  ///< in a few words
  bool is_available = false;    ///< whether this build can undo it; if not, using it is `errc::codec_absent`
};

/// Every compression but none, in the order of the specification, built in or not. No allocation, any thread.
TGMAP_API std::span<const codec_info> codecs() noexcept;

/// The facts of one; nothing for `none` and `other`.
TGMAP_API const codec_info* find_codec(compression) noexcept;

}  // namespace v0
}  // namespace tgmap
