// SPDX-License-Identifier: Apache-2.0
// The verb for tensor constants, where the component tgmap::constant was left out: it is there, and says what is
// missing.
#include "cli/complaint.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

action declare_constant(CLI::App& app, session&) {
  app.allow_extras();
  return [] {
    throw usage_error("this build has no simdjson, which constant needs",
                      "install libsimdjson-dev, and build with -DTGMAP_CONSTANT=ON");
  };
}

}  // namespace tgmap::cli
