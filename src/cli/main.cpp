// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <new>
#include <sstream>
#include <string>
#include <tgmap/mapping_guard.hpp>
#include <tgmap/version.hpp>
#include <utility>
#include <vector>

#include "cli/common_options.hpp"
#include "cli/complaint.hpp"
#include "cli/verb.hpp"

namespace {

using namespace tgmap::cli;

/// The arguments, last one first, as CLI11 takes them; "-:0:1" is spelled out, being no option.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> out;
  for (int i = argc; i-- > 1;) {
    std::string argument = argv[i];
    if (argument.starts_with("-:") || argument.starts_with("-@")) argument.replace(0, 1, standard_input);
    out.push_back(std::move(argument));
  }
  return out;
}

/// Help and version go to standard output; what cannot be parsed is a usage error. True: a verb is to be run.
bool parse(CLI::App& app, int argc, char** argv, session& run) {
  try {
    app.parse(arguments(argc, argv));
    return true;
  } catch (const CLI::Success& wanted) {
    std::ostringstream text, unused;
    app.exit(wanted, text, unused);
    run.out.write(text.str());
    return false;
  } catch (const CLI::ParseError& why) {
    throw usage_error(why.what());
  }
}

void run_command(int argc, char** argv, session& run) {
  CLI::App app("Opens Tensogram archives (.tgm) through a memory mapping", "tgmap");
  app.set_version_flag("-V,--version", "tgmap " TGMAP_VERSION_STRING);
  app.require_subcommand(1);
  add_common_options(app, run);

  std::vector<std::pair<CLI::App*, action>> actions;
  for (const verb& v : verbs()) {
    CLI::App* const command = app.add_subcommand(v.name, v.summary);
    actions.emplace_back(command, v.declare(*command, run));
    add_common_options(*command, run);
  }
  if (!parse(app, argc, argv, run)) return;
  for (const auto& [command, act] : actions)
    if (command->parsed()) act();
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone shows as EPIPE, where temporary files are still removed
  // Files may be cut while a verb runs. Should there be no guard, structure is read by positioned reads, as safe.
  static_cast<void>(tgmap::mapping_guard::install());
  session run;
  try {
    run_command(argc, argv, run);
    run.out.flush();
  } catch (const usage_error& why) {
    run.report.say(std::string(why.what()) + "; run `tgmap --help`, or `tgmap VERB --help`");
    return static_cast<int>(exit_status::usage);
  } catch (const output_error& why) {
    run.report.failed("standard output", tgmap::failure{.code = why.code()});
  } catch (const closed_pipe&) {
    // Nobody reads on: the quiet end.
  } catch (const std::bad_alloc&) {
    run.report.failed("tgmap", tgmap::failure{.code = tgmap::errc::out_of_memory});
  }
  return static_cast<int>(run.report.status());
}
