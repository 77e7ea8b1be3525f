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

/// Writes messages one after another, each whole: header with index and digests, objects, postamble (§9.1, §9.3).
///
/// Everything is checked before the first byte of a message is put out: shapes, sizes, dtypes, keys, that the pipeline
/// loses nothing it must not lose (§9.5). Objects without encoding are written from the caller's memory, not copied.
/// One thread at a time.
///
/// Memory: what is encoded of one message, and its metadata. Besides, of the object that is being encoded, what goes
/// into one stage of its pipeline (unless that is `data`) and what comes out of it; where masks are made, three bits an
/// element; and what the codec's library takes. Kept for the next message, but for buffers of more than 64 MiB.
class TGMAP_API writer {
 public:
  /// The sink must live longer. Errors: invalid_option.
  explicit writer(sink&, const write_options& = {});
  /// After a failure nothing can be written with it.
  writer(sink&, failure&) noexcept;
  writer(sink&, const write_options&, failure&) noexcept;
  ~writer();
  writer(writer&&) noexcept;
  writer& operator=(writer&&) noexcept;

  /// Appends one message. After a failure that is the input's fault the sink is unchanged, and the next message may be
  /// written; after one of the sink, or where the sink cannot take back what it was given of an archive that cannot be
  /// read to its end, the writer takes no more. O(bytes).
  /// Errors: payload_size, invalid_strides, shape_overflow, too_many_dimensions (the tensor); those of check(pipeline);
  /// non_finite, not_representable (expected = elements, found = the number of the first one); reserved_key,
  /// wrong_kind, cbor_too_deep (metadata); bad_descriptor (`type`); codec_failed, too_large (a codec); wire_version;
  /// unsupported_upgrade (szip of version 2 that readers would undo in another way, going by the encoder); the sink's;
  /// out_of_memory; writer_state (the writer takes no more, was not made, or was moved from). `object` is its number.
  void write(const new_message&);
  void write(const new_message&, failure&) noexcept;

  /// A message of an archive as it lies, byte for byte. Errors: those of archive::read; incomplete_message; the sink's.
  void write(const message&);
  void write(const message&, failure&) noexcept;

  std::uint64_t bytes_written() const noexcept;  ///< bytes put out: where the next message begins
  std::uint64_t messages() const noexcept;       ///< put out
  /// Of the message written last: object `j`'s stored bytes, payload and masks. For reports of ratios.
  std::uint64_t stored_bytes(std::size_t j) const noexcept;

 private:
  std::unique_ptr<detail::writer_state> state_;
};

/// One message as bytes. Errors: those of writer and of its write().
[[nodiscard]] TGMAP_API std::vector<std::byte> to_bytes(const new_message&, const write_options& = {});
[[nodiscard]] TGMAP_API std::vector<std::byte> to_bytes(const new_message&, failure&) noexcept;
[[nodiscard]] TGMAP_API std::vector<std::byte> to_bytes(const new_message&, const write_options&, failure&) noexcept;

}  // namespace v0
}  // namespace tgmap
