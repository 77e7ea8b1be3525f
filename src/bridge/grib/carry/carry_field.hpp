// SPDX-License-Identifier: Apache-2.0
// From a field of a GRIB message to an object, without decoding where the packed bytes can stay as they are.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "bridge/grib/carry/carried_field.hpp"
#include "bridge/grib/packing/byte_buffer.hpp"
#include "bridge/grib/sections/field.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// Values that a decoder gave: one for each point.
struct decoded_values {
  std::vector<double> values{};
  std::vector<std::byte> present{};  ///< a set bit for each point with a value; empty: all have one
};

struct carry_options {
  /// Keeps data sections that cannot be made from the values again, as the byte string `grib_data`.
  /// Default: true, so that an export is always identical.
  bool keep_original = true;

  /// Rebuilds each field as GRIB and compares it. Data sections that come out differently are kept, too.
  /// Default: true.
  bool check = true;

  /// Decodes what cannot be carried: jpeg, png, second order and spectral packing. Called by carry_field in its thread.
  /// Default: none, so that such fields are an error (`tgmap::errc::codec_absent`).
  std::function<void(const field&, decoded_values& out, failure&)> decode{};
};

/// A `carry_memory` is memory for intermediate stages, which one thread uses again for the next field.
struct carry_memory {
  byte_buffer integers{}, points{}, stream{}, samples{}, rebuilt{}, mask{};
};

/// Returns a field as an object. Values are never made up: what cannot be stored exactly is an error.
///
/// Simple packing is carried with any width, ccsds with 8, 16, 24 and 32 bits, ieee with 32 and 64. Integers of other
/// widths of ccsds, of complex packing, and beside points without a value are encoded again, with the same reference
/// value and scale factors. All else is decoded.
/// Lifetime: the result borrows the message of the field.
/// Thread safety: any number of threads, each with its own memory.
/// Complexity: linear in the bytes of the field, and in its values unless they are carried.
/// Errors: those of read_bitmap, read_packing and read_grid_shape; padded_stream, expansion_limit, not_identical
/// (without `keep_original`); tgmap::errc::codec_failed, codec_absent, decoded_size_mismatch, out_of_memory; those of
/// `decode`.
carried_field carry_field(const field&, const carry_options&, carry_memory&, failure& why);

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
