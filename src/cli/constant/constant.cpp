// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/constant/verbs.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array verbs_of_constant{
    verb{"check", "Say whether files hold tensor constants, and what is wrong with them", declare_constant_check},
    verb{"cells", "Print every cell of a constant with its address", declare_constant_cells},
    verb{"get", "Print one cell, or one block, by its address", declare_constant_get},
    verb{"import", "Make an archive of constants, one message of each", declare_constant_import},
    verb{"export", "Write a constant, or an object, as JSON or as typed binary", declare_constant_export},
    verb{"sample", "Write a valid constant of a type, to see how it is spelled", declare_constant_sample},
};

}  // namespace

action declare_constant(CLI::App& app, session& run) {
  return add_verbs(app, verbs_of_constant, run, [](const verb&) { return true; });
}

}  // namespace tgmap::cli
