// SPDX-License-Identifier: Apache-2.0
#include "cli/input/target.hpp"

#include <algorithm>

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
  if (text.starts_with('@') && !exists(out.file) && exists(std::string(text.substr(1))))
    throw usage_error("'" + std::string(text) + "' is a list of files, which can be used only where several files can",
                      "name an archive");
  return out;
}

std::vector<target> parse_targets(const std::vector<std::string>& texts) {
  std::vector<target> out;
  out.reserve(texts.size());
  for (const std::string& text : texts) out.push_back(parse_target(text));
  if (std::count_if(out.begin(), out.end(), [](const target& t) { return t.file == "-"; }) > 1)
    throw usage_error("standard input can be read only once; save it to a file first");
  return out;
}

std::vector<target> whole_messages(const std::vector<std::string>& texts) {
  std::vector<target> out = parse_targets(texts);
  for (const target& each : out)
    if (each.objects)
      throw usage_error("'" + each.file + "': messages are copied whole; leave the objects out of the address");
  return out;
}

}  // namespace tgmap::cli
