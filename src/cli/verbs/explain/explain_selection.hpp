// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/query/selection.hpp>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// Prints how much of a selection the index of an archive answers, and what must be read for the rest. Reads no
/// message. Errors: tgmap::error.
void explain_selection(const target&, const selection&, bool of_objects, bool as_json, session&);

}  // namespace tgmap::cli
