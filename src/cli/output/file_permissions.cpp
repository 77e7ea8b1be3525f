// SPDX-License-Identifier: Apache-2.0
#include "cli/output/file_permissions.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace tgmap::cli {

namespace {

constexpr const char* access_list_attribute = "system.posix_acl_access";
constexpr mode_t group_permissions = 070;  // with an access list: the upper bound for all its entries

/// Returns the access control list of a file, empty if it has none. Returns nothing if the list cannot be read, or if
/// another file has the name by now.
std::optional<std::vector<std::byte>> access_list_of(const output_location& file) {
  const int descriptor = ::openat(file.folder->descriptor(), file.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct statx status {};
  std::optional<std::vector<std::byte>> out;
  if (read_status(descriptor, status) && file_identity(status) == file.identity) {
    std::vector<std::byte> list(64U << 10);  // the system's maximum
    const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
    const ssize_t size = ::getxattr(path.c_str(), access_list_attribute, list.data(), list.size());
    if (size >= 0 || errno == ENODATA || errno == EOPNOTSUPP) {
      list.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
      out = std::move(list);
    }
  }
  ::close(descriptor);
  return out;
}

}  // namespace

void copy_permissions(int descriptor, const output_location& from) {
  const bool same_owner = ::fchown(descriptor, from.user, from.group) == 0;
  const bool same_group = same_owner || ::fchown(descriptor, static_cast<uid_t>(-1), from.group) == 0;
  const auto list = access_list_of(from);
  static_cast<void>(::fremovexattr(descriptor, access_list_attribute));  // the folder may have set a default one
  mode_t mode = from.mode & (same_owner ? 07777 : 0777);
  if (!same_group || !list || !list->empty()) mode &= ~group_permissions;
  static_cast<void>(::fchmod(descriptor, mode));
  if (same_group && list && !list->empty())  // restores the group permissions, too
    static_cast<void>(::fsetxattr(descriptor, access_list_attribute, list->data(), list->size(), 0));
}

}  // namespace tgmap::cli
