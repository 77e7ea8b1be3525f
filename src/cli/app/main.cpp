// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <initializer_list>
#include <new>
#include <string>
#include <tgmap/mapping_guard.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/app/command.hpp"

namespace {

/// Opens /dev/null for each of descriptors 0 to 2 that is closed, so that no archive gets one of these numbers and
/// receives our messages. Reading and writing them still fails with EBADF. Must run before anything is opened.
void hold_standard_descriptors() noexcept {
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(each, F_GETFD) < 0)  // in the direction that is not used, so that its use fails
      static_cast<void>(::open("/dev/null", each == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// Raises the limit of open files to its maximum, because outputs stay open until all of them are written.
void allow_many_descriptors() noexcept {
  rlimit now{};
  if (::getrlimit(RLIMIT_NOFILE, &now) != 0 || now.rlim_cur == now.rlim_max) return;
  now.rlim_cur = now.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &now));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tgmap::cli;
  hold_standard_descriptors();
  allow_many_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // writing returns EPIPE instead, and temporary files are still removed
  std::signal(SIGXFSZ, SIG_IGN);  // writing returns EFBIG instead
  // Files may be truncated while a verb runs. If the guard cannot be installed, structure is read by positioned reads,
  // which are safe, too.
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
    // The reader has closed our output: end without a message.
  } catch (const std::bad_alloc&) {
    run.report.failed("tgmap", tgmap::failure{.code = tgmap::errc::out_of_memory});
  } catch (const std::exception& why) {
    run.report.failed("tgmap", why.what(), tgmap::cli::please_report);
  }
  return static_cast<int>(run.report.status());
}
