// SPDX-License-Identifier: Apache-2.0
// One data object's frame as it lies in an archive, to be put out again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tgmap/object.hpp>
#include <vector>

#include "write/frame_facts.hpp"
#include "write/output.hpp"
#include "write/provenance_source.hpp"
#include "write/tensor_entry.hpp"

namespace tgmap::write {

/// Takes one frame after another, and keeps its memory. Nothing of a frame is changed, but for the flag that announces
/// its digest where only the message did.
class whole_frame {
 public:
  /// The archive must live until put(). Errors: wire_version; unsupported_upgrade (szip that readers of the new message
  /// would undo in another way); those of reading it. Throws std::bad_alloc.
  failure prepare(const object&, const frame_options&, const provenance_source& writer);

  const frame_facts& facts() const noexcept { return facts_; }
  std::span<const std::byte> tensor() const noexcept { return tensor_.encoded(); }

  void put(output&) const;

 private:
  failure describe(const object&);
  void announce_digest(const frame&);

  std::optional<object> from_{};
  std::vector<std::byte> bytes_{};  // all of it where it is small, else its header, where that must be another
  frame_facts facts_{};

  // Many objects one after the other are described alike: what a descriptor says is found out once.
  std::vector<std::byte> described_as_{};  // the descriptor that these are of; or nothing
  std::uint64_t described_region_ = 0;     // beside that size of the region
  tensor_entry tensor_{};
  bool means_its_writer_ = false;  // of szip that depends on it
};

}  // namespace tgmap::write
