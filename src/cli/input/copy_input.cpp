// SPDX-License-Identifier: Apache-2.0
#include "cli/input/copy_input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "cli/app/file_kind.hpp"
#include "cli/input/archives.hpp"

namespace tgmap::cli {

namespace {

int open_descriptor(const target& what) {
  return what.file == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(what.file.c_str(), O_RDONLY | O_CLOEXEC);
}

bool is_regular(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

copy_input::copy_input(const target& what, session& run, object_lookup lookup)
    : source_{.name = what.file, .descriptor = open_descriptor(what)} {
  if (source_.descriptor < 0) throw error(failure{.code = {errno, std::system_category()}});
  try {
    // Not by name: the file of that name may have changed.
    const bool is_open = what.file == "-" && run.standard_input;
    source_.from = is_open ? *run.standard_input : open_archive(source_.descriptor, run, lookup);
    if (!what.offset) require_archive(source_.from);
  } catch (...) {
    ::close(source_.descriptor);
    throw;
  }
  if (!is_regular(source_.descriptor)) ::close(std::exchange(source_.descriptor, -1));  // it was read into memory
}

copy_input::~copy_input() {
  if (source_.descriptor >= 0) ::close(source_.descriptor);
}

}  // namespace tgmap::cli
