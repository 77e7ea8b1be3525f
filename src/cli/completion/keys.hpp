// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tgmap::cli::completion {

/// What can stand in the place of `begun`, which ends a list of keys between commas: keys of the first messages of
/// the first archive among `words`, and the facts. Keys that a shell would read as anything but themselves are left
/// out: who wrote the file must not get to run commands.
std::vector<std::string> complete_keys(const std::string& begun, const std::vector<std::string>& words);

}  // namespace tgmap::cli::completion
