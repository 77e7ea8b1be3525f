// SPDX-License-Identifier: Apache-2.0
#include "cli/input/target.hpp"

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

bool exists_on_disk(const std::string& path) { return path == "-" || archive_address::exists(path); }

target parse_target(std::string_view text, const file_test& exists) {
  failure why;
  target out = target::parse(text, exists, why);
  if (out.file == standard_input) out.file = "-";
  if (why)
    throw usage_error("'" + std::string(text.substr(why.found - 1)) + "' after '" + out.file +
                      "' is not :MESSAGE, :MESSAGE:OBJECT, @OFFSET or @OFFSET:OBJECT; a number may be a range such "
                      "as 2..5, with both ends");
  if (!exists(out.file) && text.starts_with('@') && exists(std::string(text.substr(1))))
    throw usage_error("'" + std::string(text) + "' is a list of files, which can be used only where several files can",
                      "name an archive");
  return out;
}

}  // namespace tgmap::cli
