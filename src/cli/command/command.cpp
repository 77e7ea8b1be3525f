// SPDX-License-Identifier: Apache-2.0
#include "cli/command/command.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <initializer_list>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <tgmap/detail/output_file.hpp>
#include <tgmap/mapping_guard.hpp>
#include <tgmap/version.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/environment.hpp"
#include "cli/app/session.hpp"
#include "cli/command/option_model.hpp"
#include "cli/command/parse_error.hpp"
#include "cli/input/selection_outcome.hpp"
#include "cli/input/target.hpp"
#include "cli/options/common_options.hpp"
#include "manual/page.hpp"

namespace tgmap::cli {

namespace {

/// Returns the arguments in reverse order, as CLI11 takes them. CLI11 would read the target "-:0:1" as an option and
/// the file "[a]" as a list, so both are spelled out, except for values of the options that take brackets.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> out;
  for (int i = argc; i-- > 1;) {
    std::string argument = argv[i];
    if (argument.starts_with("-:") || argument.starts_with("-@")) argument.replace(0, 1, standard_input);
    const std::string_view before = argv[i - 1];
    const bool bracketed = argument.starts_with('[') && argument.ends_with(']');
    if (bracketed && before != "--slice" && before != "--meta") argument.insert(0, "./");
    out.push_back(std::move(argument));
  }
  return out;
}

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

command::command(session& run) : command(run, [](const verb&) { return true; }) {}

command::command(session& run, int argc, char** argv)
    : command(run, [words = std::vector<std::string_view>(argv + std::min(argc, 1), argv + argc)](const verb& v) {
        const auto has = [&](std::string_view name) {
          return std::find(words.begin(), words.end(), name) != words.end();
        };
        return has(v.name) || std::any_of(verbs().begin(), verbs().end(),
                                          [&](const verb& each) { return each.needs_all_verbs && has(each.name); });
      }) {}

command::command(session& run, const verb_filter& needed)
    : app_("Read, check and write Tensogram archives (.tgm)", "tgmap"), run_(run) {
  app_.set_version_flag("-V,--version", "tgmap " TGMAP_VERSION_STRING, "Show the version");
  app_.set_help_flag("-h,--help", "Show this help");
  add_common_options(app_, run);
  act_ = add_verbs(app_, verbs(), run, needed);
}

/// Returns true if a verb is to be run, false if help or the version was printed. Errors: usage_error.
bool command::parse(int argc, char** argv) {
  try {
    app_.parse(arguments(argc, argv));
    return true;
  } catch (const CLI::CallForHelp&) {
    const CLI::App& asked = innermost(app_);
    const verb_model described = model_of(asked);
    const manual::page page = described.is_command() ? manual::command_page(described) : manual::verb_page(described);
    run_.out.write(manual::as_text(page, window_size().columns, run_.out.heading_style()));
    return false;
  } catch (const CLI::Success& wanted) {
    std::ostringstream text, unused;
    app_.exit(wanted, text, unused);
    run_.out.write(text.str());
    return false;
  } catch (const CLI::ParseError& why) {
    throw usage_error(describe_parse_error(app_, {argv + std::min(argc, 1), argv + argc}, why));
  }
}

void command::run(int argc, char** argv) {
  try {
    bool is_parsed = false;
    run_.report.guard("tgmap", [&] { is_parsed = parse(argc, argv); });
    if (!is_parsed) return;
    check_environment(run_.report);
    act_();
    if (run_.selected) run_.selected->report(run_.report);
  } catch (const usage_error& why) {
    if (!why.next_step().empty()) throw;
    throw usage_error(why.what(), "run `" + full_name(innermost(app_)) + " --help`");
  }
}

int run_command(int argc, char** argv) {
  hold_standard_descriptors();
  allow_many_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // writing returns EPIPE instead, and temporary files are still removed
  std::signal(SIGXFSZ, SIG_IGN);  // writing returns EFBIG instead
  detail::remove_temporary_files_at_signals();
  // Files may be truncated while a verb runs. If the guard cannot be installed, structure is read by positioned reads,
  // which are safe, too.
  static_cast<void>(mapping_guard::install());
  session run;
  try {
    command(run, argc, argv).run(argc, argv);
    run.out.flush();
  } catch (const usage_error& why) {
    const std::string text = why.what();
    run.report.say(text.ends_with('?') ? text : text + "; " + why.next_step());
    return static_cast<int>(exit_status::usage);
  } catch (const output_error& why) {
    run.report.failed("standard output", failure{.code = why.code()});
  } catch (const closed_pipe&) {
    // The reader has closed our output: end without a message.
  } catch (const std::bad_alloc&) {
    run.report.failed("tgmap", failure{.code = errc::out_of_memory});
  } catch (const std::exception& why) {
    run.report.failed("tgmap", why.what(), please_report);
  }
  return static_cast<int>(run.report.status());
}

}  // namespace tgmap::cli
