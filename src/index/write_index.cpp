// SPDX-License-Identifier: Apache-2.0
// Keeps the index beside a file up to date.
#include <new>
#include <tgmap/tools/index.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/scan/open_index.hpp"
#include "index/save_index.hpp"
#include "io/file.hpp"
#include "io/index_beside.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

index_summary write(const std::filesystem::path& path, const index_options& options, failure& why) {
  const archive of = archive::open(path, {.damage = on_damage::skip, .index = index_use::none}, why);
  if (why) return {};
  const std::filesystem::path place = io::index_path_of(path);
  const unsigned permissions = io::file::open(path, why).permissions();
  if (why) return {};
  index_summary made;
  if (auto old = detail::open_fitting_index(place, detail::access::state(of)->bytes(), of.options(), why)) {
    index_options how = options;
    how.keys.clear();  // the columns are those of the old index
    detail::save_index(of, {std::move(old.index)}, place, permissions, how, made, why);
  }
  if (detail::may_be_replaced(why)) detail::save_index(of, {}, place, permissions, options, made, why);
  return made;
}

}  // namespace

index_summary write_index(const std::filesystem::path& path, const index_options& options, failure& why) {
  why = {};
  try {
    return write(path, options, why);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return {};
}

index_summary write_index(const std::filesystem::path& archive, const index_options& options) {
  return detail::or_throw([&](failure& why) { return write_index(archive, options, why); });
}

std::filesystem::path index_path(const std::filesystem::path& archive) { return io::index_path_of(archive); }

bool remove_index(const std::filesystem::path& archive, failure& why) {
  why = {};
  try {
    return io::remove_index_of(archive, why);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return false;
}

bool remove_index(const std::filesystem::path& archive) {
  return detail::or_throw([&](failure& why) { return remove_index(archive, why); });
}

}  // namespace v0
}  // namespace tgmap
