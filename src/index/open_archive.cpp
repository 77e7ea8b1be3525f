// SPDX-License-Identifier: Apache-2.0
// Opens files with an index. Checking and making indexes is built on archives, so this is not in their folder.
#include <algorithm>
#include <new>
#include <tgmap/archive.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/scan/open_index.hpp"
#include "index/begin_with_index.hpp"
#include "index/index_cache.hpp"
#include "index/listing.hpp"
#include "index/open_index_calls.hpp"
#include "index/save_index.hpp"
#include "io/index_beside.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::access;
using detail::fitting_index;

/// An archive that was opened, and the file from which it was.
struct opened_file {
  const std::filesystem::path& path;
  bool is_link = false;
  unsigned permissions = 0;
  bool is_regular = false;  ///< not a pipe, which has no place for an index
};

bool is_absent(const failure& why) { return why.code == std::errc::no_such_file_or_directory; }

std::filesystem::path index_path_of(const opened_file& archive, const open_options& options) {
  if (!options.index_path.empty()) return options.index_path;
  return archive.is_link ? io::index_path_of(archive.path) : io::index_path_beside(archive.path);
}

/// Finds an index that belongs to the archive. Returns nothing, and no failure, if there is none and none was named.
fitting_index find_index(const archive& a, const opened_file& file, const open_options& options, failure& why) {
  const io::source& bytes = access::state(a)->bytes();
  auto found = detail::open_fitting_index(index_path_of(file, options), bytes, options, why);
  if ((found && found.stamp) || !options.index_path.empty()) return found;
  if (is_absent(why)) why = {};
  if (!options.index_cache) return found;
  failure unused;
  auto cached = detail::index_cache().find(bytes, options, unused);
  if (!cached.index || (found && !cached.index.stamp)) {
    if (!found && !why) why = unused;
    return found;
  }
  why = {};
  return std::move(cached.index);
}

/// Returns true if an archive of which an index is not current has another index made: unless it has only grown, and by
/// less than an eighth, since an archive that grows would have a new index made each time.
bool is_outdated(const archive& a, const fitting_index& found) {
  constexpr std::uint64_t most = 8;
  const std::uint64_t covered = found.index->facts().covered, size = a.size_bytes();
  const auto stamps = found.index->stamps();
  const bool has_grown = std::ranges::any_of(stamps.all(), [&](const auto& each) { return each.size < size; });
  return !found.stamp && (!has_grown || size - covered > covered / most);
}

bool is_damaged(const failure& why) {
  return why.code == make_error_code(errc::index_mismatch) || why.code == make_error_code(errc::index_damaged);
}

/// Makes an index in the place that the options name, with the keys of an old one if there is one.
fitting_index make_index(const archive& a, const fitting_index& old, const opened_file& file,
                         const open_options& options, failure& why) {
  index_summary made;
  if (options.index_cache && options.index_path.empty())
    return detail::save_cached_index(a, {old.index}, {}, made, why).index;
  // The file beside an archive describes the whole file.
  if (options.index_path.empty() && (options.offset != 0 || options.length != UINT64_MAX)) {
    why = {.code = errc::invalid_option, .found = options.offset, .argument = "open_options::index"};
    return {};
  }
  return detail::save_index(a, {old.index}, index_path_of(file, options), file.permissions, {}, made, why).index;
}

/// Lets an archive begin with its index, as the options ask. Returns why it does not.
failure use_index(const archive& a, const opened_file& file, const open_options& options) {
  failure why;
  auto found = find_index(a, file, options, why);
  auto trust = index_trust::sampled;
  if (options.index == index_use::create && file.is_regular) {
    if (found ? is_outdated(a, found) : !why || options.index_cache || detail::may_be_replaced(why)) {
      failure unmade;
      auto made = make_index(a, found, file, options, unmade);
      if (found && is_damaged(unmade)) {  // which was not noticed when it was opened
        found = {};
        made = make_index(a, found, file, options, unmade);
      }
      if (made) {
        found = std::move(made);
        trust = index_trust::checked;  // it was made from a scan
      }
      why = found ? failure{} : unmade;  // an old index is better than none
    }
  }
  return detail::begin_with_index(a, std::move(found), trust, options, why);
}

}  // namespace

archive archive::open(const std::filesystem::path& path, const open_options& options, failure& why) noexcept {
  why = {};
  opened_file from{.path = path};
  io::file file = io::file::open(path, from.is_link, why);
  if (why) return {};
  if (options.index == index_use::create) {
    io::file_kind kind{};
    std::uint64_t size = 0;
    why = file.stat(kind, size);
    if (why) return {};
    from.is_regular = kind == io::file_kind::regular;
    from.permissions = file.permissions();
  }
  archive out = access::make_archive(io::source::from_file(std::move(file), options, why), options, why);
  if (!why) why = access::set_path(out, path);
  if (why) return {};
  return detail::opened_with_index(std::move(out), options, why,
                                   [&](const archive& of) { return use_index(of, from, options); });
}

archive::archive(const std::filesystem::path& path, const open_options& options) {
  failure why;
  *this = open(path, options, why);
  if (!why) return;
  if (why.code == make_error_code(errc::out_of_memory)) detail::raise(why);
  throw error(why, "cannot open '" + path.string() + "'");
}

}  // namespace v0
}  // namespace tgmap
