// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <tgmap/detail/output_file.hpp>

#include "io/file.hpp"
#include "io/file_status.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

#ifdef O_PATH
constexpr int open_flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
#else
constexpr int open_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
#endif

}  // namespace

// The appended "/." makes Linux follow a link to a folder wherever it is; with fs.protected_symlinks it may refuse a
// link that ends the path.
output_folder::output_folder(const std::filesystem::path& path, const output_folder* from, failure& why)
    : descriptor_(::openat(from == nullptr ? AT_FDCWD : from->descriptor(), (path / ".").c_str(), open_flags)) {
  file_status status;
  why = {};
  if (descriptor_ < 0 || !io::read_status(descriptor_, status)) {
    why = io::system_failure();
    return;
  }
  identity_ = status.identity;
  owner_ = status.user;
  is_sticky_ = (status.mode & S_ISVTX) != 0;
  is_shared_ = is_sticky_ && (status.mode & S_IWOTH) != 0;
}

output_folder::~output_folder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool output_folder::read_status(const std::string& name, file_status& into) const noexcept {
  return io::read_status(descriptor_, name.c_str(), false, into);
}

bool output_folder::is_foreign(const file_status& file) const noexcept {
  return is_shared_ && file.user != owner_ && file.user != ::geteuid();
}

bool output_folder::forbids_replacing(const file_status& file) const noexcept {
  const ::uid_t user = ::geteuid();
  return is_sticky_ && user != 0 && user != owner_ && user != file.user;
}

failure output_folder::check_writable() const noexcept {
  return ::faccessat(descriptor_, ".", W_OK | X_OK, 0) == 0 ? failure() : io::system_failure();
}

failure output_folder::sync() const noexcept {
  const io::file readable(::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!readable && errno == EACCES) return {};  // files can be created in a folder that cannot be listed
  if (readable && ::fsync(readable.descriptor()) == 0) return {};
  // Some file systems cannot flush folders.
  const bool is_needless = readable && (errno == EINVAL || errno == ENOTSUP);
  return is_needless ? failure() : io::system_failure();
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
