// SPDX-License-Identifier: Apache-2.0
// The values of several keys in the index of an archive.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/query/key_columns.hpp>
#include <utility>
#include <vector>

#include "index_file/reader.hpp"
#include "query/columns/column_values.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `key_values` is what an indexed_keys shares.
class key_values {
 public:
  enum class rows : std::uint8_t { messages, objects };

  /// Reads the values of keys. Returns null if the index does not tell all of them. Errors: index_damaged, file_shrank,
  /// of the operating system. Throws std::bad_alloc.
  static std::shared_ptr<const key_values> read(const archive&, std::span<const metadata_key>, rows, failure&);

  /// Does the same for what a selection matches, in rows of `known`, the answers for it. Returns null also if the index
  /// does not answer for all of them, or has other values for the objects that match.
  static std::shared_ptr<const key_values> of_selected(const archive&, std::span<const metadata_key>, rows,
                                                       const selection&, const indexed_selection& known, failure&);

  /// Returns the values for programs.
  static indexed_keys shared(std::shared_ptr<const key_values>) noexcept;

  std::uint64_t messages() const noexcept { return index_->facts().messages; }
  bool has_objects_that_differ() const noexcept { return has_objects_that_differ_; }
  index_file::row_run objects_of(std::uint64_t message) const noexcept { return from_.objects_of(message); }

  /// Returns the CBOR item of a key in a row: a message, or an object by its number among all. Empty if it is absent.
  std::span<const std::byte> item(std::size_t key, std::uint64_t row) const noexcept { return values_[key].item(row); }

 private:
  key_values(std::shared_ptr<const index_file::reader> index, failure& why)
      : index_(std::move(index)), from_(*index_, why) {}

  std::shared_ptr<const index_file::reader> index_;
  index_values from_;
  std::vector<column_values> values_{};
  bool has_objects_that_differ_ = false;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
