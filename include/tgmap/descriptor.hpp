// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/detail/dimensions.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// The byte order of a payload.
enum class byte_order : std::uint8_t { little, big };
/// The byte order of this machine.
inline constexpr byte_order native_byte_order =
    std::endian::native == std::endian::little ? byte_order::little : byte_order::big;
/// The encoding of a payload. `other` is a name that this library does not know.
enum class encoding : std::uint8_t { none, simple_packing, other };
/// The filter of a payload. `other` is a name that this library does not know.
enum class filter : std::uint8_t { none, shuffle, other };
/// The values that a mask stands for.
enum class mask_kind : std::uint8_t { nan, positive_infinity, negative_infinity };

TGMAP_API std::string_view to_string_view(byte_order) noexcept;  ///< "little", "big"
TGMAP_API std::string_view to_string_view(mask_kind) noexcept;   ///< as in the file: "nan", "inf+", "inf-"

/// A `short_name` is a name copied out of the file, at most 23 bytes. It is not escaped and may hold any bytes.
class short_name {
 public:
  short_name() noexcept = default;
  explicit short_name(std::string_view text) noexcept
      : size_(static_cast<std::uint8_t>(std::min(text.size(), capacity))) {
    std::copy_n(text.data(), size_, data_.data());
  }
  std::string_view view() const noexcept TGMAP_LIFETIMEBOUND { return {data_.data(), size_}; }

  static constexpr std::size_t capacity = 23;

 private:
  std::array<char, capacity> data_{};
  std::uint8_t size_ = 0;
};

/// A `mask` says where a mask of NaN or infinities is stored.
/// Spec: §6.2.
struct mask {
  mask_kind kind = mask_kind::nan;
  short_name method{};       ///< "none", "rle", "roaring", "lz4", "zstd", "blosc2"
  std::uint64_t offset = 0;  ///< from the start of the payload
  std::uint64_t length = 0;
};

/// A `descriptor` is the parsed description of an object: the type and shape of its elements and its pipeline.
///
/// Text and keys stay in the archive. The structure takes 384 bytes. Shape and strides of up to 6 dimensions are
/// inside; for more dimensions, copies share one block of memory. Copying never fails.
/// Lifetime: text and keys are valid while the archive, or a pin of it, lives.
/// Spec: §6.1.
struct descriptor {
  tgmap::dtype dtype = dtype::uint8;
  tgmap::byte_order byte_order = byte_order::little;  ///< of the payload; little if it is not stated
  bool has_byte_order = false;                        ///< the descriptor states the byte order
  tgmap::encoding encoding = encoding::none;
  tgmap::filter filter = filter::none;
  tgmap::compression compression = compression::none;
  short_name encoding_name{};  ///< as written, also if this library does not know the name
  short_name filter_name{};
  short_name compression_name{};

  std::uint64_t ndim = 0;           ///< as stated; `shape().size()` is the real number
  std::uint64_t element_count = 1;  ///< product of the shape; 1 for a scalar

  std::size_t mask_count = 0;
  std::array<mask, 3> mask_list{};

  cbor_view type{};     ///< a text, "ntensor" by convention
  cbor_view entries{};  ///< the whole map with all keys and codec parameters: `entries.find("zstd_level")`

  detail::dimensions dimensions{};  ///< storage of the members below

  /// Returns the number of extents.
  std::size_t rank() const noexcept { return dimensions.rank(); }
  /// Returns the extents, slowest first. Empty for a scalar.
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND { return dimensions.shape(); }
  /// Returns the strides as stated: in elements, but in bytes in some files, and in some their number is not the rank.
  /// Views and tensors have those that apply, in elements; see dense_strides(). A stride above INT64_MAX, which no
  /// tensor can have, is INT64_MAX here.
  std::span<const std::int64_t> strides() const noexcept TGMAP_LIFETIMEBOUND { return dimensions.strides(); }
  /// Returns the masks in the order of `mask_list`.
  std::span<const mask> masks() const noexcept TGMAP_LIFETIMEBOUND { return {mask_list.data(), mask_count}; }

  /// Returns whether the payload holds the elements themselves: no encoding, filter, compression or mask.
  bool is_plain() const noexcept {
    return encoding == encoding::none && filter == filter::none && compression == compression::none && mask_count == 0;
  }
};
static_assert(sizeof(descriptor) <= 384);

class object;

/// Returns the descriptor of an object with a copy of its bytes, so that `type` and `entries` neither change nor
/// disappear with the file.
/// Errors: those of object::descriptor. Complexity: O(bytes of the descriptor).
/// Lifetime: independent of the archive.
TGMAP_API std::shared_ptr<const descriptor> shared_descriptor(const object&);
TGMAP_API std::shared_ptr<const descriptor> shared_descriptor(const object&, failure&) noexcept;

}  // namespace v0
}  // namespace tgmap
