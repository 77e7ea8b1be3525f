// SPDX-License-Identifier: Apache-2.0
#include "io/index_beside.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "io/file.hpp"

namespace tgmap::io {

namespace {

/// Checks the first bytes of a file, which may be of any kind.
bool is_index(int folder, const std::filesystem::path& path) {
  const file opened(::openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  file_kind kind{};
  std::uint64_t size = 0;
  if (!opened || opened.stat(kind, size) || kind != file_kind::regular) return false;
  std::array<char, index_magic.size()> first{};
  if (opened.read(0, std::as_writable_bytes(std::span(first)))) return false;
  return std::string_view(first.data(), first.size()) == index_magic;
}

bool remove_index(int folder, const std::filesystem::path& index, failure& why) {
  why = {};
  if (!is_index(folder, index)) return false;
  if (::unlinkat(folder, index.c_str(), 0) == 0) return true;
  if (errno != ENOENT) why = system_failure();
  return false;
}

}  // namespace

std::filesystem::path index_path_beside(const std::filesystem::path& archive) { return archive.native() + ".tgx"; }

std::filesystem::path index_path_of(const std::filesystem::path& archive) {
  std::filesystem::path beside = index_path_beside(archive);
  std::error_code unknown;
  if (!std::filesystem::is_symlink(archive, unknown)) return beside;
  if (std::filesystem::exists(std::filesystem::symlink_status(beside, unknown))) return beside;
  const auto target = std::filesystem::canonical(archive, unknown);
  return unknown ? beside : index_path_beside(target);
}

bool remove_index_in(int folder, const std::string& archive, failure& why) {
  return remove_index(folder, index_path_beside(archive), why);
}

bool remove_index_of(const std::filesystem::path& archive, failure& why) {
  return remove_index(AT_FDCWD, index_path_of(archive), why);
}

}  // namespace tgmap::io
