// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// How far an index was compared with its archive.
enum class index_trust : std::uint8_t {
  sampled,  ///< samples of the bytes; whatever is found by the index is compared, but not what it leaves out
  checked,  ///< every message, object, gap and column: what the index leaves out does not exist
};

TGMAP_API std::string_view to_string_view(index_trust) noexcept;  ///< "sampled", "checked"

/// An `index_status` says if an archive uses an index.
///
/// An index answers for the bytes that it was made of. It is current if the archive has the size and the time of last
/// change that it was stamped with. Only a current index gives messages, gaps and answers of selections; otherwise the
/// archive is scanned and metadata is read. See docs/index_format.md.
struct index_status {
  bool is_used = false;  ///< an index that belongs to the archive is open; `is_current` says if it answers
  index_trust trust = index_trust::sampled;
  std::uint64_t messages = 0;       ///< that the index lists
  std::uint64_t covered_bytes = 0;  ///< the index describes the archive bytes [0, covered_bytes)
  failure refusal{};                ///< why the index was not used; empty if there is none, or if it is used
  bool is_current = false;          ///< the archive began with the index, and has not changed since
};

}  // namespace v0
}  // namespace tgmap
