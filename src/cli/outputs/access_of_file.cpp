// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/access_of_file.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

namespace tgmap::cli {

namespace {

constexpr const char* access_list = "system.posix_acl_access";
constexpr mode_t of_group = 070;  // with a list: the most that anybody in it may

/// Empty: there is none.
std::vector<std::byte> list_of(const std::filesystem::path& file) {
  std::vector<std::byte> out(64U << 10);  // as large as they get
  const ssize_t size = ::getxattr(file.c_str(), access_list, out.data(), out.size());
  out.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return out;
}

}  // namespace

void take_access(int descriptor, const output_place& of) {
  const bool same = ::fchown(descriptor, of.user, of.group) == 0;
  const bool same_group = same || ::fchown(descriptor, static_cast<uid_t>(-1), of.group) == 0;
  const std::vector<std::byte> list = list_of(of.path);
  static_cast<void>(::fremovexattr(descriptor, access_list));  // one that the folder gave it
  mode_t mode = of.mode & (same ? 07777 : 0777);
  if (!same_group || !list.empty()) mode &= ~of_group;
  static_cast<void>(::fchmod(descriptor, mode));
  if (same_group && !list.empty())
    static_cast<void>(::fsetxattr(descriptor, access_list, list.data(), list.size(), 0));  // brings the group's back
}

}  // namespace tgmap::cli
