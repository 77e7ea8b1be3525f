// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <tgmap/mapping_guard.hpp>

#include "cli/command.hpp"
#include "cli/complaint.hpp"
#include "cli/descriptors.hpp"

int main(int argc, char** argv) {
  using namespace tgmap::cli;
  hold_standard_descriptors();
  allow_many_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone shows as EPIPE, where temporary files are still removed
  std::signal(SIGXFSZ, SIG_IGN);  // and a limit on the size of files as EFBIG
  // Files may be cut while a verb runs. Should there be no guard, structure is read by positioned reads, as safe.
  static_cast<void>(tgmap::mapping_guard::install());
  session run;
  try {
    command(run, argc, argv).run(argc, argv);
    run.out.flush();
  } catch (const usage_error& why) {
    const std::string text = why.what();
    run.report.say(text.ends_with('?') ? text : text + "; " + why.next_step());
    return static_cast<int>(exit_status::usage);
  } catch (const output_error& why) {
    run.report.failed("standard output", tgmap::failure{.code = why.code()});
  } catch (const closed_pipe&) {
    // Nobody reads on: the quiet end.
  } catch (const std::bad_alloc&) {
    run.report.failed("tgmap", tgmap::failure{.code = tgmap::errc::out_of_memory});
  } catch (const std::exception& why) {
    run.report.failed("tgmap", why.what(), tgmap::cli::please_report);
  }
  return static_cast<int>(run.report.status());
}
