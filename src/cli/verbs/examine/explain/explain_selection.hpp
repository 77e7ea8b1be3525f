// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/query/selection.hpp>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

struct selection_options;

/// Prints how much of a selection the index of an archive answers, and what must be read for the rest. Reads
/// messages only to find out that a key occurs nowhere. Errors: tgmap::error.
void explain_selection(const target&, const selection&, const selection_options&, bool as_json, session&);

}  // namespace tgmap::cli
