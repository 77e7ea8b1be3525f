// SPDX-License-Identifier: Apache-2.0
// Verbs as whole processes: time beyond the scan of the library, time for each message, and least time.
#include <algorithm>
#include <chrono>
#include <fstream>

#include "operations/operations.hpp"
#include "support/page_cache.hpp"
#include "support/process.hpp"

namespace tgmap_bench {

namespace {

using words = std::vector<std::string>;

words command(const words& arguments, const std::filesystem::path& on) {
  words out{TGMAP_COMMAND};
  out.insert(out.end(), arguments.begin(), arguments.end());
  out.push_back(on.string());
  return out;
}

/// Returns the minimum of seven runs in milliseconds.
template <class F>
double least_milliseconds(F&& run) {
  double least = 1e9;
  for (int i = 0; i < 7; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
    least = std::min(least, passed.count());
  }
  return least;
}

/// A verb that needs all messages, compared with the scan that finds them.
row beyond_scan(const std::string& verb, const archives& files) {
  return {.name = "command/" + verb + "/small",
          .unit = "archive",
          .prepare =
              [=, &files] {
                const auto path = files.path(shape::small);
                make_warm(path);
                const auto run = [=] { run_command(command({verb}, path)); };
                const auto scan = [=] { expect(tgmap::archive(path).size() != 0, "the archive has no messages"); };
                std::vector<floor_loop> floors{{.name = "our scan", .run = scan, .counts = false}};
                if (verb != "count")
                  floors.push_back({.name = "count", .run = [=] { run_command(command({"count"}, path)); }});
                return contest{.operation = run, .floors = floors, .value = [=] {
                                 return least_milliseconds(run) - least_milliseconds(scan);
                               }};
              },
          .rounds = 5,
          .value_name = "ms beyond our scan"};
}

/// A verb that reads the metadata of each message.
row each_message(const std::string& name, const words& arguments, const archives& files) {
  return {.name = "command/" + name + "/small",
          .unit = "message",
          .prepare =
              [=, &files] {
                const auto path = files.path(shape::small);
                make_warm(path);
                return contest{.units = static_cast<double>(files.messages(shape::small)),
                               .operation = [=] { run_command(command(arguments, path)); }};
              },
          .rounds = 5};
}

/// A verb on an empty archive, compared with /bin/true.
row at_least(const std::string& verb, const archives& files) {
  return {.name = "command/" + verb + "/empty",
          .unit = "process",
          .prepare =
              [=, &files] {
                const auto path = files.directory() / "empty.tgm";
                std::ofstream(path).flush();
                const auto run = [=] { run_command(command({verb}, path)); };
                const auto nothing = [] { run_command({"/bin/true"}); };
                return contest{.operation = run,
                               .floors = {{.name = "/bin/true", .run = nothing, .counts = false}},
                               .value = [=] { return least_milliseconds(run) - least_milliseconds(nothing); }};
              },
          .value_name = "ms of our own"};
}

}  // namespace

void add_command_rows(std::vector<row>& rows, const archives& files) {
  for (const char* verb : {"count", "info"}) rows.push_back(beyond_scan(verb, files));
  rows.push_back(each_message("ls_keys_one_thread", {"ls", "-p", "mars.param,mars.step", "--threads", "1"}, files));
  rows.push_back(each_message("ls_keys", {"ls", "-p", "mars.param,mars.step"}, files));
  rows.push_back(each_message(
      "ls_where", {"ls", "-p", "@message", "-w", "mars.class=od and mars.param=2t and @message=77", "--threads", "1"},
      files));
  for (const char* verb : {"info", "ls", "validate"}) rows.push_back(at_least(verb, files));
}

void add_show_rows(std::vector<row>& rows, const archives& files) {
  const auto add = [&](const std::string& what, std::vector<std::string> options) {
    rows.push_back({.name = "show/" + what, .unit = "field", .prepare = [=, &files] {
                      const auto path = files.path(shape::one_field);
                      make_warm(path);
                      std::vector<std::string> words{TGMAP_COMMAND, "show", path.string()};
                      words.insert(words.end(), options.begin(), options.end());
                      return contest{.operation = [=] { run_command(words); }};
                    }});
  };
  add("colours", {"--color", "always", "--width", "200", "--height", "60"});
  add("json", {"--json"});
}

}  // namespace tgmap_bench
