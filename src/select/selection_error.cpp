// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/selection.hpp>

#include "core/phrases.hpp"

namespace tgmap {
inline namespace v0 {

std::string_view to_string_view(selection_error fault) noexcept {
  return detail::selection_error_phrase(static_cast<std::uint64_t>(fault));
}

}  // namespace v0
}  // namespace tgmap
