// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tgmap::cli::completion {

/// Returns the completions of `begun`, the end of a comma-separated list of keys: the properties, and the keys of the
/// first messages of the first archive among `words`. Leaves out keys with characters that a shell would interpret,
/// because the archive may come from an untrusted source.
std::vector<std::string> complete_keys(const std::string& begun, const std::vector<std::string>& words);

}  // namespace tgmap::cli::completion
