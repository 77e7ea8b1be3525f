// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/exchange/constant/constant.hpp"

#include <fmt/format.h>

#include <array>
#include <tgmap/constant/archive.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/app/file_kind.hpp"
#include "cli/app/read_input.hpp"
#include "cli/input/archives.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/options/option_checks.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array verbs_of_constant{
    verb{"check", "Check files with tensor constants and report problems", declare_constant_check},
    verb{"cells", "Print every cell of a constant with its address", declare_constant_cells},
    verb{"get", "Print one cell or one block by its address", declare_constant_get},
    verb{"import", "Write constants to an archive, one message each", declare_constant_import},
    verb{"export", "Write a constant or an object as JSON or typed binary", declare_constant_export},
    verb{"sample", "Write an example of a type in any form", declare_constant_sample},
};

}  // namespace

action declare_constant(CLI::App& app, session& run) {
  return add_verbs(app, verbs_of_constant, run, [](const verb&) { return true; });
}

namespace {

constexpr const char* type_syntax =
    "a type is tensor<float>(key{},x[3]): double, float, bfloat16 or int8, and dimensions";

}  // namespace

void add_constant_input_options(CLI::App& app, constant_input_options& into, session& run) {
  app.add_option("-t,--type", into.type, "The type, as tensor<float>(key{},x[3]); default: the type in the file")
      ->type_name("TYPE");
  app.add_option("--cell-type", into.cell_type,
                 "Use this cell type instead of that of the type: double, float, bfloat16 or int8")
      ->check(offered_words({"double", "float", "bfloat16", "int8"}))
      ->type_name("CELLS");
  app.add_flag("--extended", into.extended,
               "Also accept the forms of documents: flat values, hexadecimal digits, numeric labels, cells alone");
  app.add_flag("--empty-labels", into.empty_labels, "Accept empty labels");
  app.add_flag("--nearest", into.nearest, "Round bfloat16 to nearest; default: truncate, as Vespa does");
  add_decode_limits(app, run, decoding_verb::constants);
}

constant::tensor_type parse_type(const std::string& text) {
  failure why;
  constant::tensor_type out = constant::tensor_type::parse(text, why);
  if (!why) return out;
  throw usage_error(fmt::format("'{}' is not the type of a constant: {} at character {}", core::escaped(text),
                                why.code.message(), why.offset + 1),
                    type_syntax);
}

dtype parse_cell_type(const std::string& text) {
  if (const auto known = constant::cell_type_from_name(text)) return *known;
  throw usage_error(fmt::format("'{}' is not a cell type", core::escaped(text)), "use double, float, bfloat16 or int8");
}

constant::read_options read_options_of(const constant_input_options& given, session& run) {
  constant::read_options out;
  if (!given.type.empty()) out.type = parse_type(given.type);
  if (!given.cell_type.empty()) out.cell_type = parse_cell_type(given.cell_type);
  out.extended = given.extended;
  out.allow_empty_labels = given.empty_labels;
  out.round_to_nearest = given.nearest;
  if (const auto limit = run.limits.requested_object_bytes()) out.max_bytes = *limit;
  if (run.threads != 1) out.executor = &run.workers();
  return out;
}

namespace {

constant::tensor_constant from_message(const target& what, const constant::read_options& how, session& run,
                                       constant::report& report) {
  if (what.objects)
    throw usage_error("'" + what.file + "': a constant is a whole message; remove the object from the address");
  const archive in = open_archive(what, run);
  const message m = find_one_message(in, what, "one", ":0");
  constant::tensor_constant out = constant::from_archive(in, m, how, report);
  if (report && report.first().code.category() != constant::category()) throw error(report.first());
  return out;
}

}  // namespace

bool names_archive(const std::string& from) {
  const target what = parse_target(from);
  return !what.whole_file() || (what.file != "-" && convert::find_file_format(what.file) == file_format::archive);
}

constant::tensor_constant read_constant(const std::string& from, const constant::read_options& how, session& run,
                                        constant::report& report) {
  report = {};
  if (from != "-" && names_archive(from)) return from_message(parse_target(from), how, run, report);
  if (from != "-") {
    constant::tensor_constant out = constant::read_file(from, how, report);
    const file_format format = report ? convert::find_file_format(from) : file_format::unknown;
    const file_kind* const kind = kind_of(format);
    if (kind != nullptr && !may_be_constant(format))
      throw cli_error(fmt::format("is not a tensor constant: {}", kind->name), std::string(kind->next_step), from);
    return out;
  }
  const convert::file_bytes input = read_input(from);
  const auto bytes = input.bytes();
  return constant::read_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, how, report);
}

constant::tensor_constant read_valid_constant(const std::string& from, const constant::read_options& how,
                                              session& run) {
  constant::report report;
  constant::tensor_constant out = read_constant(from, how, run, report);
  for (const constant::problem& each : report.warnings)
    run.report.hint(problem_location(from, each) + ": " + each.what());
  if (!report) return out;
  const constant::problem& first = report.problems.front();
  throw cli_error(first.what(), next_step_of_constant(first, from, needs_extended(from, first, how, run)),
                  problem_location(from, first));
}

bool needs_extended(const std::string& from, const constant::problem& what, const constant::read_options& how,
                    session& run) {
  const bool is_json_problem = what.line != 0 && what.cause.code != constant::errc::no_type;
  if (how.extended || !is_json_problem || from == "-") return false;
  constant::read_options extended = how;
  extended.extended = true;
  extended.allow_empty_labels = true;  // reported next
  constant::report report;
  read_constant(from, extended, run, report);
  return !report;
}

std::string problem_location(const std::string& file, const constant::problem& what) {
  return what.line == 0 ? file : fmt::format("{}:{}:{}", file, what.line, what.column);
}

std::string next_step_of_constant(const constant::problem& what, const std::string& file, bool extended) {
  using constant::errc;
  if (what.cause.code.category() != constant::category()) return next_step(what.cause, file);
  if (extended) return "add --extended, which reads this form";
  switch (static_cast<errc>(what.cause.code.value())) {
    case errc::no_type: return "give the type, for example --type 'tensor<float>(x[3])'";
    case errc::type_mismatch: return "give the type of the constant, or omit --type";
    case errc::bad_type:
    case errc::unknown_cell_type:
    case errc::bad_dimension:
    case errc::bad_size:
    case errc::unbound_dimension:
    case errc::repeated_dimension:
    case errc::scalar_cell_type: return "write a type as tensor<float>(key{},x[3])";
    case errc::too_large: return "check the sizes in the type, or allow more with --max-decoded";
    case errc::wrong_form:
    case errc::unexpected_token:
    case errc::unknown_member:
    case errc::missing_member:
    case errc::mixed_forms:
    case errc::array_length:
      return std::string("run `tgmap constant sample --type TYPE` to see an example of that type") +
             (file == "-" ? ", or add --extended for forms of documents" : "");
    case errc::bad_label: return "write labels as strings, or add --extended to accept numbers";
    case errc::empty_label: return "add --empty-labels to accept them";
    case errc::bad_lz4:
    case errc::bad_tag:
    case errc::truncated:
    case errc::trailing_bytes: return "fetch or create the file again: it is damaged or of another kind";
    case errc::unsupported_lz4: return "decompress it first, with `lz4 -d`";
    case errc::not_a_constant: return "create one with `tgmap constant import`, or export an object with --dims";
    case errc::bad_constant: return "import it again from its source";
    default: return "correct the file";
  }
}

}  // namespace tgmap::cli
