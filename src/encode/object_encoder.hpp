// SPDX-License-Identifier: Apache-2.0
// Encodes the elements of one object by its pipeline (§7): gather, check, mask, encode, filter, compress.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "codec/masks/non_finite.hpp"
#include "codec/packing/packing_parameters.hpp"
#include "core/memory.hpp"

namespace tgmap::encode {

/// An `encoded_mask` is a mask as it is stored.
struct encoded_mask {
  mask_kind kind = mask_kind::nan;
  mask_method method = mask_method::none;
  std::span<const std::byte> blob{};
};

/// An `encoded_object` is an encoded payload with its masks. Spans refer to the caller's data or to the encoder.
struct encoded_object {
  std::span<const std::byte> payload{};
  byte_order order = native_byte_order;  ///< of the stored elements
  std::array<encoded_mask, 3> masks{};
  std::size_t mask_count = 0;
  codec::packing_parameters packing{};  ///< in effect, with simple_packing
  std::size_t shuffle_size = 0;         ///< 0: not shuffled
  /// That of the pipeline; none if there are no bytes, and the codec has no stream for them.
  tgmap::compression compression = tgmap::compression::none;
  std::vector<std::uint64_t> block_offsets{};  ///< of szip
  bool borrowed = false;                       ///< the payload is the caller's data, without masks
  /// The payload is borrowed and not yet checked for NaN and infinities. The next reader must call find_non_finite, so
  /// that the bytes are read only once.
  bool unchecked = false;

  /// Resets the members and keeps memory.
  void clear() noexcept;
};

struct object_plan;
struct packing_plan;

/// An `object_encoder` encodes objects one after another and keeps its memory. A result is valid until the next call.
/// Stages alternate between two buffers: memory holds the input and output of one stage, and masks.
class object_encoder {
 public:
  /// Encodes an object. `version` is that of the wire format; masks, rle and roaring need version 3. Reads each byte a
  /// small constant number of times. Errors: those of writer::write for one tensor.
  failure encode(const new_object&, int version, encoded_object& out) noexcept;

  void trim() noexcept;  ///< frees memory that is too large to be kept

 private:
  /// Copies elements into C order and a byte order. Returns the caller's bytes if they have both already.
  failure gather_elements(const new_object&, const object_plan&, byte_order, std::span<const std::byte>& out) noexcept;

  /// Rejects NaN and infinities, or writes their masks to `out` and replaces them by zeros.
  failure mask_missing(const new_object&, const packing_plan&, byte_order, std::span<const std::byte>& elements,
                       encoded_object& out) noexcept;

  /// Encodes, filters and compresses elements.
  failure run_stages(const new_object&, std::uint64_t count, const packing_plan&, byte_order,
                     std::span<const std::byte> elements, encoded_object& out) noexcept;

  /// Returns the buffer that does not hold the output of the last stage.
  core::scratch& next_buffer() noexcept { return buffers_[current_buffer_ = 1 - current_buffer_]; }

  std::array<core::scratch, 2> buffers_{};
  std::size_t current_buffer_ = 0;
  core::scratch marks_{};
  std::array<core::scratch, 4> masks_{};
};

/// Checks shape, strides, sizes and pipeline: everything that can be checked without reading an element.
failure check_object(const new_object&, int version, std::uint64_t& elements, std::uint64_t& bytes) noexcept;

/// Checks a payload that is `unchecked`: returns the index of the first NaN or infinity.
using codec::find_non_finite;

}  // namespace tgmap::encode
