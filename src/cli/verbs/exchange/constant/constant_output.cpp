// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <tgmap/constant/enum_names.hpp>

#include "cli/options/option_checks.hpp"
#include "cli/output/output_options.hpp"
#include "cli/verbs/exchange/constant/constant.hpp"

namespace tgmap::cli {

namespace {

template <class Sink>
void write_to(const constant::tensor_constant& from, const constant_output_options& given, Sink& to) {
  failure why;
  if (given.typed_binary)
    constant::write_typed_binary(from, given.how, to, why);
  else
    constant::write_json(from, given.how, to, why);
  to.throw_if(why);
}

}  // namespace

void session_sink::write_pieces(std::span<const std::span<const std::byte>> pieces) {
  for (const auto each : pieces) to_.write(each);
}

void add_constant_output_options(CLI::App& app, constant_output_options& into) {
  using constant::form;
  auto forms = by_name<form, std::optional<form>>(
      {form::long_form, form::short_form, form::long_value, form::short_value, form::hex, form::hex_value});
  forms.push_back({"tbf", std::nullopt});
  add_choice<std::optional<form>>(
      app, "--form",
      "Form of the output. short: the type and the shortest form; long: every cell with its address; "
      "-value: without the type; hex: digits for extended readers; tbf: typed binary. Default: "
      "short, long for scalars",
      forms, [&into](std::optional<form> chosen) {
        into.has_form = true;
        into.typed_binary = !chosen;
        if (chosen) into.how.form = *chosen;
      });
  add_choice<constant::number_style>(
      app, "--style",
      "Style of numbers. shortest: the fewest digits that give the same cell; upstream: as Vespa writes them, null for "
      "NaN and infinities. Default: shortest",
      by_name({constant::number_style::shortest, constant::number_style::upstream}),
      [&into](constant::number_style chosen) { into.how.style = chosen; });
  app.add_flag_callback(
      "--sorted", [&into] { into.how.order = constant::block_order::sorted; },
      "Sort blocks by labels; default: stored order");
  app.add_option("-o,--output", into.to, "The file to write; default: standard output")->type_name("OUT");
  add_output_options(app, into.output);
}

void write_constant(const constant::tensor_constant& from, const constant_output_options& options, session& run) {
  constant_output_options given = options;
  // Readers of constants only accept the long form without dimensions.
  if (!given.has_form && from.type().is_scalar()) given.how.form = constant::form::long_form;
  if (given.to == "-") {
    if (given.typed_binary) refuse_binary_at_terminal(STDOUT_FILENO, given.to);
    session_sink to(run.out);
    write_to(from, given, to);
    if (run.out.is_terminal() && !given.typed_binary) run.out.write("\n");
    return;
  }
  given.output.is_text = !given.typed_binary;
  edit::output_set outputs = outputs_for(given.output, run);
  edit::output_sink to(outputs.open(given.to));
  write_to(from, given, to);
  to.finish();
  const std::uint64_t bytes = to.bytes_written();
  outputs.commit();
  report_output(run, given.to, fmt::format("{}: {} cells, {} bytes", given.to, from.size(), bytes));
}

}  // namespace tgmap::cli
