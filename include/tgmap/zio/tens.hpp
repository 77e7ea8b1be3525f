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

/// Maximum number of tensors in one message.
inline constexpr std::size_t max_tensors = 65536;

/// A `tensor_view` is one tensor of a TENS label and the bytes of its elements.
///
/// If `fault` is set, the elements cannot be used, and the other members hold only what could be read. Otherwise every
/// element that shape, strides and `data_offset` reach lies in `bytes`.
/// Lifetime: borrows the payload of the message.
class TGMAP_API tensor_view {
 public:
  failure fault{};                     ///< why the tensor cannot be used; `object` is its index
  std::string kind{};                  ///< `dtype` in the label: "f", "i", "u", "b", "c" or another text
  std::uint64_t word = 0;              ///< bytes of one element
  std::size_t part = 0;                ///< index of the payload part
  std::span<const std::byte> bytes{};  ///< the bytes of that part
  std::uint64_t data_offset = 0;       ///< position of the element at indices 0, in elements
  bool is_reordered = false;           ///< `order` or `ascend` state another order than C order
  cbor_value metadata{};               ///< a map by convention; null if absent

  /// Returns the extents, the slowest dimension first. Empty for a scalar.
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND { return {shape_.data(), rank_}; }
  /// Returns the strides in elements. They are negative along a dimension that is stored in descending order.
  std::span<const std::int64_t> strides() const noexcept TGMAP_LIFETIMEBOUND { return {strides_.data(), rank_}; }

  /// Returns the dtype of the elements. Returns nothing if Tensogram has no such type: bool, long double, complex long
  /// double, unknown letters.
  std::optional<tgmap::dtype> dtype() const noexcept;

  /// Returns a view of the elements in place, without a copy.
  /// Errors: `fault`; dtype_mismatch; misaligned (parts of a single frame are rarely aligned); foreign_byte_order (this
  /// machine is big-endian).
  /// Lifetime: borrows the payload of the message.
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

/// A `tens` is the list of tensors that the label of a message describes.
///
/// Any label with a TENS object counts, whatever the form of the message. An error in one tensor becomes the `fault` of
/// that tensor, not an error of the whole.
/// Lifetime: borrows the payload of the message; owns everything else.
class TGMAP_API tens {
 public:
  tens() noexcept = default;

  /// Reads the tensors of a message.
  /// Errors: bad_label, label_too_deep (only in the forms TENS and FLOW; in others such a label has no tensors),
  /// bad_tens (`TENS` is not an object, or `tensors` is not a list), object_limit (more than `max_tensors`),
  /// out_of_memory.
  /// Complexity: O(label).
  static tens of(const message&);
  static tens of(const message&, failure&) noexcept;
  /// Reads into this object and reuses its memory. Errors as above.
  void read(const message&, failure&) noexcept;

  /// Returns true if the label has a TENS object.
  bool is_present() const noexcept { return present_; }
  /// Returns the tensors in the order of the label, also those with a fault.
  std::span<const tensor_view> tensors() const noexcept TGMAP_LIFETIMEBOUND { return tensors_; }
  /// Returns `metadata` of the message; null if absent.
  const cbor_value& metadata() const noexcept TGMAP_LIFETIMEBOUND { return metadata_; }

 private:
  friend struct tens_access;
  std::vector<tensor_view> tensors_{};
  cbor_value metadata_{};
  bool present_ = false;
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
