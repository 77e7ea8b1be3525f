// SPDX-License-Identifier: Apache-2.0
// The verbs for ZIO in builds without the component tgmap::zio: they report what is missing.
#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/stream/endpoint_options.hpp"

namespace tgmap::cli {

namespace {

action refuse(CLI::App& app) {
  app.allow_extras();
  return [] {
    throw usage_error("this build has no ZeroMQ, which tens, send and recv need",
                      "install libzmq3-dev and cppzmq-dev, and build with -DTGMAP_ZIO=ON");
  };
}

}  // namespace

action declare_recv(CLI::App& app, session&) { return refuse(app); }
action declare_send(CLI::App& app, session&) { return refuse(app); }
action declare_tens(CLI::App& app, session&) { return refuse(app); }

std::string_view zeromq_version() { return {}; }

}  // namespace tgmap::cli
