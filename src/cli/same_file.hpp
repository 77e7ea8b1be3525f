// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/target.hpp"

namespace tgmap::cli {

/// Throws a complaint when the output would be the target's file itself, by whatever names.
void refuse_to_overwrite(const target& input, const std::string& output);

/// The same for verbs whose output may be an input, since it is replaced once it is whole: not where it is a descriptor
/// that the process was given, `- 1<>x.tgm`, which is written at once. One that only adds to the file does no harm.
void refuse_to_overwrite_at_once(const std::vector<target>& inputs, const std::string& output);

}  // namespace tgmap::cli
