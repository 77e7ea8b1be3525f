// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/write/new_message.hpp>

#include "cpp/arguments/keywords.hpp"

namespace tgmap_python {

/// Removes the keywords of the layout of messages and returns what they say: version, hashes, index, hash_list,
/// alignment, reproducible, encoder, encoder_version, time, uuid.
tgmap::write_options take_message_options(keywords&);

/// Raises TypeError if a keyword is left.
void require_none(const keywords&);

}  // namespace tgmap_python
