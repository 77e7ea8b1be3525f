// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/array_view.hpp>
#include <tgmap/slab.hpp>

namespace tgmap {
inline namespace v0 {

class executor;

/// In which byte order elements come out.
enum class output_byte_order : std::uint8_t {
  native,     ///< this machine's
  stored,  ///< the descriptor's
};

/// How an object is decoded. Aggregate: `{.missing = false}`.
struct decode_options {
  output_byte_order byte_order = output_byte_order::native;

  /// Whether NaN and infinities that masks tell of are put back (§6.2); without, such elements are what was stored in
  /// their place, mostly 0.
  bool restore_missing = true;

  /// As for `object::view`: strides of the descriptor that say how the dense payload is to be read are kept.
  stride_policy strides = stride_policy::apply;

  /// Whose threads decode one object, where its pipeline allows: bare and packed payloads, szip with block offsets,
  /// blosc2, zfp of fixed rate; everything else takes one. Null: the calling thread alone. Small objects never take
  /// more than one. The answer is the same with any number.
  executor* executor = nullptr;

  /// Of parts: bytes between two wanted places that are read along with them rather than skipped. Default: 16 KiB, what
  /// comes in the time of one more read.
  std::uint64_t coalesce_bytes = 16384;
};

}  // namespace v0
}  // namespace tgmap
