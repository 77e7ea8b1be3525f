// SPDX-License-Identifier: Apache-2.0
#include "cli/common_options.hpp"

#include <initializer_list>
#include <string>
#include <utility>

namespace tgmap::cli {

namespace {

template <class Choice>
struct named {
  const char* name;
  Choice value;
};

/// An option with a handful of words as its values.
template <class Choice>
void add_choice(CLI::App& app, const std::string& option, const std::string& about,
                std::initializer_list<named<Choice>> known, std::function<void(Choice)> take) {
  std::string words;
  for (const auto& each : known) words += (words.empty() ? "" : "|") + std::string(each.name);
  const auto choose = [option, words, known = std::vector(known), take = std::move(take)](const std::string& given) {
    for (const auto& each : known)
      if (given == each.name) return take(each.value);
    throw CLI::ValidationError(option, "'" + given + "' is none of " + words);
  };
  app.add_option_function<std::string>(option, choose, about)->type_name(words)->group("Common");
}

}  // namespace

void add_common_options(CLI::App& app, session& run) {
  add_choice<io_mode>(app, "--io", "How bytes are reached",
                      {{"automatic", io_mode::automatic}, {"map", io_mode::map}, {"read", io_mode::read}},
                      [&run](io_mode mode) { run.io = mode; });
  app.add_option("--threads", run.threads, "Threads that work at once; 0: one for each core")
      ->envname("TENSOGRAM_THREADS")
      ->type_name("N")
      ->group("Common");
  add_choice<color_choice>(
      app, "--color", "Colours and bold text",
      {{"auto", color_choice::automatic}, {"always", color_choice::always}, {"never", color_choice::never}},
      [&run](color_choice color) { run.out.set_color(color); });
  app.add_flag_callback(
         "--no-progress", [&run] { run.progress = false; }, "No bar while work takes long")
      ->group("Common");
  app.add_flag_callback(
         "-q,--quiet", [&run] { run.quiet(); }, "No hints and no progress: results and errors alone")
      ->group("Common");

  // Scripts written for the reference implementation set these around any verb. They concern what is written.
  for (const char* flag : {"--allow-nan", "--allow-inf"}) app.add_flag_callback(flag, [] {})->group("");
  for (const char* option :
       {"--nan-mask-method", "--pos-inf-mask-method", "--neg-inf-mask-method", "--small-mask-threshold"})
    app.add_option_function<std::string>(option, [](const std::string&) {})->group("");
}

}  // namespace tgmap::cli
