// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/copy_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "cli/input/archives.hpp"

namespace tgmap::cli {

namespace {

int open_to_copy(const target& what) {
  return what.file == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(what.file.c_str(), O_RDONLY | O_CLOEXEC);
}

bool is_regular(int descriptor) {
  struct stat facts {};
  return ::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode);
}

}  // namespace

copy_source::copy_source(const target& what, const session& run, object_lookup lookup)
    : descriptor_(open_to_copy(what)) {
  if (descriptor_ < 0) throw error(failure{.code = {errno, std::system_category()}});
  try {
    from_ = open_archive(descriptor_, run, lookup);  // of the descriptor: a name can come to mean another file
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  if (!is_regular(descriptor_)) ::close(std::exchange(descriptor_, -1));
}

copy_source::~copy_source() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace tgmap::cli
