// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/tens.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `frame_description` lists the tensors and the parts of a message in a single frame, and what is wrong with them.
/// Lifetime: borrows the payload of the message.
struct frame_description {
  /// The attributes `order` and `ascend` of a tensor as the label has them, valid or not; null if absent.
  struct element_order {
    cbor_value order{}, ascend{};
    bool is_stated() const noexcept { return order != cbor_value() || ascend != cbor_value(); }
  };
  /// A part of the payload.
  struct part {
    std::span<const std::byte> bytes{};
    std::vector<std::size_t> tensors{};  ///< indices of the tensors in it
  };
  /// An error in the label, or in its description of one tensor.
  struct fault {
    std::optional<std::size_t> tensor{};  ///< index of the tensor; nothing for the label
    failure why{};                        ///< `offset` is a position in the frame
  };

  tens tensors{};                       ///< those of the label
  std::vector<element_order> orders{};  ///< of each tensor
  std::vector<part> parts{};            ///< of the payload
  std::vector<fault> faults{};          ///< at most one of the label, which is the first, then by tensor

  /// Returns the part that holds a tensor, or nothing if the label names a part that does not exist.
  std::optional<std::span<const std::byte>> part_of(const tensor_view& tensor) const noexcept {
    return tensor.part < parts.size() ? std::optional(parts[tensor.part].bytes) : std::nullopt;
  }
};

/// Describes a message that `decode` read from `frame`. Errors in the label or in tensors are faults of the
/// description.
/// Errors: out_of_memory.
/// Complexity: O(depth * label + parts) with a depth of at most `max_label_depth`.
/// Thread safety: any thread.
TGMAP_API frame_description describe_frame(const message&, std::span<const std::byte> frame);
TGMAP_API frame_description describe_frame(const message&, std::span<const std::byte> frame, failure&) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
