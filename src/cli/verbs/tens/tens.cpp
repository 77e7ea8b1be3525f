// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/verbs/tens/tens.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array verbs_of_tens{
    verb{"show", "Show frames: headers, label, tensors and parts", declare_tens_show},
    verb{"import", "Write frames to an archive, one message each", declare_tens_import},
    verb{"export", "Write messages of an archive as frames", declare_tens_export},
    verb{"keys", "Create a pair of keys for encrypted connections", declare_tens_keys},
};

}  // namespace

action declare_tens(CLI::App& app, session& run) {
  return add_verbs(app, verbs_of_tens, run, [](const verb&) { return true; });
}

}  // namespace tgmap::cli
