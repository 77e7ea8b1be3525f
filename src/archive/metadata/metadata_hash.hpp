// SPDX-License-Identifier: Apache-2.0
// The hash of the metadata of a message, by which messages are recognised (docs/index_format.md).
#pragma once

#include <cstdint>
#include <tgmap/message.hpp>

#include "archive/lookup/message_record.hpp"
#include "archive/lookup/message_structure.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Returns XXH3-64 of the body of the metadata frame of a message. With preceders it is that of the digests of all
/// these bodies, 8 bytes each, little-endian: that of the metadata frame, then those of the preceders in order. 0
/// without a metadata frame, or if one of the frames is larger than `open_options::max_metadata_bytes`. `places`: of
/// all objects; null if there are no preceders. Errors: file_shrank, out_of_memory, of the operating system.
/// Complexity: O(bytes of the frames).
std::uint64_t metadata_hash(const archive_state&, io::window&, const message_position&, const message_structure&,
                            const message_record* places, failure&);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
