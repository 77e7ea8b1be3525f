// SPDX-License-Identifier: Apache-2.0
// Decides where the values of each key of a table come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tgmap/query/key_columns.hpp>
#include <vector>

#include "query/columns/key_values.hpp"
#include "query/columns/key_walker.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `key_plan` is what all threads that read a table know: its keys, and where their values are.
class key_plan {
 public:
  /// Where the values of a key come from.
  enum class source : std::uint8_t {
    index,   ///< the index tells them in all rows
    walk,    ///< a path, which is found in a walk over the metadata of messages
    lookup,  ///< a key_lookup
  };
  struct planned_key {
    metadata_key key{};
    source from = source::lookup;
    std::size_t path = key_walker::no_path;  ///< in the walker
  };

  /// Errors: index_damaged, file_shrank, of the operating system. Throws std::bad_alloc.
  key_plan(const archive& from, std::span<const metadata_key> keys, const key_columns_options& options, failure& why);

  const archive& from() const noexcept { return *from_; }
  const key_columns_options& options() const noexcept { return *options_; }
  const indexed_selection& known() const noexcept { return known_; }
  bool selects() const noexcept { return !options_->where.selects_all(); }

  /// Returns the keys that were asked for, and then those that the index lists if all are wanted.
  const std::vector<planned_key>& keys() const noexcept { return keys_; }
  std::size_t asked() const noexcept { return asked_; }  ///< number of the former

  /// Returns keys that the index lists, and that are left out.
  const std::vector<std::string>& omitted() const noexcept { return omitted_; }

  /// Returns a walker with the paths of the keys.
  const key_walker& walker() const noexcept { return walker_; }

  /// Returns the index, or null.
  const key_values* index() const noexcept { return index_.get(); }

  /// Returns false if every message must be read that may be selected.
  bool may_skip_messages() const noexcept { return index_ != nullptr && !reads_all_; }

  /// Returns whether descriptors are read for their properties and for names.
  bool needs_descriptors() const noexcept { return needs_properties_ && needs_name_; }

  /// Returns whether the index tells all values in a row: a message, or an object by its number among all.
  bool tells_row(std::uint64_t row) const noexcept;

  /// Returns the row of the index that an object or a message has. Returns false if it has none.
  bool find_row(std::uint64_t message, std::uint64_t object, std::uint64_t& out) const noexcept;

 private:
  void add_listed(failure&);
  void open_index(std::span<const metadata_key> keys, failure&);
  void add(const metadata_key&, failure&);

  const archive* from_;
  const key_columns_options* options_;
  indexed_selection known_{};
  std::vector<planned_key> keys_{};
  std::size_t asked_ = 0;
  key_walker walker_{};
  std::shared_ptr<key_values> index_{};
  std::vector<std::size_t> incomplete_{};  ///< keys that the index tells in some rows
  std::vector<std::string> omitted_{};
  bool reads_all_ = false, needs_properties_ = false, needs_name_ = false;
};

/// Returns how many columns of keys that nobody asked for are kept, as key_columns::omitted says: a file could have
/// other keys in each message.
std::size_t kept_columns(std::size_t columns, std::uint64_t rows, std::uint64_t values) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
