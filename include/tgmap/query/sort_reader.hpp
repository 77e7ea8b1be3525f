// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `sort_column` is one of the keys that messages or objects are sorted by.
struct sort_column {
  metadata_key key{};
  bool descending = false;  ///< the largest value comes first
};

/// Parses a comma-separated list of keys to sort by: "mars.param,mars.step:desc"; ":asc" may be written, too. Blanks
/// around a key do not count.
/// Errors: bad_key (a key is missing or unknown; `found` and `expected` as of parse_keys); out_of_memory.
TGMAP_API std::vector<sort_column> parse_sort(std::string_view list);
TGMAP_API std::vector<sort_column> parse_sort(std::string_view list, failure&) noexcept;

/// The values of one message or object to sort by, one for each column.
using sort_values = std::vector<sort_key>;

/// Returns true if the values `a` come before `b`, both of these columns. A later column counts if all before it are
/// equivalent. Missing values come last in either direction. With std::stable_sort, what is equivalent keeps its order.
TGMAP_API bool comes_before(std::span<const sort_column>, const sort_values& a, const sort_values& b) noexcept;

/// A `sort_reader` reads the values to sort by. Equal values share their text.
/// Lifetime: the values are independent of the reader. Thread safety: one thread at a time.
class TGMAP_API sort_reader {
 public:
  sort_reader() noexcept = default;  ///< no columns
  explicit sort_reader(std::vector<sort_column> columns) noexcept : columns_(std::move(columns)) {}

  const std::vector<sort_column>& columns() const noexcept TGMAP_LIFETIMEBOUND { return columns_; }

  /// Returns the values of the columns in a message or an object, in order.
  /// Errors: those of key_lookup::find, out_of_memory. Complexity: O(log n) comparisons for n different values read.
  sort_values read(key_lookup&);
  sort_values read(key_lookup&, failure&) noexcept;

  /// Returns copies of values that were found. There must be one for each column, in their order.
  /// Errors: throws std::bad_alloc.
  sort_values read(std::span<const key_result>);

 private:
  std::vector<sort_column> columns_{};
  std::set<sort_key> known_{};
};

}  // namespace v0
}  // namespace tgmap
