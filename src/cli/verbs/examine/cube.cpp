// SPDX-License-Identifier: Apache-2.0
// The rules that make cubes are written in Python, once. This verb checks its options and runs them.
#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>  // fileno
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <tgmap/archive.hpp>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/file_kind.hpp"
#include "cli/app/python_program.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"
#include "cli/options/option_checks.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t max_argument_bytes = 65536;  // more names of files go through a file

struct cube_options {
  std::vector<std::string> files;
  std::vector<std::string> passed;  ///< options of Python, as they are declared below
  selection_options chosen;
  std::string python;
};

/// The options that a session has for all verbs.
std::vector<std::string> common_options(const session& run) {
  std::vector<std::string> out{fmt::format("--io={}", to_string_view(run.io)),
                               fmt::format("--width={}", window_size().columns)};
  if (run.index == index_use::none) out.emplace_back("--index=none");
  if (run.index_cache) out.emplace_back("--index-cache");
  if (!run.trust_index_of.empty()) out.push_back("--trust-index-of=" + run.trust_index_of);
  if (!run.report.has_hints()) out.emplace_back("--quiet");
  if (run.out.is_terminal()) out.emplace_back("--terminal");
  if (run.out.is_colored()) out.emplace_back("--colored");
  return out;
}

/// Returns the files, each of which is a whole archive or standard input. Reports files of other kinds.
std::vector<std::string> archives_of(const cube_options& given, session& run) {
  std::vector<std::string> out;
  for (const target& each : parse_targets(given.files)) {
    if (!each.whole_file()) throw usage_error("cube takes whole files; select messages by -w");
    const bool is_input = each.file == "-" || each.file == standard_input;
    out.emplace_back(is_input ? "-" : each.file);
    if (is_input) continue;
    run.report.guard(each.file, [&] {
      require_archive(archive(each.file, {.io = io_mode::read, .damage = on_damage::skip, .index = index_use::none}));
    });
  }
  return out;
}

/// Writes names to a file without a name, which the next program inherits. Returns its descriptor.
int inherited_file(const std::vector<std::string>& names) {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) throw std::system_error(errno, std::system_category());
  const int descriptor = ::fileno(file);
  for (const std::string& each : names)
    if (std::fwrite(each.c_str(), 1, each.size() + 1, file) != each.size() + 1)
      throw std::system_error(errno, std::system_category());
  if (std::fflush(file) != 0 || ::lseek(descriptor, 0, SEEK_SET) != 0 || ::fcntl(descriptor, F_SETFD, 0) != 0)
    throw std::system_error(errno, std::system_category());
  return descriptor;
}

void run_cube(const cube_options& given, session& run) {
  static_cast<void>(given.chosen.compiled());  // mistakes in it are mistakes in the command line
  const std::vector<std::string> files = archives_of(given, run);
  if (run.report.status() != exit_status::fine) return;
  std::vector<std::string> arguments = common_options(run);
  arguments.insert(arguments.end(), given.passed.begin(), given.passed.end());
  for (const std::string& each : given.chosen.clauses) arguments.push_back("--where=" + each);
  std::size_t bytes = 0;
  for (const std::string& each : files) bytes += each.size() + 1;
  if (bytes > max_argument_bytes) {
    arguments.push_back(fmt::format("--files-in={}", inherited_file(files)));
  } else {
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), files.begin(), files.end());
  }
  run.report.guard("cube", [&] {
    run.out.flush();
    run_python(python_interpreter(given.python), "tgmap.cube_command", "cube", arguments);
  });
}

/// Declares options that are passed to Python as they are.
class passed_options {
 public:
  passed_options(CLI::App& app, std::vector<std::string>& into) : app_(app), into_(into) {}

  void flag(const std::string& name, const std::string& about) const {
    app_.add_flag_callback(
        name, [into = &into_, passed = long_name(name)] { into->push_back(passed); }, about);
  }

  /// An option of one value, or of several that are given one by one.
  CLI::Option* text(const std::string& name, const std::string& type, const std::string& about) const {
    const auto take = [into = &into_, passed = long_name(name)](const std::vector<std::string>& values) {
      for (const std::string& each : values) into->emplace_back(passed).append("=").append(each);
    };
    return app_.add_option_function<std::vector<std::string>>(name, take, about)
        ->allow_extra_args(false)
        ->type_name(type);
  }

  void words(const std::string& name, const std::vector<std::string>& known, const std::string& about) const {
    std::vector<named_choice<std::string>> choices;
    choices.reserve(known.size());
    for (const std::string& each : known) choices.push_back({each, each});
    add_choice<std::string>(app_, name, about, choices,
                            [into = &into_, name](const std::string& word) { into->push_back(name + "=" + word); });
  }

 private:
  static std::string long_name(const std::string& names) { return names.substr(names.find("--")); }

  CLI::App& app_;
  std::vector<std::string>& into_;
};

void declare_rules(const passed_options& options) {
  options.words("--names", {"mars", "cfgrib", "earthkit"}, "Names of dimensions and variables. Default: mars");
  options.text("--variable-key", "KEY", "Key whose values are the variables");
  options.text("--dims", "KEYS", "Further keys that may be dimensions, comma-separated");
  options.text("--ignore", "KEYS", "Keys that are not read, comma-separated");
  options.text("--ensure-dims", "NAMES", "Dimensions that stay if they have one value only, comma-separated");
  options.flag("--no-squeeze", "Keep all dimensions of one value");
  options.text("--fill", "KEY=VALUE", "Value of a key where it is absent; several are comma-separated");
  options.text("--dim-names", "NAMES", "Names of the dimensions of objects, comma-separated, or SIZE=NAME");
  options.words("--control", {"member", "separate"},
                "The control forecast beside an ensemble is member 0, or is apart. Default: member");
  options.words("--duplicates", {"error", "first", "last", "stack"},
                "Of several objects for one cell: an error, the first, the last, or a dimension. Default: error");
  options.words("--intervals", {"split", "mixed"},
                "A variable has intervals of one start or length, or of any. Default: split");
  options.words("--join", {"exact", "outer"},
                "Variables of other coordinates are other cubes, or get all coordinates and holes. Default: exact");
  options.flag("--promote", "Objects of different dtypes are one variable if a dtype holds all values");
  options.words("--time-unit", {"ns", "us", "ms", "s"}, "Unit of dates and steps. Default: ns if all fit, else s");
  options.words("--mars-time", {"hours", "HHMM"}, "Meaning of integers below 100 in mars.time");
  options.text("--rename", "OLD=NEW", "New name of a variable, dimension or coordinate; several are comma-separated");
}

}  // namespace

action declare_cube(CLI::App& app, session& run) {
  const auto given = std::make_shared<cube_options>();
  add_targets(app, given->files, "Archives, which are one cube together");
  app.add_option("-w,--where", given->chosen.clauses,
                 "Use only objects that match: 'mars.param=2t/10u and step=0..24'; several must all hold")
      ->allow_extra_args(false)
      ->type_name("WHERE");
  const passed_options options(app, given->passed);
  declare_rules(options);
  options.text("--group", "NAME", "Show only this cube")->expected(1);
  options.text("--variable", "NAMES", "Show only these variables, comma-separated");
  options.text("--at", "KEY=VALUE", "Show the object of each cell with these labels: step=6h/12h,levelist=500");
  options.flag("--cells", "Show the object of every cell");
  options.flag("--map", "Show a picture of the cells: of variables with holes, or of those of --variable");
  options.flag("-j,--json", "Print JSON in one line, or a line for each cell");
  app.add_option("--python", given->python, "The interpreter. Default: $TGMAP_PYTHON, else python3 on PATH")
      ->type_name("PROGRAM");
  return [given, &run] { run_cube(*given, run); };
}

}  // namespace tgmap::cli
