// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/verbs/exchange/constant/constant.hpp"

namespace tgmap::cli {

namespace {

struct constant_sample_options {
  std::string type;
  constant_output_options output;
};

constexpr std::uint64_t max_sample_cells = 1'000'000;

void run_constant_sample(const constant_sample_options& given, session& run) {
  const constant::tensor_type type = parse_type(given.type);
  run.report.guard(type.text(), [&] {
    failure why;
    const constant::tensor_constant sample = constant::make_sample(type, max_sample_cells, why);
    if (why.code == constant::errc::too_large)
      throw cli_error(fmt::format("a sample would have more than {} cells", max_sample_cells),
                      "use smaller dimensions");
    if (why) throw error(why);
    write_constant(sample, given.output, run);
  });
}

}  // namespace

action declare_constant_sample(CLI::App& app, session& run) {
  const auto given = std::make_shared<constant_sample_options>();
  app.add_option("-t,--type", given->type, "The type, as tensor<float>(key{},x[3])")->required()->type_name("TYPE");
  add_constant_output_options(app, given->output);
  return [given, &run] { run_constant_sample(*given, run); };
}

}  // namespace tgmap::cli
