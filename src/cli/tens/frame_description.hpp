// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/tens.hpp>
#include <vector>

#include "cli/tens/frame_input.hpp"

namespace tgmap::cli {

/// What is to be told of a frame, whatever form it is told in.
struct frame_description {
  /// Something that makes no sense: the label, or what it says of one tensor.
  struct fault {
    std::optional<std::size_t> tensor;
    failure why;  ///< its offset is the byte of the frame
    std::string text() const;
  };
  /// `order` and `ascend` of a tensor as they lie; null: not given.
  struct arrangement {
    cbor_value order{}, ascend{};
  };

  explicit frame_description(const frame_input&);

  /// The part that a tensor is said to lie in; nothing: there is no such part.
  std::optional<std::span<const std::byte>> part_of(const zio::tensor_view&) const;

  const frame_input& from;
  zio::tens tensors{};
  std::vector<arrangement> arrangements{};           ///< of each tensor
  std::vector<std::vector<std::size_t>> tensors_in;  ///< of each part
  std::vector<fault> faults{};
};

}  // namespace tgmap::cli
