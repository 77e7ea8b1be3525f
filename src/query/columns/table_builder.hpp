// SPDX-License-Identifier: Apache-2.0
// Joins the rows of several archives to one table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/query/key_columns.hpp>
#include <vector>

#include "core/seeded_hash.hpp"
#include "query/columns/column_builder.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// The rows of one archive.
struct archive_rows {
  std::vector<std::uint64_t> messages{}, objects{};
  std::vector<unread_message> unread{};
  std::vector<column_builder> columns{};                         ///< of the keys that were asked for
  std::vector<std::pair<std::string, column_builder>> others{};  ///< of other keys, each once
  std::vector<std::string> omitted{};
  bool omits_more = false;
};

/// A `table_builder` joins rows. All members may throw std::bad_alloc.
class table_builder {
 public:
  table_builder(std::vector<metadata_key> keys, bool with_values)
      : keys_(std::move(keys)), columns_(keys_.size()), with_values_(with_values) {}

  const std::vector<metadata_key>& keys() const noexcept { return keys_; }

  /// Adds the rows of an archive, behind those of the archives before it.
  void add(std::uint64_t archive, archive_rows);

  /// Returns the table. `names_archives`: rows have the number of their archive. The builder is empty afterwards.
  key_columns finish(bool names_archives);

 private:
  column_builder& other(std::string_view key);
  void add_others(key_columns& out);

  std::vector<metadata_key> keys_;
  std::vector<column_builder> columns_;
  std::vector<std::pair<std::string, column_builder>> others_{};
  core::text_map<std::size_t> numbers_{};  ///< in `others_`, by key
  core::text_set<> omitted_{};
  key_columns rows_{};
  bool with_values_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
