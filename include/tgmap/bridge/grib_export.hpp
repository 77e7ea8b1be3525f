// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tgmap/archive.hpp>
#include <tgmap/bridge/errc.hpp>
#include <tgmap/write/sink.hpp>

namespace tgmap {
inline namespace v0 {
namespace bridge {

/// A `grib_exporter` writes objects that import_grib() made as the GRIB messages that they were.
///
/// A message has the bytes of the original, unless its object says less: without `grib_data`, which an import may leave
/// out, the data section may be another one with the same values. Fields of one GRIB message become one message again if
/// they are added in their order.
/// Memory: one object, its message, and one stage between them; fields of a message until the last one is added.
/// Thread safety: one thread at a time.
class TGMAP_API grib_exporter {
 public:
  /// Lifetime: the sink must outlive the exporter. Errors: out_of_memory.
  explicit grib_exporter(sink&);
  grib_exporter(sink&, failure&) noexcept;
  ~grib_exporter();
  grib_exporter(grib_exporter&&) noexcept;
  grib_exporter& operator=(grib_exporter&&) noexcept;

  /// Adds object `j` of a message. Writes a GRIB message if it has all its fields now.
  ///
  /// The stored bytes are copied by positioned reads. Keys of the object, which may have been edited, are compared with
  /// a hash that the import wrote. After an error the object is not added, and the next one may be.
  /// Errors: keys_edited, no_sections, bad_sections, packing_changed, values_changed, shape_changed, fields_missing; those
  /// of message::at, message::base, object::descriptor, object::decode and archive::read; those of the sink.
  /// Complexity: linear in the bytes; ccsds of other widths than 8, 16, 24 and 32 bits, and complex packing, are packed
  /// again.
  void add(const archive&, const message&, std::size_t j);
  void add(const archive&, const message&, std::size_t j, failure&) noexcept;

  /// Ends the export. Errors: fields_missing, if a message lacks its last fields.
  void finish();
  void finish(failure&) noexcept;

  std::uint64_t messages() const noexcept;       ///< GRIB messages written
  std::uint64_t objects() const noexcept;        ///< objects in them
  std::uint64_t bytes_written() const noexcept;  ///< bytes of these messages

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace bridge
}  // namespace v0
}  // namespace tgmap
