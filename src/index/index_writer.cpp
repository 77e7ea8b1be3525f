// SPDX-License-Identifier: Apache-2.0
#include "index/index_writer.hpp"

#include <sys/random.h>

#include "index/column_writer.hpp"
#include "io/file.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

using index_file::column_kind;
using index_file::section;

namespace {

std::uint64_t random_number(failure& why) noexcept {
  std::uint64_t out = 0;
  if (::getrandom(&out, sizeof out, 0) != sizeof out) why = io::system_failure();
  return out;
}

}  // namespace

index_writer::index_writer(sink& to, const open_options& scan, std::uint64_t time, failure& why)
    : facts_{.max_padding = scan.max_padding,
             .max_objects = scan.max_objects,
             .max_metadata_bytes = scan.max_metadata_bytes,
             .sample_seed = random_number(why),
             .archive_time = time},
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

failure index_writer::finish(std::uint64_t covered, std::uint64_t structure) {
  facts_.covered = covered;
  facts_.structure = structure;
  return file_.finish(facts_);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
