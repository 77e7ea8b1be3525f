// SPDX-License-Identifier: Apache-2.0
#include "cli/constant/writing.hpp"

#include <fmt/format.h>

#include "cli/app/cli_error.hpp"
#include "cli/options/option_checks.hpp"
#include "cli/outputs/output_sink.hpp"
#include "cli/outputs/tell_of_output.hpp"

namespace tgmap::cli {

namespace {

/// Standard output, as the command writes it.
class output_of_session final : public sink {
 public:
  explicit output_of_session(output& to) noexcept : to_(to) {}
  using sink::write;
  failure write(std::span<const std::span<const std::byte>> pieces) noexcept override try {
    for (const auto each : pieces) to_.write(each);
    return {};
  } catch (...) {
    problem_ = std::current_exception();
    return {.code = std::make_error_code(std::errc::io_error)};
  }
  void rethrow_problem() const {
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  output& to_;
  std::exception_ptr problem_{};
};

template <class Sink>
void write_to(const constant::tensor_constant& from, const constant_writing& given, Sink& to) {
  failure why;
  if (given.typed_binary)
    constant::write_typed_binary(from, given.how, to, why);
  else
    constant::write_json(from, given.how, to, why);
  if (!why) return;
  to.rethrow_problem();
  throw error(why);
}

}  // namespace

void add_constant_writing(CLI::App& app, constant_writing& into) {
  using constant::form;
  std::vector<named_choice<std::optional<form>>> forms;
  for (const form each :
       {form::long_form, form::short_form, form::long_value, form::short_value, form::hex, form::hex_value})
    forms.push_back({std::string(to_string_view(each)), each});
  forms.push_back({"tbf", std::nullopt});
  add_choice<std::optional<form>>(app, "--form",
                                  "short (unless said, but of scalars) names the type and the shortest form, long "
                                  "every cell with its address; -value leaves the "
                                  "type out; hex has digits that only extended readers take; tbf is typed binary",
                                  forms, [&into](std::optional<form> chosen) {
                                    into.form_chosen = true;
                                    into.typed_binary = !chosen;
                                    if (chosen) into.how.form = *chosen;
                                  });
  add_choice<constant::number_style>(
      app, "--style",
      "shortest (unless said): the fewest digits that give the same cell; upstream: as Vespa writes, null for NaN and "
      "infinities",
      {{"shortest", constant::number_style::shortest}, {"upstream", constant::number_style::upstream}},
      [&into](constant::number_style chosen) { into.how.style = chosen; });
  app.add_flag_callback(
      "--sorted", [&into] { into.how.order = constant::block_order::sorted; },
      "Sort by labels; else blocks come as they are stored");
  app.add_option("-o,--output", into.to, "The file to write; - is standard output, also where none is named")
      ->type_name("OUT");
  add_output_options(app, into.output);
}

void write_constant(const constant::tensor_constant& from, const constant_writing& asked, session& run) {
  constant_writing given = asked;
  // Without dimensions readers of constants take cells alone.
  if (!given.form_chosen && from.type().is_scalar()) given.how.form = constant::form::long_form;
  if (given.to == "-") {
    output_of_session to(run.out);
    write_to(from, given, to);
    if (run.out.is_terminal() && !given.typed_binary) run.out.write("\n");
    return;
  }
  output_set outputs(given.output, run);
  output_sink to(outputs.at(given.to));
  write_to(from, given, to);
  to.flush();
  const std::uint64_t bytes = to.bytes_written();
  outputs.commit();
  tell_of_output(run, given.to, fmt::format("{}: {} cells, {} bytes", given.to, from.size(), bytes));
}

}  // namespace tgmap::cli
