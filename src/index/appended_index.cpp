// SPDX-License-Identifier: Apache-2.0
#include "index/appended_index.hpp"

#include <tgmap/archive.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/scan/open_index.hpp"
#include "index/save_index.hpp"
#include "io/file.hpp"
#include "io/index_beside.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

archive open_scanned(const std::filesystem::path& path, failure& why) {
  return archive::open(path, {.damage = on_damage::skip, .index = index_use::none}, why);
}

}  // namespace

appended_index::appended_index(std::filesystem::path path) : archive_(std::move(path)) {
  failure why;
  const std::filesystem::path place = io::index_path_of(archive_);
  if (std::error_code absent; !std::filesystem::exists(place, absent) || check_replaceable(place)) return;
  const archive of = open_scanned(archive_, why);
  if (why) return;
  auto found = open_fitting_index(place, access::state(of)->bytes(), of.options(), why);
  if (found.stamp) index_ = std::move(found.index);
}

failure appended_index::extend() {
  failure why;
  const archive of = open_scanned(archive_, why);
  const unsigned permissions = why ? 0 : io::file::open(archive_, why).permissions();
  index_summary made;
  if (!why) save_index(of, {index_, true}, io::index_path_of(archive_), permissions, {}, made, why);
  index_.reset();
  return why;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
