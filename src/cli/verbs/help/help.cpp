// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/command/option_model.hpp"
#include "cli/command/verb.hpp"
#include "core/text/nearest_word.hpp"
#include "manual/page.hpp"

namespace tgmap::cli {

namespace {

void run_help(const CLI::App& command, const std::vector<std::string>& words, session& run) {
  const std::string wanted = words.empty() ? "tgmap" : CLI::detail::join(words, "-");
  const verb_model all = model_of(command);
  if (const auto page = manual::find_page(all, wanted))
    return run.out.write(manual::as_text(*page, window_size().columns, run.out.heading_style()));
  const std::string near = core::nearest_word(wanted, manual::page_names(all));
  throw usage_error("there is no verb or topic '" + wanted + "'" +
                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

}  // namespace

action declare_help(CLI::App& app, session& run) {
  const auto wanted = std::make_shared<std::vector<std::string>>();
  app.add_option("NAME", *wanted, "A verb, a verb and its subverb, or a topic; default: the whole command")
      ->type_name("");
  return [wanted, &app, &run] { run_help(*app.get_parent(), *wanted, run); };
}

}  // namespace tgmap::cli
