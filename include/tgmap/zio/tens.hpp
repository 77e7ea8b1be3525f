// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tgmap/array_view.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/message.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Tensors that one message may tell of.
inline constexpr std::size_t max_tensors = 65536;

/// What a TENS label says of one tensor, and where its elements lie.
///
/// Where `fault` is set its elements cannot be used, and the other members hold what could be read. Otherwise every
/// element that shape, strides and `first` reach lies in `bytes`. Borrows from the payload of the message.
class TGMAP_API tensor_view {
 public:
  failure fault{};                     ///< why it cannot be used; `object` is its number
  std::string kind{};                  ///< `dtype` as it stands: "f", "i", "u", "b", "c", or anything else
  std::uint64_t word = 0;              ///< bytes of an element
  std::size_t part = 0;                ///< number of its payload part
  std::span<const std::byte> bytes{};  ///< the part
  std::uint64_t data_offset = 0;       ///< number of the stored element that is at indices 0
  bool is_reordered = false;           ///< `order` or `ascend` say other than C order
  cbor_value metadata{};               ///< a map by convention; null: none

  /// Extents, slowest first. Empty: a scalar.
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND { return {shape_.data(), rank_}; }
  /// In elements; below 0 along a dimension that is stored descending.
  std::span<const std::int64_t> strides() const noexcept TGMAP_LIFETIMEBOUND { return {strides_.data(), rank_}; }

  /// The dtype of these elements; nothing where Tensogram has none: bool, long double, unknown letters.
  std::optional<tgmap::dtype> dtype() const noexcept;

  /// The elements as `T` where they lie. A part may begin at any address: in a single frame it mostly does.
  /// Errors: `fault`; dtype_mismatch, misaligned, foreign_byte_order (this machine is big-endian).
  template <element T>
  array_view<T> view() const {
    failure why;
    auto out = view<T>(why);
    detail::raise_if(why);
    return out;
  }
  template <element T>
  array_view<T> view(failure& why) const noexcept {
    why = viewable(dtype_of<T>, alignof(T));
    if (why) return {};
    return {reinterpret_cast<const T*>(bytes.data()) + data_offset, shape(), strides(), why};
  }

 private:
  friend class tens;
  friend struct tens_access;
  failure viewable(tgmap::dtype, std::size_t alignment) const noexcept;

  std::size_t rank_ = 0;
  std::array<std::uint64_t, max_rank> shape_{};
  std::array<std::int64_t, max_rank> strides_{};
};

/// The tensors of a message, as its label tells of them: whatever its form, a label that holds a TENS object counts.
///
/// Borrows the payload of the message it was read from; owns the rest. What is wrong with one tensor is that tensor's
/// `fault` and no error here. May be read into again, and then allocates only what is new.
class TGMAP_API tens {
 public:
  tens() noexcept = default;

  /// O(label). Errors: bad_label, label_too_deep (of forms TENS and FLOW; under any other form such a label holds no
  /// tensors), bad_tens (TENS is no object, its tensors no list), object_limit, out_of_memory.
  static tens of(const message&);
  static tens of(const message&, failure&) noexcept;
  void read(const message&, failure&) noexcept;

  bool is_present() const noexcept { return present_; }  ///< the label holds a TENS object
  std::span<const tensor_view> tensors() const noexcept TGMAP_LIFETIMEBOUND { return tensors_; }
  const cbor_value& metadata() const noexcept TGMAP_LIFETIMEBOUND { return metadata_; }  ///< of the message; null: none

 private:
  friend struct tens_access;
  std::vector<tensor_view> tensors_{};
  cbor_value metadata_{};
  bool present_ = false;
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
