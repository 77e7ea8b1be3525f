// SPDX-License-Identifier: Apache-2.0
#include "index/open_index_calls.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/scan/open_index.hpp"
#include "index/index_writer.hpp"
#include "index/listing.hpp"
#include "index/read_column.hpp"
#include "index/structure_digest.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::named_column;
using index_file::column_kind;

/// Maximum number of parts of one column. A search reads all of them, so an index with more is written whole again.
constexpr std::size_t max_parts = 64;

/// The columns of an index that is extended.
struct old_columns {
  std::vector<named_column> parts{};
  std::vector<std::string> keys{};
  bool are_too_many = false;

  old_columns(const index_file::reader& index, failure& why) : parts(detail::read_columns(index, why)) {
    std::map<std::pair<column_kind, std::string_view>, std::size_t> counts;
    for (const named_column& each : parts) {
      const std::size_t count = ++counts[{each.record.kind, each.name}];
      if (each.record.kind == column_kind::messages && count == 1) keys.push_back(each.name);
      if (each.record.kind == column_kind::messages && detail::check_column_key(each.name)) why = index.disagreement();
      are_too_many = are_too_many || count >= max_parts;
    }
  }

  /// Adds what was written for the appended messages to the columns of the summary.
  void complete(std::vector<index_column>& added) const {
    std::vector<index_column> out = detail::summary_of(parts);
    std::map<std::string_view, index_column*> by_key;
    for (index_column& each : out) by_key[each.key] = &each;
    for (const index_column& each : added) {
      index_column* const old = by_key.at(each.key);
      old->values = std::max(old->values, each.values);
      old->messages += each.messages;
      old->bytes += each.bytes;
      old->describes_objects = old->describes_objects || each.describes_objects;
    }
    added = std::move(out);
  }
};

/// Lets an archive begin with its index, which is current, and scans the rest.
failure begin_with(const archive& a, const std::shared_ptr<const index_file::reader>& index) {
  // Each index has another identity, so that the samples that are compared differ from time to time.
  const io::source& bytes = detail::access::state(a)->bytes();
  failure why = detail::compare_with_archive(*index, bytes, a.options(), true, index->facts().identity);
  // The archive is used here alone, and nothing asks it for its stamp.
  if (!why) why = detail::access::mutable_state(a).begin_with({index, io::file_stamp()}, {});
  if (!why) static_cast<void>(a.size(why));
  return why;
}

/// Copies the records of an index, and checks that they are those that it was made with.
failure copy(detail::index_writer& to, const index_file::reader& from, const old_columns& columns,
             index_file::record_digest& digest) {
  failure why = to.copy(from, columns.parts, digest);
  if (!why && digest.value() != from.facts().structure) why = from.disagreement();
  return why;
}

}  // namespace

index_summary detail::extend_index(const archive& given, const old_index& from, sink& to, const index_options& options,
                                   failure& why) {
  why = {};
  const auto& old = from.index;
  if (!options.keys.empty()) {
    why = {.code = errc::invalid_option, .argument = "index_options::keys"};
    return {};
  }
  const std::uint64_t before = to.bytes_written();
  const archive a = rescanned(given, why);
  if (why) return {};
  const io::source& bytes = access::state(a)->bytes();
  const auto stamp = bytes.settled_stamp();  // before anything is read
  const old_columns columns(*old, why);
  if (why) return {};
  index_options how = options;
  how.keys = columns.keys;
  how.default_keys = false;
  const bool is_current = from.is_known_to_fit || (stamp && is_stamped_for(*old, bytes, *stamp));
  if (!is_current) why = compare_with_archive(*old, bytes, a.options(), false, 0);
  if (why) return {};
  if (columns.are_too_many || !is_current) return create_index(given, to, how, why);
  why = begin_with(a, old);
  if (why) return {};

  index_summary done;
  const std::uint64_t covered = listing::covered_end(a, why);
  if (!why && covered < old->facts().covered)
    why = {.code = errc::index_mismatch, .offset = covered, .expected = old->facts().covered, .found = covered};
  if (why) return {};
  index_writer file(to, a, why);
  index_file::record_digest digest;
  if (!why) why = copy(file, *old, columns, digest);
  structure_digest records(file, std::move(digest));
  listing all(a, records, how);
  if (!why) why = all.begin_behind(*old);
  if (!why) why = all.run(covered, file.sample_seed(), done);
  done.structure = records.value();
  if (!why && !done.stopped) why = file.finish(covered, done.structure, unchanged(bytes, stamp), done);
  if (!why) columns.complete(done.columns);
  done.index_bytes = to.bytes_written() - before;
  return done;
}

index_summary update_index(const archive& a, const std::filesystem::path& old, sink& to, const index_options& options,
                           failure& why) {
  why = {};
  try {
    if (!a) why = {.code = errc::no_archive};
    auto index = why ? nullptr : detail::open_index_file(old, why);
    return why ? index_summary() : detail::extend_index(a, {std::move(index)}, to, options, why);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return {};
}

index_summary update_index(const archive& a, const std::filesystem::path& old, sink& to, const index_options& options) {
  return detail::or_throw([&](failure& why) { return update_index(a, old, to, options, why); });
}

}  // namespace v0
}  // namespace tgmap
