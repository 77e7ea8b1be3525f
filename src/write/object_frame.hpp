// SPDX-License-Identifier: Apache-2.0
// One data object, ready to be put out (§2.7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "cbor/sorted_map.hpp"
#include "encode/object_encoder.hpp"
#include "write/digest.hpp"
#include "write/frame_facts.hpp"
#include "write/output.hpp"
#include "write/plain_descriptor.hpp"
#include "write/provenance_source.hpp"
#include "write/tensor_entry.hpp"
#include "write/whole_frame.hpp"

namespace tgmap::write {

/// What is needed to make a frame and not for what was made: lent to one after another.
struct frame_tools {
  encode::object_encoder encoder{};
  encode::encoded_object encoded{};
  cbor::sorted_map keys{};
  write::digest digest{};
};

/// Takes one object after another, makes its frame, and keeps its memory. What is borrowed from the caller is until
/// put(); what the encoder's buffers hold, until they are lent to the next frame: keep() first what is to be put out
/// later than that.
class object_frame {
 public:
  /// `writer`: of the message. Errors: those of writer::write that concern one object. Throws std::bad_alloc.
  failure prepare(const new_object&, const frame_options&, const provenance_source& writer, frame_tools&);
  failure prepare(const stored_object&, const frame_options&, const provenance_source& writer, frame_tools&);

  /// Copies what lies in the encoder's buffers into memory of its own. Errors: out_of_memory.
  failure keep() noexcept;
  void trim() noexcept { kept_.trim(); }  ///< when it has been put out

  /// What the metadata says of the tensor.
  std::span<const std::byte> tensor() const noexcept { return is_whole_ ? whole_->tensor() : tensor_.encoded(); }
  const frame_facts& facts() const noexcept { return is_whole_ ? whole_->facts() : facts_; }

  void put(output&) const;

 private:
  failure begin_region(const frame_options&, bool hash, frame_tools&);
  failure look_at_payload(bool hash, frame_tools&);
  void end_frame(const frame_options&, digest&);
  failure put_descriptor_of(const new_object&, const frame_options&, frame_tools&);

  bool is_whole_ = false;  // `whole_`, which only frames have that ever were, then is all there is to it
  std::unique_ptr<whole_frame> whole_{};

  frame_facts facts_{};
  tensor_entry tensor_{};
  plain_descriptor described_{};
  std::vector<std::byte> bytes_{};                           // header, the region where it is small, descriptor, tail
  std::vector<std::span<const std::byte>> region_pieces_{};  // behind the header, where the region is large
  bool lent_ = false;                                        // they lie in the encoder's buffers
  core::scratch kept_{};
};

}  // namespace tgmap::write
