// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/tens.hpp>
#include <vector>

#include "cli/verbs/tens/frame_file.hpp"

namespace tgmap::cli {

/// A `frame_description` has everything that `tens show` prints about a frame.
struct frame_description {
  /// An error in the label, or in its description of one tensor.
  struct fault {
    std::optional<std::size_t> tensor;
    failure why;  ///< `offset` is a position in the frame
    std::string text() const;
  };
  /// `order` and `ascend` of a tensor as the label has them; null if absent.
  struct element_order {
    cbor_value order{}, ascend{};
  };

  explicit frame_description(const frame_file&);

  /// Returns the part that holds a tensor, or nothing if the label names a part that does not exist.
  std::optional<std::span<const std::byte>> part_of(const zio::tensor_view&) const;

  const frame_file& from;
  zio::tens tensors{};
  std::vector<element_order> orders{};               ///< of each tensor
  std::vector<std::vector<std::size_t>> tensors_in;  ///< of each part
  std::vector<fault> faults{};                       ///< those of the label first, then by tensor
};

}  // namespace tgmap::cli
