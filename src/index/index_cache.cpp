// SPDX-License-Identifier: Apache-2.0
#include "index/index_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

#include "archive/scan/open_index.hpp"
#include "index_file/archive_key.hpp"
#include "index_file/samples.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

constexpr std::string_view extension = ".tgx";

/// An index in the cache as its name describes it: the covered bytes, and the digest of the last of them.
struct cache_entry {
  std::uint64_t covered = 0;
  std::uint64_t digest = 0;
  std::filesystem::path path{};
};

/// Returns the path in a variable of the environment. By the rules of XDG only an absolute one counts.
std::filesystem::path folder_in(const char* variable) {
  const char* const value = ::secure_getenv(variable);
  std::filesystem::path out(value == nullptr ? "" : value);
  return out.is_absolute() ? out : std::filesystem::path();
}

failure make_private_folder(const std::filesystem::path& folder) {
  constexpr ::mode_t owner_alone = 0700;
  for (const bool is_retry : {false, true}) {
    if (::mkdir(folder.c_str(), owner_alone) == 0 || errno == EEXIST) return {};
    if (errno != ENOENT || is_retry || !folder.has_relative_path()) break;
    if (failure why = make_private_folder(folder.parent_path())) return why;
  }
  return io::system_failure();
}

std::string hexadecimal(std::uint64_t number) {
  constexpr std::size_t width = 16;
  std::array<char, width> text;
  const auto end = std::to_chars(text.data(), text.data() + width, number, 16).ptr;
  std::string out(text.data(), end);
  return std::string(width - out.size(), '0') + out;
}

std::string name_of(std::uint64_t covered, std::uint64_t digest) {
  return std::to_string(covered) + "-" + hexadecimal(digest) + std::string(extension);
}

/// Reads the name of an entry. Returns nothing for other files.
std::optional<cache_entry> parse_name(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  cache_entry out{.path = path};
  const char* const end = name.data() + name.size();
  const auto [after, wrong] = std::from_chars(name.data(), end, out.covered);
  if (wrong != std::errc() || after == end) return std::nullopt;
  std::from_chars(after + 1, end, out.digest, 16);
  return name == name_of(out.covered, out.digest) ? std::optional(out) : std::nullopt;
}

std::vector<cache_entry> entries_in(const std::filesystem::path& folder) {
  std::vector<cache_entry> out;
  std::error_code absent;
  for (std::filesystem::directory_iterator it(folder, absent), end; !absent && it != end; it.increment(absent))
    if (auto entry = parse_name(it->path())) out.push_back(std::move(*entry));
  return out;
}

/// Returns the digest of the last window of the covered bytes, which is sample 1 with any seed.
std::uint64_t last_digest(const io::source& archive, std::uint64_t covered, failure& why) {
  return digest_sample(archive, 0, 1, covered, why);
}

}  // namespace

index_cache::index_cache() {
  std::filesystem::path parent = folder_in("XDG_CACHE_HOME");
  if (parent.empty())
    if (const std::filesystem::path home = folder_in("HOME"); !home.empty()) parent = home / ".cache";
  if (!parent.empty()) folder_ = parent / "tgmap";
}

std::vector<std::filesystem::path> index_cache::candidates(const io::source& archive, failure& why) const {
  why = {};
  const std::uint64_t most = index_file::key_size(archive.size());
  if (folder_.empty() || most < index_file::min_key_size) return {};
  std::array<std::byte, index_file::sample_size> first;
  why = archive.load(0, std::span(first).first(static_cast<std::size_t>(most)));
  std::vector<cache_entry> found;
  for (std::uint64_t size = most; !why && size >= index_file::min_key_size; size /= 2) {
    const auto key = index_file::key_of(std::span(first).first(static_cast<std::size_t>(size)));
    for (cache_entry& each : entries_in(folder_ / key))
      if (each.covered <= archive.size() && index_file::key_size(each.covered) == size)
        found.push_back(std::move(each));
  }
  std::ranges::sort(found, std::greater(), &cache_entry::covered);
  std::vector<std::filesystem::path> out;
  for (cache_entry& each : found) {
    const std::uint64_t digest = why ? 0 : last_digest(archive, each.covered, why);
    if (!why && digest == each.digest) out.push_back(std::move(each.path));
  }
  return out;
}

located_index index_cache::find(const io::source& archive, const open_options& options, failure& why) const {
  located_index out;
  failure last;
  for (const std::filesystem::path& path : candidates(archive, why)) {
    auto found = open_fitting_index(path, archive, options, last);
    if (found && (!out.index || found.stamp)) out = {path, std::move(found)};
    if (out.index.stamp) break;
  }
  if (out.index)
    why = {};
  else if (last)
    why = last;
  return out;
}

std::filesystem::path index_cache::make_folder(failure& why) const {
  why = folder_.empty() ? failure{.code = std::make_error_code(std::errc::no_such_file_or_directory)}
                        : make_private_folder(folder_);
  return folder_;
}

std::filesystem::path index_cache::make_place(const io::source& archive, std::uint64_t covered, failure& why) const {
  const std::uint64_t size = index_file::key_size(covered);
  std::array<std::byte, index_file::sample_size> first;
  const auto key_bytes = std::span(first).first(static_cast<std::size_t>(size));
  why = archive.load(0, key_bytes);
  const std::uint64_t digest = why ? 0 : last_digest(archive, covered, why);
  if (why) return {};
  const std::filesystem::path folder = folder_ / index_file::key_of(key_bytes);
  why = make_private_folder(folder);
  return folder / name_of(covered, digest);
}

void index_cache::remove_others(const io::source& archive, const open_options& options,
                                const std::filesystem::path& kept) const {
  failure why;
  for (const std::filesystem::path& path : candidates(archive, why)) {
    if (path == kept) continue;
    const auto other = open_fitting_index(path, archive, options, why);
    if (!other) continue;
    // One with several stamps may be the index of a copy that has not grown.
    const auto stamps = other.index->stamps();
    if (stamps.all().size() <= 1) ::unlink(path.c_str());
  }
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
