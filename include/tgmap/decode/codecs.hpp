// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// Compression of a payload. Masks use some of these too.
/// Spec: §7.3, §6.2.
enum class compression : std::uint8_t { none, szip, zstd, lz4, blosc2, zfp, sz3, rle, roaring, other };

/// Returns the name as in descriptors: "szip"; "other" for a compression without a name here.
TGMAP_API std::string_view to_string_view(compression) noexcept;

/// A `codec_set` is a set of compressions, for `open_options::codecs`: `{compression::szip, compression::zstd}`.
class codec_set {
 public:
  constexpr codec_set() noexcept = default;  ///< the empty set
  constexpr codec_set(std::initializer_list<compression> list) noexcept {
    for (const compression each : list) insert(each);
  }

  /// Returns the set of all compressions.
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

/// A `codec_info` describes a compression of the specification and its support in this build. All text is static.
struct codec_info {
  tgmap::compression compression = tgmap::compression::none;
  std::string_view name{};      ///< as in descriptors: "szip"
  std::string_view library{};   ///< library that does the work: "libaec"; empty if it is this one
  std::string_view version{};   ///< version of that library at run time; empty if it reports none, or is not installed
  std::string_view option{};    ///< CMake option that builds it in: "TGMAP_SZIP"; empty if it is always built in
  std::string_view used_for{};  ///< its use in a few words
  bool is_available = false;    ///< built in, and its library is installed; otherwise its use is `errc::codec_absent`
};

/// Returns every compression except `none`, in the order of the specification, built in or not.
/// Complexity: no allocation.
/// Thread safety: any thread.
TGMAP_API std::span<const codec_info> codecs() noexcept;

/// Returns the description of one compression; null for `none` and `other`.
TGMAP_API const codec_info* find_codec(compression) noexcept;

}  // namespace v0
}  // namespace tgmap
