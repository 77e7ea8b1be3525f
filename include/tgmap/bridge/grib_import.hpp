// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/bridge/errc.hpp>
#include <tgmap/bridge/grib_input.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace bridge {

/// Options of import_grib(). Aggregate: `{.merge = {"param"}}`.
struct grib_import_options {
  /// Keys of ecCodes' namespace `mars`, such as "number" or "step". Fields that differ only in these keys become the
  /// objects of one message, at the place of the first. Inputs are read again then: a message of several fields once
  /// for each group that has one of them. Default: none, one message a field.
  std::vector<std::string> merge{};

  /// Namespaces of ecCodes that are stored as `grib.NAME`: "ls", "geography", "time", "vertical", "parameter".
  /// Default: none.
  std::vector<std::string> namespaces{};

  /// Keeps the data section of a field, as the byte string `grib_data`, if it cannot be made from the object again.
  /// Default: true, so that `grib_exporter` gives the same bytes for each field.
  bool keep_original = true;

  /// Rebuilds each field as GRIB, and compares the bytes, before it is written. Default: true.
  bool check = true;

  /// Compares each decoded object with the values that ecCodes decodes. A field whose float64 values differ is not
  /// written, with `errc::inexact_values`. Default: false, since it takes as long as decoding.
  bool exact = false;

  /// Longer messages are skipped, as message_too_large. Default: 2 GiB, since a message is held in memory.
  std::uint64_t max_message_bytes = std::uint64_t{1} << 31U;

  /// Bytes of messages that are read, converted and written at one time; a longer message takes what it needs.
  /// Default: 16 MiB.
  std::uint64_t batch_bytes = std::uint64_t{16} << 20U;

  /// Converts the fields. Default: null, for shared_executor().
  executor* workers = nullptr;
};

/// A `grib_field_report` says what became of one field, or of a message that could not be read.
/// Lifetime: until the call that gets it returns.
struct grib_field_report {
  std::size_t input = 0;     ///< number of the input
  std::uint64_t offset = 0;  ///< of the GRIB message in its input
  unsigned edition = 0;      ///< 1 or 2; 0 for a message that could not be read
  std::size_t field = 0;     ///< number of the field in its GRIB message
  std::size_t fields = 0;    ///< fields of that message; 0 if it could not be read

  /// Why the field was not written. Empty: it was written.
  failure why{};

  std::uint64_t message = 0;    ///< number of the message that was written
  std::size_t object = 0;       ///< number of the object in it
  std::string_view method{};    ///< "carried", "reencoded" or "decoded"
  std::string_view reason{};    ///< why it was not carried, such as "sample_width"; empty for "carried"
  bool has_original = false;    ///< `grib_data` keeps the data section
  std::uint64_t bytes_in = 0;   ///< of the sections of this field alone
  std::uint64_t bytes_out = 0;  ///< of the payload and masks of its object
  cbor_view keys{};             ///< metadata of the object
};

/// A `grib_import_observer` learns what an import does. Its functions are called one at a time, in the order of the
/// output, but from any thread. An exception from them ends the import; import_grib() throws it, also in its forms with
/// `failure&`.
class TGMAP_API grib_import_observer {
 public:
  grib_import_observer() noexcept = default;
  grib_import_observer(const grib_import_observer&) = delete;
  grib_import_observer& operator=(const grib_import_observer&) = delete;
  virtual ~grib_import_observer();

  /// Called for each field after it was written, and for each field or message that could not be read.
  virtual void field(const grib_field_report&);
  /// Called for bytes of an input that belong to no message.
  virtual void skipped(std::size_t input, std::uint64_t offset, std::uint64_t size);
  /// Called if an input could not be read to its end.
  virtual void input_failed(std::size_t input, const failure&);
  /// Called now and then with the number of bytes that were read and converted.
  virtual void progress(std::uint64_t bytes);
};

/// A `grib_import_result` counts what import_grib() has read and written.
struct grib_import_result {
  std::uint64_t fields = 0;         ///< that were written
  std::uint64_t failed_fields = 0;  ///< that were not, or messages that could not be read
  std::uint64_t failed_inputs = 0;
  std::uint64_t bytes_in = 0;       ///< of all inputs
  std::uint64_t skipped_bytes = 0;  ///< that belong to no message
  std::uint64_t key_calls = 0;      ///< different sets of sections, of which ecCodes gave the keys
};

/// Writes the fields of GRIB messages to an archive, in the order of the inputs.
///
/// GRIB of editions 1 and 2 is found between any other bytes. Packed values and bitmaps stay as they are where an
/// archive can hold them; docs/command_line.md lists what is encoded again, and what ecCodes decodes. Each object has
/// the keys that ecCodes gives, as `mars` and `name`, and `grib_sections`, from which `grib_exporter` makes the same
/// GRIB message. A field that cannot be read is reported and left out. Memory: about six times `batch_bytes`; with
/// `merge` the fields of one message, and a hundred bytes for each field. Thread safety: calls with different inputs,
/// writers and observers may run at the same time. Errors: those of writer::write; invalid_option (an unknown
/// namespace); eccodes_absent; out_of_memory.
TGMAP_API grib_import_result import_grib(std::span<grib_input* const>, writer&, const grib_import_options& = {});
TGMAP_API grib_import_result import_grib(std::span<grib_input* const>, writer&, const grib_import_options&,
                                         grib_import_observer&);
TGMAP_API grib_import_result import_grib(std::span<grib_input* const>, writer&, failure&);
TGMAP_API grib_import_result import_grib(std::span<grib_input* const>, writer&, const grib_import_options&, failure&);
TGMAP_API grib_import_result import_grib(std::span<grib_input* const>, writer&, const grib_import_options&,
                                         grib_import_observer&, failure&);

}  // namespace bridge
}  // namespace v0
}  // namespace tgmap
