// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/tell_of_output.hpp"

#include "cli/outputs/output_file.hpp"
#include "cli/print/escape.hpp"

namespace tgmap::cli {

void tell_of_output(session& run, const std::string& name, const std::string& line) {
  names_standard_output(name) ? run.report.hint(line) : run.out.write(escaped(line) + "\n");
}

}  // namespace tgmap::cli
