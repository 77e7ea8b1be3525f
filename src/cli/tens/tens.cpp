// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/tens/verbs.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array verbs_of_tens{
    verb{"show", "Show frames: headers, label, tensors, parts", declare_tens_show},
    verb{"import", "Make an archive of frames, one message of each", declare_tens_import},
    verb{"export", "Write messages of an archive as frames", declare_tens_export},
    verb{"keys", "Make a pair of keys for encrypted connections", declare_tens_keys},
};

}  // namespace

action declare_tens(CLI::App& app, session& run) {
  return add_verbs(app, verbs_of_tens, run, [](const verb&) { return true; });
}

}  // namespace tgmap::cli
