// SPDX-License-Identifier: Apache-2.0
#include "cli/input/overwrite_check.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/app/cli_error.hpp"
#include "cli/output/output_file.hpp"

namespace tgmap::cli {

namespace {

void refuse_if_one(const target& input, const struct stat& output) {
  struct stat found = {};
  if ((input.file == "-" ? ::fstat(STDIN_FILENO, &found) : ::stat(input.file.c_str(), &found)) != 0) return;
  if (S_ISREG(found.st_mode) && found.st_dev == output.st_dev && found.st_ino == output.st_ino)
    throw cli_error("is the input and would be overwritten", "write to another file", input.file);
}

/// Returns true if writing to the descriptor would overwrite a file, and stores its attributes.
bool is_overwritten(std::optional<int> descriptor, struct stat& found) {
  const int flags = descriptor ? ::fcntl(*descriptor, F_GETFL) : -1;
  return flags >= 0 && (flags & O_APPEND) == 0 && (flags & O_ACCMODE) != O_RDONLY && ::fstat(*descriptor, &found) == 0;
}

}  // namespace

void refuse_to_overwrite(const target& input, const std::string& output) {
  struct stat there = {};
  const std::optional<int> descriptor = named_descriptor(output);
  if (descriptor ? is_overwritten(descriptor, there) : ::stat(output.c_str(), &there) == 0) refuse_if_one(input, there);
}

void refuse_to_overwrite_in_place(const std::vector<target>& inputs, const std::string& output) {
  struct stat there = {};
  if (!is_overwritten(named_descriptor(output), there)) return;
  for (const target& each : inputs) refuse_if_one(each, there);
}

}  // namespace tgmap::cli
