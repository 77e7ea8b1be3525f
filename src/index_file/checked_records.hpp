// SPDX-License-Identifier: Apache-2.0
// Reads records of an index that agree with the records beside them. Messages and gaps fill the covered bytes, and
// objects follow each other. So no range is listed twice, whatever the index says.
#pragma once

#include <cstdint>
#include <tgmap/error.hpp>

#include "index_file/format.hpp"
#include "index_file/reader.hpp"

namespace tgmap::index_file {

// Errors of all functions: those of the reader; index_mismatch (offset: of the archive; expected: what the records
// beside it ask for; found: what the record says).

/// Reads message `i`, which must exist. It begins where the message or the gap before it ends, its objects follow those
/// of the message before, and the same holds for the message after it. Its objects fit into it.
/// Complexity: O(1), mostly one page; O(log gaps) beside a gap.
failure read_message(const reader&, std::uint64_t i, listed_message& out) noexcept;

/// Reads object `j` of a message that was read, which must have it. Frames lie in the message one behind the other.
failure read_object(const reader&, const listed_message& of, std::uint64_t j, listed_object& out) noexcept;

/// Reads gap `k`, which must exist. It begins where the message or the gap before it ends, and ends before the next
/// message.
failure read_gap(const reader&, std::uint64_t k, listed_gap& out) noexcept;

}  // namespace tgmap::index_file
