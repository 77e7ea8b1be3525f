// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/write/new_message.hpp>
#include <tgmap/write/sink.hpp>

namespace tgmap {
inline namespace v0 {

namespace detail {
struct writer_state;
}

/// A `writer` writes messages one after another, each as a whole: header with index and hashes, objects, postamble.
///
/// Everything is checked before the first byte of a message is written: shapes, sizes, dtypes, keys, and that the
/// pipeline loses nothing that it must keep. Objects without encoding are written from the caller's memory, without a
/// copy.
///
/// Memory: the encoded objects and the metadata of one message. While an object is encoded, also the input of one stage
/// of its pipeline, unless that is `data`, and its output; three bits for each element if masks are made; and what the
/// library of the codec takes. Buffers are kept for the next message, except those of more than 64 MiB.
/// Thread safety: one thread at a time.
/// Spec: §9.1, §9.3, §9.5.
class TGMAP_API writer {
 public:
  /// Creates a writer. Writes nothing yet. Errors: invalid_option.
  /// Lifetime: the sink must outlive the writer.
  explicit writer(sink&, const write_options& = {});
  writer(sink&, failure&) noexcept;
  writer(sink&, const write_options&, failure&) noexcept;
  ~writer();
  writer(writer&&) noexcept;
  writer& operator=(writer&&) noexcept;

  /// Writes one message. If the message itself is at fault, the sink is unchanged and the next message may be written.
  /// After an error of the sink the writer accepts nothing more. The same holds if an object comes from an archive that
  /// cannot be read to its end, and the sink cannot roll back.
  /// Errors, for the tensor: payload_size_mismatch, invalid_strides, shape_overflow, too_many_dimensions; those of
  /// validate_pipeline; non_finite, not_representable (expected = elements, found = number of the first bad one).
  /// Errors, for metadata: reserved_key, wrong_kind, cbor_too_deep; bad_descriptor (`type`).
  /// Errors, for stored objects: those of stored_object; unsupported_upgrade (szip of version 2 that readers would
  /// decode differently, because of the encoder that the message names).
  /// Other errors: codec_failed, too_large (from a codec); unsupported_wire_version; out_of_memory; those of the sink;
  /// call_out_of_order (the writer accepts nothing more, its constructor failed, or it was moved from).
  /// `failure::object` is the number of the object at fault.
  /// Complexity: O(bytes).
  void write(const new_message&);
  void write(const new_message&, failure&) noexcept;

  /// Copies a message of an archive byte for byte.
  /// Errors: those of archive::read; incomplete_message; no_archive; call_out_of_order; those of the sink.
  void write(const message&);
  void write(const message&, failure&) noexcept;

  std::uint64_t bytes_written() const noexcept;  ///< bytes given to the sink: where the next message begins
  std::uint64_t messages() const noexcept;       ///< number of messages written

  /// Returns the stored bytes of object `j` of the message written last, payload and masks, to report ratios.
  std::uint64_t stored_bytes(std::size_t j) const noexcept;

 private:
  std::unique_ptr<detail::writer_state> state_;
};

/// Returns one message as bytes. Errors: those of the constructor of writer and of writer::write.
[[nodiscard]] TGMAP_API std::vector<std::byte> to_bytes(const new_message&, const write_options& = {});
[[nodiscard]] TGMAP_API std::vector<std::byte> to_bytes(const new_message&, failure&) noexcept;
[[nodiscard]] TGMAP_API std::vector<std::byte> to_bytes(const new_message&, const write_options&, failure&) noexcept;

}  // namespace v0
}  // namespace tgmap
