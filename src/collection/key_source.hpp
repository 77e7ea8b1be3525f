// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/query/key_columns.hpp>
#include <tgmap/query/metadata_key.hpp>

namespace tgmap::archives {

/// The keys of a target in the index of its archive.
struct indexed_row {
  const archive& from;
  std::span<const metadata_key> keys;
  const indexed_keys& values;  ///< of these keys
  std::size_t message = 0;
  std::optional<std::size_t> object{};
};

/// A `key_source` finds the keys of one message or object: in its metadata, or in the index of the archive, and then
/// without reading the message. Lifetime: borrows.
class key_source {
 public:
  key_source(key_lookup& keys) noexcept : keys_(&keys) {}
  explicit key_source(const indexed_row& row) noexcept : row_(&row) {}

  /// Returns the value of a key. Of an indexed row it must be one of its keys. Errors: tgmap::error.
  key_result find(const metadata_key&) const;

  /// Does what key_lookup::nearest_key does. Reads the message. Errors: tgmap::error.
  std::string nearest_key(std::string_view wanted) const;

 private:
  key_lookup* keys_ = nullptr;
  const indexed_row* row_ = nullptr;
};

}  // namespace tgmap::archives
