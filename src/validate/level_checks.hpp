// SPDX-License-Identifier: Apache-2.0
// The checks of one message, level by level.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/message.hpp>
#include <tgmap/options.hpp>
#include <tgmap/tensor.hpp>
#include <utility>
#include <vector>

#include "validate/cbor/cbor_body.hpp"
#include "validate/findings.hpp"
#include "validate/message_bytes.hpp"
#include "validate/message_parts.hpp"

namespace tgmap::validation {

/// Checks the structure of a message of version 2 or 3: walks from preamble to postamble and fills `parts`. Reads no
/// payloads. Returns false if the walk cannot begin, or fails. Errors: file_shrank, of the operating system.
bool check_structure(message_bytes&, int version, const open_options& limits, message_findings&, message_parts& parts,
                     failure&);

/// Checks metadata, index, hash and preceder frames and descriptors: their CBOR, and that they agree with each other
/// and with the frames. `canonical`: also warns of CBOR that is not in deterministic form. Errors: file_shrank, of the
/// operating system.
void check_metadata(message_bytes&, const message_parts&, const open_options& limits, bool canonical, message_findings&,
                    failure&);

/// Memory of check_integrity(), reused from message to message.
struct integrity_buffers {
  std::vector<std::optional<std::uint64_t>> hashes;                 ///< the stored hash of each object
  std::vector<std::pair<const frame_part*, hash_list>> hash_lists;  ///< of hash frames
};

/// Checks hashes: of every frame in version 3, of payloads in version 2, and the lists of them. Returns true if there
/// are objects, and each has a hash that matches. Errors: file_shrank, of the operating system. Spec: §4.
bool check_integrity(message_bytes&, const message_parts&, const open_options& limits, integrity_buffers&,
                     message_findings&, failure&);

/// Checks values: the library reads the message and decodes every object, the shape matches the number of elements,
/// and a mask marks each NaN and infinity. `decoded` is memory for elements. Returns the number of objects that could
/// not be checked; each has a note. Errors: file_shrank, of the operating system.
std::uint64_t check_fidelity(message_bytes&, const tgmap::message&, const message_parts&, const open_options& limits,
                             tensor& decoded, message_findings&, failure&);

}  // namespace tgmap::validation
