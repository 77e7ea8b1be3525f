// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/outputs/file_template.hpp"
#include "cli/outputs/output_options.hpp"
#include "cli/selection.hpp"

namespace tgmap::cli {

/// Makes a message of every object of the selected messages, with the message-wide keys of its own, in a file each.
/// Objects are not decoded; messages of one object, and of none, are copied byte for byte. Tells of it on standard
/// output, and on standard error of what failed; `to` is the name of the output as it was given.
void split_objects(const target& from, const file_template& names, const std::string& to, const selection_options&,
                   const output_options&, bool as_json, session&);

}  // namespace tgmap::cli
