// SPDX-License-Identifier: Apache-2.0
#include "cli/tens/frame_files.hpp"

#include <algorithm>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

void add_frame_files(CLI::App& app, std::vector<std::string>& into) {
  app.add_option("FRAME", into, "Files of one single frame each; - is standard input")->required()->type_name("");
}

void check_frame_files(const std::vector<std::string>& files) {
  if (std::count(files.begin(), files.end(), "-") > 1)
    throw usage_error("standard input can be read once; save it to a file first");
}

}  // namespace tgmap::cli
