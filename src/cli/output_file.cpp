// SPDX-License-Identifier: Apache-2.0
#include "cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "cli/complaint.hpp"
#include "cli/output.hpp"

namespace tgmap::cli {

namespace {

constexpr mode_t before_umask = 0666;

/// A name that nothing has yet, short whatever the length of the other name; nothing at all when the directory
/// cannot be written. Sets errno.
std::pair<std::filesystem::path, int> create_beside(const std::filesystem::path& path) {
  for (int attempt = 0;; ++attempt) {
    auto name = path;
    name.replace_filename(".tgmap-" + std::to_string(::getpid()) + "-" + std::to_string(attempt));
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, before_umask);
    if (descriptor >= 0 || errno != EEXIST) return {std::move(name), descriptor};
  }
}

}  // namespace

output_file::output_file(std::filesystem::path path) : path_(std::move(path)) {
  struct stat there {};
  const bool exists = ::stat(path_.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(there.st_mode)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }

  if (exists) path_ = std::filesystem::canonical(path_);  // a link stays a link
  auto [name, descriptor] = create_beside(path_);
  if (descriptor < 0) fail(errno);
  temporary_ = std::move(name);
  descriptor_ = descriptor;
  if (exists) static_cast<void>(::fchmod(descriptor_, there.st_mode & 07777));  // who may read it stays the same
}

output_file::~output_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void output_file::write(std::span<const std::byte> data) {
  if (!write_all(descriptor_, data)) fail(errno);
}

void output_file::commit() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void output_file::fail(int number) const { throw file_error(number, path_.string()); }

}  // namespace tgmap::cli
