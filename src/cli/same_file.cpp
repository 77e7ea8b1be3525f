// SPDX-License-Identifier: Apache-2.0
#include "cli/same_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "cli/complaint.hpp"

namespace tgmap::cli {

void refuse_to_overwrite(const target& input, const std::string& output) {
  struct stat a = {}, b = {};
  const int found = input.file == "-" ? ::fstat(STDIN_FILENO, &a) : ::stat(input.file.c_str(), &a);
  if (found != 0 || ::stat(output.c_str(), &b) != 0) return;
  if (S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
    throw complaint("is the input and would be overwritten", "write to another file");
}

}  // namespace tgmap::cli
