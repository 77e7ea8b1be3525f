// SPDX-License-Identifier: Apache-2.0
// Keys of selections that no message has.
#pragma once

#include <string>
#include <tgmap/query/selection.hpp>
#include <vector>

#include "cpp/handles/opened_archive.hpp"

namespace tgmap_python {

/// Returns a text for each key of a selection that no message has: "a.tgm: no message has the key 'parm'; did you mean
/// 'param'?". `has_matched`: the selection matched something. Nothing is returned if something cannot be read.
///
/// Reads messages until all keys are found, which is usually the first one, and at most 1000. If something matched,
/// only `selection::optional_keys` are looked for. Needs no lock of the interpreter.
std::vector<std::string> find_missing_keys(const opened_archive&, const tgmap::selection&, bool has_matched);

/// Warns of them with KeyWarning, on behalf of the caller of the package.
void warn_of_keys(const std::vector<std::string>& texts);

}  // namespace tgmap_python
