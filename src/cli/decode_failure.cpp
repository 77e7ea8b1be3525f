// SPDX-License-Identifier: Apache-2.0
#include "cli/decode_failure.hpp"

#include <string>

#include "cli/advice.hpp"
#include "cli/undecodable.hpp"

namespace tgmap::cli {

void tell_undecoded(std::string_view file, const object& of, failure why, reporter& report) {
  if (why.message < 0) why.message = of.frame().message().index;
  if (why.object < 0) why.object = static_cast<std::int64_t>(of.index());
  if (why.offset == 0) why.offset = of.frame().offset();
  const std::string stages = stages_concerned(of, why);
  report.failed(file, stages.empty() ? why.text() : stages + ": " + why.text(), next_step(why, file));
}

}  // namespace tgmap::cli
