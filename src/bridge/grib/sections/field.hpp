// SPDX-License-Identifier: Apache-2.0
// Fields of a GRIB message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/bridge/errc.hpp>

namespace tgmap::bridge::grib {

using byte_view = std::span<const std::byte>;

/// A `field` is one field of a GRIB message: views of its sections, whose lengths were checked.
/// Lifetime: borrows the message.
struct field {
  unsigned edition = 0;      ///< 1 or 2
  byte_view message{};       ///< whole, from "GRIB" to "7777"
  std::uint64_t offset = 0;  ///< of the message in its input
  std::size_t number = 0;    ///< of this field in its message
  std::size_t fields = 1;    ///< fields of the message
  /// Sections by their numbers in GRIB 2: 0 indicator, 1 identification, 2 local, 3 grid, 4 product, 5 representation,
  /// 6 bitmap, 7 data, 8 end. GRIB 1 has 0 indicator, 1 product, 2 grid, 3 bitmap, 4 data, 5 end. Absent: empty.
  std::array<byte_view, 9> sections{};
  /// The first section that belongs to this field alone: 2, 3 or 4 if the message has an earlier field; 0 for the
  /// first.
  unsigned first_section = 0;
  /// Section 6 with the bitmap that this field uses: its own, or that of an earlier field. Empty: none.
  byte_view bitmap_section{};
};

/// A `field_reader` gives the fields of a message one after the other.
///
/// The constructor walks through all sections, so that a damaged message gives an error before its first field. `next`
/// checks the lengths again, since the bytes of a mapping may have changed; views never leave the message.
/// Lifetime: borrows the message.
/// Complexity: linear in the number of sections; reads only their first bytes.
class field_reader {
 public:
  /// Reads the fields of `message`, whole from "GRIB" to "7777", which begins at `offset` of its input.
  /// Errors: bad_indicator, message_truncated, section_too_long, section_too_short, section_order, unclaimed_bytes,
  /// no_end_marker, no_bitmap; `failure::offset` is that of the section in the input.
  field_reader(byte_view message, std::uint64_t offset, failure& why) noexcept;

  std::size_t size() const noexcept { return fields_; }  ///< number of fields; 0 after an error

  /// Fills `out` with the next field. Returns false after the last one, and on an error.
  /// Errors: those of the constructor, if the bytes have changed.
  bool next(field& out, failure& why) noexcept;

 private:
  bool next_of_edition_1(failure& why) noexcept;
  bool next_of_edition_2(failure& why) noexcept;
  bool take_section(unsigned number, std::size_t length, std::size_t min_length, failure& why) noexcept;

  field last_{};                // the field before the next one
  byte_view earlier_bitmap_{};  // the last section 6 with a bitmap of its own
  std::size_t fields_ = 0;
  std::size_t position_ = 0;  // of the first section that belongs to the next field alone
  std::size_t number_ = 0;    // of the next field
};

}  // namespace tgmap::bridge::grib
