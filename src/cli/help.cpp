// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/complaint.hpp"
#include "cli/declared.hpp"
#include "cli/manual/page.hpp"
#include "cli/manual/print_text.hpp"
#include "cli/spelling.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

void run_help(const CLI::App& command, const std::string& wanted, session& run) {
  const auto page = manual::find_page(command, wanted);
  if (page) return run.out.write(manual::as_text(*page, run.out));
  std::vector<std::string> names = verb_names(command);
  for (const manual::topic& each : manual::topics()) names.emplace_back(each.name);
  const std::string near = nearest_word(wanted, names);
  throw usage_error("there is no verb and no topic '" + wanted + "'" +
                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

}  // namespace

action declare_help(CLI::App& app, session& run) {
  const auto wanted = std::make_shared<std::string>("tgmap");
  app.add_option("NAME", *wanted, "A verb or a topic; nothing: the command as a whole")->type_name("");
  return [wanted, &app, &run] { run_help(*app.get_parent(), *wanted, run); };
}

}  // namespace tgmap::cli
