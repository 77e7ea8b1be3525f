// SPDX-License-Identifier: Apache-2.0
#include "io/new_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>

namespace tgmap::io {

namespace {

/// Calls `take(name)` with random names in the folder until one is not in use. `take` returns 0 or more for success.
template <class Take>
failure take_name(const std::filesystem::path& folder, std::string& name, Take&& take) {
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    std::uint64_t number = 0;
    if (::getrandom(&number, sizeof number, 0) != sizeof number) return system_failure();
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), ".tgmap-%016llx", static_cast<unsigned long long>(number));
    name = (folder / text.data()).string();
    if (take(name.c_str()) >= 0) return {};
    if (errno != EEXIST) break;
  }
  failure why = system_failure();
  name.clear();
  return why;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace

new_file::new_file(const std::filesystem::path& folder, unsigned permissions, failure& why) {
  why = {};
#ifdef O_TMPFILE
  file_ = file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, permissions));
  if (file_) return;
  // These mean that the file system has no nameless files.
  if (errno != EOPNOTSUPP && errno != EISDIR) {
    why = system_failure();
    return;
  }
#endif
  why = take_name(folder, temporary_name_, [&](const char* name) {
    const int descriptor = ::open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, permissions);
    if (descriptor >= 0) file_ = file(descriptor);
    return descriptor;
  });
}

new_file::~new_file() {
  if (!temporary_name_.empty()) ::unlink(temporary_name_.c_str());
}

failure new_file::publish(const std::filesystem::path& path) {
  if (temporary_name_.empty()) {
    // A nameless file cannot replace another one: it needs a name first.
    const std::string itself = "/proc/self/fd/" + std::to_string(descriptor());
    failure why = take_name(folder_of(path), temporary_name_, [&](const char* name) {
      return ::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    });
    if (why) return why;
  }
  if (::rename(temporary_name_.c_str(), path.c_str()) != 0) return system_failure();
  temporary_name_.clear();
  return {};
}

}  // namespace tgmap::io
