// SPDX-License-Identifier: Apache-2.0
// A picture of a field, by the command as a whole.
#include "operations/operations.hpp"
#include "support/page_cache.hpp"
#include "support/run_command.hpp"

namespace tgmap_bench {

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
