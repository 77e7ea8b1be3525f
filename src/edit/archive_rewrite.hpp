// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/tools/copy.hpp>
#include <tgmap/tools/rewrite.hpp>

#include "edit/output/output_set.hpp"

namespace tgmap::edit {

/// Writes an archive to one file of a set, as tgmap::rewrite does, and leaves it to the caller to commit the set. `why`
/// is the failure of the first message that could not be changed; then the set must not be committed.
/// `rewrite_options::output` and `verify` have no effect. Errors: throws write_error; tgmap::error for damage that is
/// refused, and if the archive cannot be read.
rewrite_result rewrite_archive(const copy_source&, output_set::output& to, const message_change&,
                               const rewrite_options&, failure& why);

}  // namespace tgmap::edit
