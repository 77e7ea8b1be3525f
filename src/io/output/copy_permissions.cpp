// SPDX-License-Identifier: Apache-2.0
#include "io/output/copy_permissions.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/file_status.hpp"
#ifdef __linux__
#include <sys/xattr.h>
#endif

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

constexpr ::mode_t group_permissions = 070;  // with an access list: the upper bound for all its entries
constexpr ::mode_t all_bits = 07777, permission_bits = 0777;

#ifdef __linux__

constexpr const char* access_list_attribute = "system.posix_acl_access";

/// Returns whether a file is that of an earlier status. On a network its number may have changed.
bool is_same(int descriptor, const file_status& now, const file_status& before) noexcept {
  const bool is_unchanged = now.size == before.size && now.changed_at == before.changed_at && now.user == before.user;
  return now.identity == before.identity || (is_unchanged && io::network_file_system(descriptor) != nullptr);
}

/// Returns the access control list of a file, empty if it has none. Returns nothing if the list cannot be read, or if
/// another file has the name by now.
std::optional<std::vector<std::byte>> access_list_of(const output_location& of) {
  constexpr int flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  io::file file(::openat(of.folder->descriptor(), of.name.c_str(), O_RDONLY | flags));
  const bool is_readable = static_cast<bool>(file);
  if (!is_readable) file = io::file(::openat(of.folder->descriptor(), of.name.c_str(), O_PATH | flags));
  file_status status;
  if (!file || !io::read_status(file.descriptor(), status) || !is_same(file.descriptor(), status, of.status))
    return std::nullopt;
  std::vector<std::byte> list(std::size_t{64} << 10);                             // the system's maximum
  const std::string path = "/proc/self/fd/" + std::to_string(file.descriptor());  // without the right to read it
  const ::ssize_t size = is_readable ? ::fgetxattr(file.descriptor(), access_list_attribute, list.data(), list.size())
                                     : ::getxattr(path.c_str(), access_list_attribute, list.data(), list.size());
  if (size < 0 && errno != ENODATA && errno != EOPNOTSUPP) return std::nullopt;
  list.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return list;
}

void remove_access_list(int descriptor) noexcept {
  static_cast<void>(::fremovexattr(descriptor, access_list_attribute));
}

void set_access_list(int descriptor, const std::vector<std::byte>& list) noexcept {
  static_cast<void>(::fsetxattr(descriptor, access_list_attribute, list.data(), list.size(), 0));
}

#else

std::optional<std::vector<std::byte>> access_list_of(const output_location&) { return std::vector<std::byte>(); }
void remove_access_list(int) noexcept {}
void set_access_list(int, const std::vector<std::byte>&) noexcept {}

#endif

}  // namespace

void copy_permissions(int descriptor, const output_location& from) {
  const file_status& old = from.status;
  const bool same_owner = ::fchown(descriptor, old.user, old.group) == 0;
  const bool same_group = same_owner || ::fchown(descriptor, static_cast<::uid_t>(-1), old.group) == 0;
  const auto list = access_list_of(from);
  remove_access_list(descriptor);  // the folder may have set a default one
  ::mode_t mode = old.mode & (same_owner ? all_bits : permission_bits);
  if (!same_group || !list || !list->empty()) mode &= ~group_permissions;
  static_cast<void>(::fchmod(descriptor, mode));
  if (same_group && list && !list->empty()) set_access_list(descriptor, *list);  // restores the group permissions, too
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
