// SPDX-License-Identifier: Apache-2.0
#include "index/index_writer.hpp"

#include <sys/random.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <string_view>
#include <tgmap/version.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "io/file.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

using index_file::column_kind;
using index_file::listed_column;
using index_file::listed_value;
using index_file::section;
using index_file::text_place;

namespace {

std::uint64_t random_number(failure& why) noexcept {
  std::uint64_t out = 0;
  if (::getrandom(&out, sizeof out, 0) != sizeof out) why = io::system_failure();
  return out;
}

std::uint64_t now() noexcept {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count());
}

/// Returns the name and the version of this program.
decltype(index_file::trailer::made_by) this_program() noexcept {
  constexpr std::string_view name = "tgmap " TGMAP_VERSION_STRING;
  decltype(index_file::trailer::made_by) out{};
  static_assert(name.size() <= out.size());
  std::ranges::copy(name, out.begin());
  return out;
}

/// The rows that a column describes.
struct column_rows {
  row_run messages{}, objects{};
};

/// Writes the row lists of one kind, and their record. `items` are the places of the values.
failure write_lists(index_file::writer& to, column& from, listed_column record, std::span<const text_place> items,
                    row_list column::value::*lists) {
  std::vector<std::byte> places;
  for (std::size_t code = 0; code < from.values().size(); ++code) {
    row_list& rows = from.values()[code].*lists;
    record.present += rows.count();
    listed_value value{.item = items[code]};
    const auto bytes = rows.finish();
    if (failure why = to.add_column_items(bytes, code == column::unknown ? record.unknown : value.rows)) return why;
    record.bytes += bytes.size();
    if (code == column::unknown || rows.count() == 0) continue;
    places.resize(places.size() + listed_value::size);
    value.store(places.data() + places.size() - listed_value::size);
    ++record.values;
  }
  text_place at;
  if (failure why = to.add_column_items(places, at)) return why;
  record.values_at = at.offset;
  record.bytes += places.size();
  return to.add(record);
}

/// Writes a column, and sets the bytes that it takes.
failure write_column(index_file::writer& to, std::string_view key, column& from, const column_rows& rows,
                     std::uint64_t& bytes) {
  listed_column record;
  const std::uint64_t before = to.column_bytes();
  if (failure why = to.add_column_items(std::as_bytes(std::span(key)), record.name)) return why;
  std::vector<text_place> items(from.values().size());
  for (std::size_t code = 1; code < items.size(); ++code)
    if (failure why = to.add_column_items(std::as_bytes(std::span(from.values()[code].item)), items[code])) return why;
  record.bytes = to.column_bytes() - before;
  record.kind = column_kind::messages;
  record.kinds = from.kinds();
  record.first_row = rows.messages.begin;
  record.rows = rows.messages.count();
  failure why = write_lists(to, from, record, items, &column::value::messages);
  if (!why && from.describes_objects()) {
    record.kind = column_kind::objects;
    record.bytes = 0;
    record.first_row = rows.objects.begin;
    record.rows = rows.objects.count();
    why = write_lists(to, from, record, items, &column::value::objects);
  }
  bytes = to.column_bytes() - before;
  return why;
}

/// Writes a list of rows without values. Writes nothing for an empty one.
failure write_rows(index_file::writer& to, column_kind kind, row_list& list, row_run rows) {
  if (list.count() == 0) return {};
  listed_column record{.first_row = rows.begin, .rows = rows.count(), .present = list.count(), .kind = kind};
  const auto bytes = list.finish();
  record.bytes = bytes.size();
  if (failure why = to.add_column_items(bytes, record.unknown)) return why;
  return to.add(record);
}

}  // namespace

index_writer::index_writer(sink& to, const archive& of, failure& why)
    : facts_{.max_padding = of.options().max_padding,
             .max_objects = of.options().max_objects,
             .max_metadata_bytes = of.options().max_metadata_bytes,
             .sample_seed = random_number(why),
             .archive_offset = access::state(of)->bytes().begin(),
             .made_at = now(),
             .made_by = this_program()},
      file_(to, random_number(why)) {}

failure index_writer::copy(const index_file::reader& old, const std::vector<named_column>& columns,
                           index_file::record_digest& digest) {
  for (const section kind : {section::messages, section::objects, section::layouts, section::layout_items,
                             section::gaps, section::columns, section::column_items})
    if (failure why = file_.copy(kind, old, digest)) return why;
  first_message_ = old.facts().messages;
  first_object_ = old.facts().objects;
  for (const named_column& each : columns)
    if (each.record.kind == column_kind::objects) keys_of_objects_.insert(each.name);
  return {};
}

failure index_writer::add_column(std::string_view key, column& values, const metadata_columns& of,
                                 std::uint64_t& bytes) {
  if (first_message_ > 0 && of.messages() == 0) return {};  // the older columns describe all messages
  if (keys_of_objects_.contains(key)) values.describe_objects(of.first_objects());
  const column_rows rows{{first_message_, first_message_ + of.messages()},
                         {first_object_, first_object_ + of.objects()}};
  return write_column(file_, key, values, rows, bytes);
}

failure index_writer::add_rows(column_kind kind, row_list& rows, const metadata_columns& of) {
  if (kind == column_kind::undescribed_objects)
    return write_rows(file_, kind, rows, {first_object_, first_object_ + of.objects()});
  return write_rows(file_, kind, rows, {first_message_, first_message_ + of.messages()});
}

/// Keys have parts of their own for the messages of each call, as columns have.
failure index_writer::add_other_key(const metadata_columns::other_key& key, const metadata_columns& of) {
  listed_column record{.first_row = first_message_,
                       .rows = of.messages(),
                       .values = key.values,
                       .present = key.messages->count(),
                       .kind = column_kind::other_keys,
                       .kinds = key.kinds,
                       .has_more_values = key.has_more_values};
  if (failure why = file_.add_column_items(std::as_bytes(std::span(key.key)), record.name)) return why;
  const auto bytes = key.messages->finish();
  record.bytes = record.name.size + bytes.size();
  if (failure why = file_.add_column_items(bytes, record.unknown)) return why;
  return file_.add(record);
}

failure index_writer::end_other_keys(const metadata_columns& of) {
  if (first_message_ > 0 && of.messages() == 0) return {};
  return file_.add(listed_column{.first_row = first_message_, .rows = of.messages(), .kind = column_kind::other_keys});
}

failure index_writer::finish(std::uint64_t covered, std::uint64_t structure, const std::optional<io::file_stamp>& stamp,
                             index_summary& done) {
  facts_.covered = covered;
  facts_.structure = structure;
  index_file::stamp_page stamps;
  if (stamp) stamps.add(*stamp);
  failure why = file_.finish(facts_, stamps);
  done.is_stamped = stamp && !why;
  return why;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
