// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tgmap_test {

/// The arguments of a verb. `{a}` is the file, `{b}` another one of the same shape that is a tenth shorter, `{o}` an
/// empty folder, `{size}` the size of the file.
struct verb_call {
  std::string extension;  ///< of the files that it takes
  std::string line;       ///< words separated by blanks
};

const std::vector<verb_call>& verb_calls();

/// Verbs that take no file, or whose work is not that of one call, with the reason.
const std::vector<std::string>& verbs_without_files();

}  // namespace tgmap_test
