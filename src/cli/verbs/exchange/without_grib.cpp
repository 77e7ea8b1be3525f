// SPDX-License-Identifier: Apache-2.0
// The verbs for GRIB in builds without the component tgmap::bridge: they report what is missing.
#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"

namespace tgmap::cli {

namespace {

action refuse_grib(CLI::App& app) {
  app.allow_extras();
  return
      [] { throw usage_error("this build has no GRIB, which import and export need", "build with -DTGMAP_GRIB=ON"); };
}

}  // namespace

action declare_import(CLI::App& app, session&) { return refuse_grib(app); }
action declare_export(CLI::App& app, session&) { return refuse_grib(app); }

}  // namespace tgmap::cli
