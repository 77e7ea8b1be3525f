// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/constant/reading.hpp"
#include "cli/constant/verbs.hpp"
#include "cli/constant/writing.hpp"

namespace tgmap::cli {

namespace {

struct constant_sample_options {
  std::string type;
  constant_writing writing;
};

constexpr std::uint64_t most_sample_cells = 1'000'000;

void run_constant_sample(const constant_sample_options& given, session& run) {
  const constant::tensor_type type = type_from(given.type);
  run.report.guard(type.text(), [&] {
    failure why;
    const constant::tensor_constant made = constant::make_sample(type, most_sample_cells, why);
    if (why.code == constant::errc::too_large)
      throw cli_error(fmt::format("a sample of it would have more than {} cells", most_sample_cells),
                      "give its dimensions smaller sizes");
    if (why) throw error(why);
    write_constant(made, given.writing, run);
  });
}

}  // namespace

action declare_constant_sample(CLI::App& app, session& run) {
  const auto given = std::make_shared<constant_sample_options>();
  app.add_option("-t,--type", given->type, "The type, as tensor<float>(key{},x[3])")->required()->type_name("TYPE");
  add_constant_writing(app, given->writing);
  return [given, &run] { run_constant_sample(*given, run); };
}

}  // namespace tgmap::cli
