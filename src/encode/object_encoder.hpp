// SPDX-License-Identifier: Apache-2.0
// Takes the elements of one object through its pipeline (§7): gathered, checked, masked, encoded, filtered, compressed.
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

/// A mask as it is stored.
struct encoded_mask {
  mask_kind kind = mask_kind::nan;
  mask_method method = mask_method::none;
  std::span<const std::byte> blob{};
};

/// What became of the elements. Spans are of the caller's data, or of the encoder that made them.
struct encoded_object {
  std::span<const std::byte> payload{};
  byte_order order = native_byte_order;  ///< in which the elements are stored
  std::array<encoded_mask, 3> masks{};
  std::size_t mask_count = 0;
  codec::packing_parameters packing{};         ///< those in effect, with simple_packing
  std::size_t shuffle_size = 0;                ///< 0: not shuffled
  std::vector<std::uint64_t> block_offsets{};  ///< of szip
  bool borrowed = false;                       ///< the payload is the caller's data as it lies, without masks
  /// It is borrowed, and nobody has looked for NaN and infinities yet: whoever reads it next does, with
  /// find_non_finite, so that the bytes come by once.
  bool unchecked = false;

  /// Nothing yet; keeps memory.
  void clear() noexcept;
};

struct object_plan;
struct packing_plan;

/// Works on one object after another and keeps its memory; what it gave is valid until its next call. Stages take turns
/// with two buffers: never more is held than what goes into one and what comes out of it, and what masks take.
class object_encoder {
 public:
  /// Errors: those of writer::write that concern one tensor. `version`: of the wire format; masks, rle and roaring need
  /// version 3. Reads each byte of the data a small constant number of times.
  failure encode(const new_object&, int version, encoded_object& out) noexcept;

  void trim() noexcept;  ///< gives memory back that is too large to be kept

 private:
  /// Puts the elements in C order and in that byte order; where they are that already, they are the caller's own bytes.
  failure gather_elements(const new_object&, const object_plan&, byte_order, std::span<const std::byte>& out) noexcept;

  /// Refuses NaN and infinities, or leaves masks of them in `out` and zeros among the elements.
  failure mask_missing(const new_object&, const packing_plan&, byte_order, std::span<const std::byte>& elements,
                       encoded_object& out) noexcept;

  /// From elements to the payload, where anything is done to them.
  failure run_stages(const new_object&, std::uint64_t count, const packing_plan&, byte_order,
                     std::span<const std::byte> elements, encoded_object& out) noexcept;

  /// For the next stage: not the one that holds what the last one made.
  core::scratch& next_buffer() noexcept { return buffers_[turn_ = 1 - turn_]; }

  std::array<core::scratch, 2> buffers_{};
  std::size_t turn_ = 0;
  core::scratch marks_{};
  std::array<core::scratch, 4> masks_{};
};

/// Shape, strides, sizes and pipeline make sense together: everything that can be known without reading an element.
failure check_object(const new_object&, int version, std::uint64_t& elements, std::uint64_t& bytes) noexcept;

/// Looks for what `unchecked` leaves to be looked for: the number of the first NaN or infinity.
using codec::find_non_finite;

}  // namespace tgmap::encode
