// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tgmap/decode/executor.hpp>

namespace tgmap::edit {

/// Writes the index beside an archive that is complete, or extends the one that is there. `threads` may be null.
/// Errors: throws write_error, which names the index.
void write_index_beside(const std::string& archive, executor* threads);

/// Does the same, unless the index is current and describes the whole archive. `trust_index_of` is as in open_options.
void complete_index_beside(const std::string& archive, std::string_view trust_index_of, executor* threads);

}  // namespace tgmap::edit
