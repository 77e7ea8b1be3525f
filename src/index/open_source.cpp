// SPDX-License-Identifier: Apache-2.0
// Opens byte sources, with an index if one was made of their version.
#include <memory>
#include <new>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/byte_source.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/scan/open_index.hpp"
#include "index/begin_with_index.hpp"
#include "index/index_cache.hpp"
#include "index/open_index_calls.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::access;
using detail::fitting_index;

/// Opens the index of the sibling. Returns nothing, and no failure, if there is none.
fitting_index open_sibling(byte_source& from, const io::source& archive, const open_options& options, failure& why) {
  std::shared_ptr<byte_source> beside;
  why = io::call_source([&]() -> failure {
    beside = from.sibling(".tgx");
    return {};
  });
  if (why || !beside) return {};
  auto bytes = io::source::from_bytes(std::move(beside), {}, why, io::source::opening_end::back);
  if (why) {
    if (why.code == std::errc::no_such_file_or_directory) why = {};
    return {};
  }
  std::shared_ptr<const index_file::reader> index = index_file::reader::open(std::move(bytes), why);
  if (why) return {};
  // One of another version answers nothing, and comparing its samples would take many requests.
  if (options.index != index_use::checked && !detail::current_stamp(*index, archive)) {
    why = {.code = errc::index_mismatch,
           .expected = index->facts().covered,
           .found = archive.size(),
           .argument = "the version of the source"};
    return {};
  }
  return detail::fit(std::move(index), archive, options, why);
}

/// Finds an index that belongs to the archive. Returns nothing, and no failure, if there is none and none was named.
fitting_index find_index(byte_source& from, const io::source& archive, const open_options& options, failure& why) {
  if (!options.index_path.empty()) return detail::open_fitting_index(options.index_path, archive, options, why);
  if (!archive.stamp()) return {};  // of an unknown version: no index could be current
  auto found = open_sibling(from, archive, options, why);
  if (found || !options.index_cache) return found;
  failure unused;
  auto cached = detail::index_cache().find(archive, options, unused);
  if (!cached.index) return found;
  why = {};
  return std::move(cached.index);
}

/// Lets an archive begin with its index, as the options ask. Returns why it does not.
failure use_index(const archive& a, byte_source& from, const open_options& options) {
  failure why;
  auto found = find_index(from, access::state(a)->bytes(), options, why);
  return detail::begin_with_index(a, std::move(found), index_trust::sampled, options, why);
}

}  // namespace

archive archive::from_source(std::shared_ptr<byte_source> source, const open_options& options, failure& why) noexcept {
  why = {};
  if (!source) {
    why = {.code = errc::invalid_option, .argument = "source"};
    return {};
  }
  archive out = access::make_archive(io::source::from_bytes(source, options, why), options, why);
  if (why) return out;
  return detail::opened_with_index(std::move(out), options, why,
                                   [&](const archive& of) { return use_index(of, *source, options); });
}

archive archive::from_source(std::shared_ptr<byte_source> source, const open_options& options) {
  failure why;
  archive out = from_source(source, options, why);
  if (!why) return out;
  if (why.code == make_error_code(errc::out_of_memory)) detail::raise(why);
  std::string name;
  if (source)
    static_cast<void>(io::call_source([&]() -> failure {
      name = source->name();
      return {};
    }));
  throw error(why, name.empty() ? "cannot open the source" : "cannot open '" + name + "'");
}

}  // namespace v0
}  // namespace tgmap
