// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/dtype.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// The float whose shortest text is that of the cell: the fewest digits that read back as it, both by a reader that
/// drops the lower bits, as upstream does, and by one that rounds to the nearest. At most 4. Of a finite cell.
float bfloat16_as_text(bfloat16) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
