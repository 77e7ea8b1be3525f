// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/access_of_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utility>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <vector>

namespace tgmap::cli {

namespace {

constexpr const char* access_list = "system.posix_acl_access";
constexpr mode_t of_group = 070;  // with a list: the most that anybody in it may

/// Empty: there is none. Nothing: that is not known, or another file has the name by now.
std::optional<std::vector<std::byte>> list_of(const output_place& file) {
  const int descriptor = ::openat(file.folder->descriptor(), file.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct statx found {};
  std::optional<std::vector<std::byte>> out;
  if (look_at(descriptor, found) && file_identity(found) == file.identity) {
    std::vector<std::byte> list(64U << 10);  // as large as they get
    const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
    const ssize_t size = ::getxattr(path.c_str(), access_list, list.data(), list.size());
    if (size >= 0 || errno == ENODATA || errno == EOPNOTSUPP) {
      list.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
      out = std::move(list);
    }
  }
  ::close(descriptor);
  return out;
}

}  // namespace

void take_access(int descriptor, const output_place& of) {
  const bool same = ::fchown(descriptor, of.user, of.group) == 0;
  const bool same_group = same || ::fchown(descriptor, static_cast<uid_t>(-1), of.group) == 0;
  const auto list = list_of(of);
  static_cast<void>(::fremovexattr(descriptor, access_list));  // one that the folder gave it
  mode_t mode = of.mode & (same ? 07777 : 0777);
  if (!same_group || !list || !list->empty()) mode &= ~of_group;
  static_cast<void>(::fchmod(descriptor, mode));
  if (same_group && list && !list->empty())
    static_cast<void>(::fsetxattr(descriptor, access_list, list->data(), list->size(), 0));  // brings the group's back
}

}  // namespace tgmap::cli
