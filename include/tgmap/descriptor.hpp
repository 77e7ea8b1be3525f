// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tgmap/codecs.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/options.hpp>
#include <tgmap/value.hpp>

namespace tgmap {
inline namespace v0 {

enum class byte_order : std::uint8_t { little, big };
enum class encoding : std::uint8_t { none, simple_packing, other };
enum class filter : std::uint8_t { none, shuffle, other };
enum class mask_kind : std::uint8_t { nan, positive_infinity, negative_infinity };

TGMAP_API std::string_view name(byte_order) noexcept;
TGMAP_API std::string_view name(mask_kind) noexcept;  ///< as in the file: "nan", "inf+", "inf-"

/// A short name copied out of the file, at most 31 bytes; unescaped: may hold anything.
class short_name {
 public:
  short_name() noexcept = default;
  explicit short_name(std::string_view text) noexcept
      : size_(static_cast<std::uint8_t>(std::min(text.size(), capacity))) {
    std::copy_n(text.data(), size_, data_.data());
  }
  std::string_view view() const noexcept TGMAP_LIFETIMEBOUND { return {data_.data(), size_}; }

  static constexpr std::size_t capacity = 31;

 private:
  std::array<char, capacity> data_{};
  std::uint8_t size_ = 0;
};

/// Where a NaN or infinity mask lies (§6.2).
struct mask {
  mask_kind kind = mask_kind::nan;
  short_name method{};       ///< "none", "rle", "roaring", "lz4", "zstd", "blosc2"
  std::uint64_t offset = 0;  ///< from the start of the payload region
  std::uint64_t length = 0;
};

/// What the bytes of an object are (§6.1), parsed. Trivially copyable; text and keys stay in the archive.
struct descriptor {
  tgmap::dtype dtype = dtype::uint8;
  tgmap::byte_order byte_order = byte_order::little;  ///< of the raw payload; little when not stated
  bool byte_order_stated = false;
  tgmap::encoding encoding = encoding::none;
  tgmap::filter filter = filter::none;
  tgmap::compression compression = compression::none;
  short_name encoding_name{};  ///< as written, also for names this library does not know
  short_name filter_name{};
  short_name compression_name{};

  std::uint64_t ndim = 0;      ///< as stated; `shape().size()` is what counts
  std::uint64_t elements = 1;  ///< product of the shape; 1 for a scalar

  std::size_t mask_count = 0;
  std::array<mask, 3> mask_list{};

  value type{};     ///< text, "ntensor" by convention
  value entries{};  ///< the whole map: every key, codec parameters included: `entries.find("zstd_level")`

  std::size_t rank = 0;
  std::size_t stride_count = 0;
  std::array<std::uint64_t, max_rank> shape_values{};
  std::array<std::uint64_t, max_rank> stride_values{};

  /// Extents, slowest first. Empty: a scalar.
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND { return {shape_values.data(), rank}; }
  /// Strides in elements as stated; files exist where their number is not the rank.
  std::span<const std::uint64_t> strides() const noexcept TGMAP_LIFETIMEBOUND {
    return {stride_values.data(), stride_count};
  }
  std::span<const mask> masks() const noexcept TGMAP_LIFETIMEBOUND { return {mask_list.data(), mask_count}; }

  /// Nothing has to be undone to reach the elements: no encoding, filter, compression or mask.
  bool plain() const noexcept {
    return encoding == encoding::none && filter == filter::none && compression == compression::none && mask_count == 0;
  }
};

}  // namespace v0
}  // namespace tgmap
