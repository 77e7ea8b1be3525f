// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/archive.hpp>
#include <tgmap/bridge/errc.hpp>
#include <tgmap/write/sink.hpp>

namespace tgmap {
inline namespace v0 {
namespace bridge {

/// A `written_grib_message` is a GRIB message that an export wrote.
struct written_grib_message {
  std::uint64_t offset = 0;  ///< counted from the first byte that the export wrote
  std::uint64_t bytes = 0;
  std::size_t objects = 0;  ///< number of its fields: the oldest objects that were not written yet
};

/// A `grib_exporter` writes objects that import_grib() made as the GRIB messages that they were.
///
/// A message has the bytes of the original. If an import left out `grib_data`, the data section may be another one with
/// the same values. A data section in `grib_data` is written as it is: values that were changed since are ignored.
/// After an error of the sink, only destroy the exporter. Fields of one GRIB message become one message again
/// if they are added in their order, one after the other; otherwise each becomes a message of its own. Memory: one
/// object, its message, and one stage between them; fields of a message until the last one is added. Thread safety: one
/// thread at a time.
class TGMAP_API grib_exporter {
 public:
  /// Lifetime: the sink must outlive the exporter. Errors: out_of_memory; the first form throws std::bad_alloc.
  explicit grib_exporter(sink&);
  grib_exporter(sink&, failure&) noexcept;
  ~grib_exporter();
  grib_exporter(grib_exporter&&) noexcept;
  grib_exporter& operator=(grib_exporter&&) noexcept;

  /// Adds object `j` of a message. Writes a GRIB message if it has all its fields now.
  ///
  /// The stored bytes are copied by positioned reads. Keys of the object, which may have been edited, are compared with
  /// a hash that the import wrote. After an error the object is not added, and the next one may be.
  /// Errors: keys_edited, no_sections, bad_sections, packing_changed, values_changed, shape_changed; those of
  /// message::at, message::base, object::descriptor, object::decode and archive::read; those of the sink;
  /// out_of_memory; call_out_of_order (it was moved from).
  /// Complexity: linear in the bytes; ccsds of other widths than 8, 16, 24 and 32 bits, and complex packing, are packed
  /// again.
  void add(const archive&, const message&, std::size_t j);
  void add(const archive&, const message&, std::size_t j, failure&) noexcept;

  /// Ends the export: fields whose message lacks others become messages of their own.
  /// Errors: those of the sink; out_of_memory; call_out_of_order (it was moved from).
  void finish();
  void finish(failure&) noexcept;

  /// Returns the messages that the last call wrote. Lifetime: until the next call that is not const.
  std::span<const written_grib_message> written() const noexcept TGMAP_LIFETIMEBOUND;

  /// Returns the number of objects that are messages of their own, because other fields of their message did not come.
  std::uint64_t split_fields() const noexcept;

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
