// SPDX-License-Identifier: Apache-2.0
// The verb for tensor constants in builds without the component tgmap::constant: it reports what is missing.
#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"

namespace tgmap::cli {

action declare_constant(CLI::App& app, session&) {
  app.allow_extras();
  return [] {
    throw usage_error("this build has no simdjson, which `constant` needs",
                      "install libsimdjson-dev, and build with -DTGMAP_CONSTANT=ON");
  };
}

}  // namespace tgmap::cli
