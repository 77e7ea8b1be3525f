// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/exchange/grib/grib.hpp"

#include <array>

namespace tgmap::cli {

namespace {

constexpr std::array verbs_of_import{
    verb{"grib", "Write the fields of GRIB messages to an archive", declare_grib_import},
};
constexpr std::array verbs_of_export{
    verb{"grib", "Write objects of archives as GRIB messages", declare_grib_export},
};

}  // namespace

action declare_import(CLI::App& app, session& run) {
  return add_verbs(app, verbs_of_import, run, [](const verb&) { return true; });
}

action declare_export(CLI::App& app, session& run) {
  return add_verbs(app, verbs_of_export, run, [](const verb&) { return true; });
}

}  // namespace tgmap::cli
