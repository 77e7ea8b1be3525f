// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/verbs/constant/constant.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array verbs_of_constant{
    verb{"check", "Check files with tensor constants and report problems", declare_constant_check},
    verb{"cells", "Print every cell of a constant with its address", declare_constant_cells},
    verb{"get", "Print one cell or one block by its address", declare_constant_get},
    verb{"import", "Write constants to an archive, one message each", declare_constant_import},
    verb{"export", "Write a constant or an object as JSON or typed binary", declare_constant_export},
    verb{"sample", "Write an example of a type in any form", declare_constant_sample},
};

}  // namespace

action declare_constant(CLI::App& app, session& run) {
  return add_verbs(app, verbs_of_constant, run, [](const verb&) { return true; });
}

}  // namespace tgmap::cli
