// SPDX-License-Identifier: Apache-2.0
// Compares the hashes of frames whose content is written again in frames with new hashes.
#pragma once

#include <cstdint>
#include <tgmap/error.hpp>
#include <tgmap/frame.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

class archive_state;

/// Compares the hash of a frame with its bytes. Succeeds without a hash. `object`: the number of the object that the
/// frame belongs to.
/// Errors: hash_mismatch (offset = beginning of the frame, argument = its type), file_shrank, of the operating system.
/// Complexity: O(bytes of the frame).
failure check_frame_hash(const frame&, optional_index object = {}) noexcept;

/// Compares the hashes of the frames that hold the keys of an object: the metadata frame and its preceder. In messages
/// with a metadata_record, the metadata frame is compared once. Only version 3 has such hashes.
/// Errors: those of find_object and check_frame_hash.
failure check_key_hashes(const archive_state&, const message_position&, std::uint64_t object) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
