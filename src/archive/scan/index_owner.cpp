// SPDX-License-Identifier: Apache-2.0
#include "archive/scan/index_owner.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

std::optional<std::uint32_t> number_in(std::string_view text) noexcept {
  std::uint32_t out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  return wrong == std::errc() && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

/// Calls a function such as getpwnam_r with a larger buffer until its result fits. Returns null if there is no entry.
template <class Entry, class Call>
const Entry* find_entry(Entry& entry, std::vector<char>& buffer, Call&& call) {
  constexpr std::size_t largest = 1 << 20;
  for (buffer.resize(1024);; buffer.resize(buffer.size() * 4)) {
    Entry* found = nullptr;
    const int problem = call(&entry, buffer.data(), buffer.size(), &found);
    if (problem != ERANGE || buffer.size() >= largest) return found;
  }
}

std::optional<std::uint32_t> user_named(const std::string& name) {
  ::passwd entry{};
  std::vector<char> buffer;
  const auto* const found = find_entry(entry, buffer, [&](auto... out) { return ::getpwnam_r(name.c_str(), out...); });
  return found == nullptr ? std::nullopt : std::optional<std::uint32_t>(found->pw_uid);
}

std::optional<std::uint32_t> group_named(const std::string& name) {
  ::group entry{};
  std::vector<char> buffer;
  const auto* const found = find_entry(entry, buffer, [&](auto... out) { return ::getgrnam_r(name.c_str(), out...); });
  return found == nullptr ? std::nullopt : std::optional<std::uint32_t>(found->gr_gid);
}

bool is_member(std::uint32_t user, std::uint32_t group) {
  ::passwd entry{};
  std::vector<char> buffer;
  const auto* const found = find_entry(entry, buffer, [&](auto... out) { return ::getpwuid_r(user, out...); });
  if (found == nullptr) return false;
  std::vector<::gid_t> groups(64);
  int count = static_cast<int>(groups.size());
  if (::getgrouplist(found->pw_name, found->pw_gid, groups.data(), &count) < 0) {
    groups.resize(static_cast<std::size_t>(count));
    if (::getgrouplist(found->pw_name, found->pw_gid, groups.data(), &count) < 0) return false;
  }
  groups.resize(static_cast<std::size_t>(count));
  return std::ranges::find(groups, group) != groups.end();
}

bool names_user(std::string_view entry, std::uint32_t user) {
  constexpr std::string_view of_group = "group:";
  const bool is_group = entry.starts_with(of_group);
  const std::string name(is_group ? entry.substr(of_group.size()) : entry);
  if (name.empty()) return false;
  auto number = is_group ? group_named(name) : user_named(name);
  if (!number) number = number_in(name);
  if (!number) return false;
  return is_group ? is_member(user, *number) : *number == user;
}

}  // namespace

bool is_listed_user(std::string_view list, std::uint32_t user) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (names_user(list.substr(begin, end - begin), user)) return true;
    begin = end + 1;
  }
  return false;
}

failure check_index_owner(std::uint32_t owner, std::optional<std::uint32_t> archive_owner, std::string_view trusted) {
  const ::uid_t user = ::geteuid();
  if (owner == user || owner == 0 || owner == archive_owner || is_listed_user(trusted, owner)) return {};
  const char* const of_all = ::secure_getenv("TGMAP_TRUST_INDEX_OF");
  if (of_all != nullptr && is_listed_user(of_all, owner)) return {};
  return {.code = errc::index_not_owned, .expected = user, .found = owner};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
