// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <sys/xattr.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace tgmap_test {

inline constexpr const char* access_list_name = "system.posix_acl_access";
inline constexpr const char* default_list_name = "system.posix_acl_default";

/// An access control list as Linux stores it. The owner and user 12345 may read and write; group and others may not.
/// The group bits of the mode are the mask of the list.
inline constexpr std::string_view access_list_for_one(
    "\x02\0\0\0"
    "\x01\0\x06\0\xff\xff\xff\xff"
    "\x02\0\x06\0\x39\x30\0\0"
    "\x04\0\0\0\xff\xff\xff\xff"
    "\x10\0\x06\0\xff\xff\xff\xff"
    "\x20\0\0\0\xff\xff\xff\xff",
    44);
inline constexpr mode_t access_list_mode = 0660;

/// Returns false if the file system does not support such lists.
inline bool give_access_list(const std::filesystem::path& to, std::string_view list,
                             const char* name = access_list_name) {
  return ::setxattr(to.c_str(), name, list.data(), list.size(), 0) == 0;
}

/// Returns the list, empty if there is none.
inline std::string access_list_of(const std::filesystem::path& file) {
  std::string out(1024, '\0');
  const ssize_t size = ::getxattr(file.c_str(), access_list_name, out.data(), out.size());
  out.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return out;
}

}  // namespace tgmap_test
