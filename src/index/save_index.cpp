// SPDX-License-Identifier: Apache-2.0
#include "index/save_index.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <tgmap/detail/output_file.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "index/add_stamp.hpp"
#include "index/open_index_calls.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

constexpr const char* index_file_name = "the index file";
constexpr const char* cache_name = "the cache folder";

/// Writes the index to a file that has no name yet, so that nothing is scanned for a folder that cannot be written.
void write_to(output_file& file, const archive& from, const old_index& old, const index_options& options,
              index_summary& made, failure& why) {
  const int descriptor = file.descriptor(why);
  if (why) return;
  descriptor_sink to(descriptor);
  made = old.index ? extend_index(from, old, to, options, why) : create_index(from, to, options, why);
  if (!why) why = to.flush();
  to.discard();
}

/// Says that a failure is not one of the archive.
failure naming(const char* what, failure why) noexcept {
  if (why) why.argument = what;
  return why;
}

fitting_index open_written(const archive& of, output_file& file, failure& why) {
  const int descriptor = file.descriptor(why);
  io::file readable = why ? io::file() : io::file::duplicate(descriptor, why);
  if (why) return {};
  const open_options& options = of.options();
  auto bytes = io::source::from_file(std::move(readable), {.io = options.io, .guard = options.guard}, why);
  fitting_index out;
  if (!why) out.index = index_file::reader::open(std::move(bytes), why);
  if (!why) out.stamp = current_stamp(*out.index, access::state(of)->bytes());
  return out;
}

/// Returns whether two indexes have the same bytes in a section.
bool is_same_section(const index_file::reader& a, const index_file::reader& b, index_file::section kind) {
  std::array<std::byte, index_file::content_size> page_a, page_b;
  if (a.records(kind) != b.records(kind)) return false;
  failure why;
  for (std::uint64_t i = 0; i < a.records(kind) && !why;) {
    const auto of_a = a.read_page(kind, i, page_a, why);
    const auto of_b = why ? of_a : b.read_page(kind, i, page_b, why);
    if (why || of_a.size() != of_b.size() || !std::ranges::equal(of_a, of_b)) return false;
    i += of_a.size() / index_file::record_size(kind);
  }
  return !why;
}

/// Returns whether two indexes describe the same archive at the same place of a file: equal messages with equal
/// metadata, and equal columns.
bool is_same_content(const index_file::reader& a, const index_file::reader& b) {
  using index_file::section;
  return a.facts().archive_offset == b.facts().archive_offset && a.facts().structure == b.facts().structure &&
         a.facts().covered == b.facts().covered && is_same_section(a, b, section::columns) &&
         is_same_section(a, b, section::column_items);
}

/// Adds the stamps of an index that is replaced by one of equal bytes: those of other copies of the archive.
void keep_stamps(output_file& file, const archive& of, const index_file::reader& made,
                 const std::filesystem::path& replaced) {
  failure why;
  const auto old = open_index(replaced, access::state(of)->bytes(), {}, why);
  if (why || !is_same_content(*old, made)) return;
  auto stamps = old->stamps();
  const auto own = made.stamps();
  for (const io::file_stamp& each : own.all()) stamps.add(each);
  const int descriptor = file.descriptor(why);
  if (!why) static_cast<void>(write_stamps(descriptor, made, stamps));  // without them copies have no current index
}

}  // namespace

failure check_replaceable(const std::filesystem::path& path) noexcept {
  struct ::stat facts {};
  const ::uid_t user = ::geteuid();
  if (user == 0 || ::lstat(path.c_str(), &facts) != 0 || facts.st_uid == user) return {};
  return {.code = errc::index_not_owned, .expected = user, .found = facts.st_uid};
}

located_index save_index(const archive& from, const old_index& old, const std::filesystem::path& path,
                         unsigned permissions, const index_options& options, index_summary& made, failure& why) {
  why = check_replaceable(path);
  if (why) return {};
  auto place = output_location::of_entry(path, why);
  if (why) {
    why = naming(index_file_name, why);
    return {};
  }
  output_file file(std::move(place), output_file::appearance::complete, why, permissions);
  why = naming(index_file_name, why);
  if (!why) write_to(file, from, old, options, made, why);
  if (why || made.stopped) return {};
  // Read before it gets its name: that closes its descriptor.
  located_index out{path, open_written(from, file, why)};
  if (!why) why = naming(index_file_name, file.publish(output_file::replacement::allowed));
  return why ? located_index() : std::move(out);
}

located_index save_cached_index(const archive& from, const old_index& old, const index_options& options,
                                index_summary& made, failure& why) {
  constexpr unsigned owner_alone = 0600;
  const index_cache cache;
  const std::filesystem::path folder = cache.make_folder(why);
  if (why) {
    why = naming(cache_name, why);
    return {};
  }
  auto place = output_location::of_entry(folder / "index", why);  // named when it is written
  if (why) {
    why = naming(cache_name, why);
    return {};
  }
  output_file file(std::move(place), output_file::appearance::complete, why, owner_alone);
  why = naming(cache_name, why);
  if (!why) write_to(file, from, old, options, made, why);
  if (why || made.stopped || made.messages == 0) return {};
  fitting_index written = open_written(from, file, why);
  if (why) return {};
  const io::source& bytes = access::state(from)->bytes();
  const std::filesystem::path path = cache.make_place(bytes, made.covered_bytes, why);
  if (!why) keep_stamps(file, from, *written.index, path);
  if (!why) file.move_to(output_location::of_entry(path, why));
  if (!why) why = file.publish(output_file::replacement::allowed);
  if (why) {
    why = naming(cache_name, why);
    return {};
  }
  cache.remove_others(bytes, from.options(), path);
  return {path, std::move(written)};
}

bool may_be_replaced(const failure& why) {
  return why.code == std::errc::no_such_file_or_directory || why.code == make_error_code(errc::index_mismatch) ||
         why.code == make_error_code(errc::index_damaged) || why.code == make_error_code(errc::unknown_index_version);
}

}  // namespace detail

cached_index find_cached_index(const archive& of, failure& why) {
  why = {};
  try {
    if (!of) {
      why = {.code = errc::no_archive};
      return {};
    }
    const detail::archive_state& state = *detail::access::state(of);
    const auto found = detail::index_cache().find(state.bytes(), state.options(), why);
    if (!found.index) return {};
    cached_index out{.path = found.path, .summary = describe_index(found.path, why)};
    return why ? cached_index() : out;
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return {};
}

cached_index find_cached_index(const archive& of) {
  return detail::or_throw([&](failure& why) { return find_cached_index(of, why); });
}

cached_index create_cached_index(const archive& of, const index_options& options, failure& why) {
  why = {};
  cached_index out;
  try {
    if (of)
      out.path = detail::save_cached_index(of, {}, options, out.summary, why).path;
    else
      why = {.code = errc::no_archive};
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return out;
}

cached_index create_cached_index(const archive& of, const index_options& options) {
  return detail::or_throw([&](failure& why) { return create_cached_index(of, options, why); });
}

cached_index update_cached_index(const archive& of, const index_options& options, failure& why) {
  why = {};
  cached_index out;
  try {
    if (!of) {
      why = {.code = errc::no_archive};
      return {};
    }
    const detail::archive_state& state = *detail::access::state(of);
    auto found = detail::index_cache().find(state.bytes(), state.options(), why);
    if (found.index) out.path = detail::save_cached_index(of, {found.index.index}, options, out.summary, why).path;
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return out;
}

cached_index update_cached_index(const archive& of, const index_options& options) {
  return detail::or_throw([&](failure& why) { return update_cached_index(of, options, why); });
}

}  // namespace v0
}  // namespace tgmap
