// SPDX-License-Identifier: Apache-2.0
// Frames of data objects (§2.7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tgmap/object.hpp>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "cbor/canonical/sorted_map.hpp"
#include "core/memory.hpp"
#include "encode/object_encoder.hpp"
#include "write/frame/descriptor_encoder.hpp"
#include "write/frame/frame_bodies.hpp"
#include "write/frame/frame_writer.hpp"
#include "write/frame/provenance_source.hpp"
#include "write/output_queue.hpp"

namespace tgmap::write {

/// A `frame_copy` copies frames of an archive, one after another, and keeps its memory. The bytes stay the same, except
/// a flag: the frame announces its hash, even if only its message did.
class frame_copy {
 public:
  /// Reads a small frame, or the header and the descriptor of a large one.
  /// Errors: unsupported_wire_version; unsupported_upgrade (readers of the new message would decode szip differently);
  /// those of reading an archive. Throws std::bad_alloc.
  /// Lifetime: the archive must live until the queue of add_to() is written.
  failure prepare(const object&, const frame_options&, const provenance_source& of_new_message);

  const object_frame_info& info() const noexcept { return info_; }
  std::span<const std::byte> tensor() const noexcept { return tensor_.encoded(); }  ///< its entry in the metadata

  void add_to(output_queue&) const;

 private:
  failure read_descriptor(const object&);
  void announce_hash(const frame&);

  std::optional<object> source_{};
  std::vector<std::byte> bytes_{};  // a whole small frame; of a large one the header if it is changed, else nothing
  object_frame_info info_{};

  // Results of the last descriptor. Consecutive objects often have equal ones.
  std::vector<std::byte> descriptor_{};  // empty if there are no results
  std::uint64_t described_size_ = 0;     // of the payload and masks that it was read with
  tensor_entry tensor_{};
  bool szip_depends_on_encoder_ = false;
};

/// The `frame_tools` are encoders and buffers that all frames of a writer share.
struct frame_tools {
  encode::object_encoder encoder{};
  encode::encoded_object encoded{};
  cbor::sorted_map keys{};
  write::hasher hasher{};
};

/// An `object_frame` is the frame of a data object: newly encoded, encoded by another program, or copied from an
/// archive. It is used for one object after another and keeps its memory.
///
/// Lifetime: data of the caller is borrowed until the queue of add_to() is written. An encoded payload is in the
/// buffers of `frame_tools` until the next frame uses them; call keep_payload() before that.
class object_frame {
 public:
  /// Makes the frame. `provenance` is that of the new message. Errors: those of writer::write for one object. Throws
  /// std::bad_alloc.
  failure prepare(const new_object&, const frame_options&, const provenance_source& provenance, frame_tools&);
  failure prepare(const stored_object&, const frame_options&, const provenance_source& provenance, frame_tools&);

  /// Copies the payload if it is in the encoder's buffers. Errors: out_of_memory.
  failure keep_payload() noexcept;

  void trim() noexcept { kept_payload_.trim(); }  ///< frees memory that is too large to be kept

  /// Returns the entry of the tensor in the metadata.
  std::span<const std::byte> tensor() const noexcept { return is_copy_ ? copy_->tensor() : tensor_.encoded(); }

  const object_frame_info& info() const noexcept { return is_copy_ ? copy_->info() : info_; }

  void add_to(output_queue&) const;

 private:
  failure begin_frame(const frame_options&, bool hash_payload, frame_tools&);
  failure check_and_hash_payload(bool hash_payload, frame_tools&);
  failure append_descriptor_of(const new_object&, const frame_options&, frame_tools&);
  void end_frame(const frame_options&, hasher& of_payload);

  bool is_copy_ = false;                // then only `copy_` is used
  std::unique_ptr<frame_copy> copy_{};  // made for the first copied object

  object_frame_info info_{};
  tensor_entry tensor_{};
  descriptor_cache descriptors_{};
  std::vector<std::byte> bytes_{};                           // header, small payload, descriptor, tail
  std::vector<std::span<const std::byte>> large_payload_{};  // written behind the header: payload, then masks
  bool is_in_encoder_ = false;                               // `large_payload_` is in buffers of `frame_tools`
  core::scratch kept_payload_{};
};

}  // namespace tgmap::write
