// SPDX-License-Identifier: Apache-2.0
// Reads the rows of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/query/key_columns.hpp>
#include <vector>

#include "archive/sequential_reads.hpp"
#include "query/columns/column_builder.hpp"
#include "query/columns/key_plan.hpp"
#include "query/columns/row_template.hpp"
#include "query/columns/table_builder.hpp"
#include "query/selection_rule.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

class lazy_lookup;

/// A `row_reader` reads the rows of consecutive messages. Messages whose rows and values the index tells are not read.
/// Lifetime: borrows the plan.
class row_reader {
 public:
  explicit row_reader(const key_plan&);

  /// Reads the messages [begin, end) that may be selected. The failure is that of why().
  void read(std::size_t begin, std::size_t end) noexcept;

  const failure& why() const noexcept { return why_; }

  /// Appends the rows of messages that follow, and removes them there. Throws std::bad_alloc.
  void append(row_reader& next);

  /// Returns the rows, and removes them here. Errors: index_mismatch. Throws std::bad_alloc.
  archive_rows take(failure&);

 private:
  void resize(std::size_t rows);
  bool add_by_index(std::size_t message);
  void add_known(std::uint64_t message, std::optional<std::uint64_t> object);
  void read_message(std::size_t i, sequential_reads&, failure&);
  void read_version_1(std::size_t i, const message&, failure&);
  void read_whole(std::size_t i, const message&, const message_summary&, bool is_walked, failure&);
  void read_objects(std::size_t i, const message&, const message_summary&, bool is_walked, failure&);
  bool walks() const noexcept;
  key_walker& walker();
  bool walk(const metadata&, metadata_copy& copy, found_items& out, failure&);
  selection_match find_match(lazy_lookup&, const message&, optional_index object, index_answer known, failure&) const;
  bool add_by_template(std::size_t i, const message&, failure&);
  void add_repeated(std::size_t i, const message&, single_object_header&, failure&);
  bool make_template(std::size_t i, const message&, single_object_header&, failure&);
  void add_target(std::size_t path, std::span<const std::byte> item);
  void add_described(single_object_header&, lazy_lookup&, failure&);
  void fill_repeated();
  void add_row(std::size_t i, std::optional<std::size_t> object, lazy_lookup&, bool is_walked, failure&);
  void add_key(std::size_t k, lazy_lookup&, bool is_walked, failure&);
  void look_up(std::size_t k, lazy_lookup&, failure&);
  void add_item(std::size_t k, std::span<const std::byte> item);
  void add_collected(lazy_lookup&, bool is_walked, failure&);
  column_builder& collected(std::size_t path);
  bool find_rows(std::vector<std::uint64_t>& out) const;
  void fill_by_index(std::size_t k, const std::vector<std::uint64_t>& rows);

  const key_plan* plan_;
  selection_rule rule_;
  std::optional<key_walker> walker_{};
  metadata_copy own_copy_{}, wide_copy_{};   // what the items are views of
  found_items own_{}, wide_{};               // of the current object, and of the message
  std::vector<column_builder> columns_;      // of the keys of the plan
  std::vector<std::size_t> read_{};          // keys that the index does not tell in all rows
  std::vector<column_builder> collected_{};  // of other paths, by their number in the walker
  std::vector<std::uint64_t> messages_{}, objects_{};

  // Rows by a template. While it is set, columns whose value is that of the row before may have fewer rows than the
  // table: fill_repeated() adds them.
  row_template template_{};
  bool repeats_ = false;                                        // columns may have fewer rows
  unsigned without_template_ = 0;                               // messages before one is tried again
  std::vector<std::pair<std::size_t, std::size_t>> by_path_{};  // (path, key of the plan)
  std::vector<std::size_t> described_{}, looked_up_{};  // keys whose values are of the descriptor; other lookups
  std::vector<std::pair<column_builder*, column_builder::code>> changes_{};
  std::vector<unread_message> unread_{};
  failure why_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
