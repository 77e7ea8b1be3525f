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
struct index_status {
  bool is_used = false;
  bool is_current = true;  ///< the archive has not changed since the index was made for it
  index_trust trust = index_trust::sampled;
  std::uint64_t messages = 0;       ///< that the index lists
  std::uint64_t covered_bytes = 0;  ///< the index describes the archive bytes [0, covered_bytes)
  failure refusal{};                ///< why the index was not used; empty if there is none, or if it is used
};

}  // namespace v0
}  // namespace tgmap
