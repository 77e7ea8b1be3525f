// SPDX-License-Identifier: Apache-2.0
// Digests the records of a listing.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "index/listing.hpp"
#include "index_file/record_digest.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `structure_digest` digests all records but samples and columns on their way to another sink, perhaps behind others
/// that were digested before. The constructors may throw std::bad_alloc.
class structure_digest final : public record_sink {
 public:
  explicit structure_digest(record_sink& to) : to_(&to) {}
  structure_digest(record_sink& to, index_file::record_digest begun) noexcept : to_(&to), digest_(std::move(begun)) {}

  failure add(const index_file::listed_message& record) override { return pass(record); }
  failure add(const index_file::listed_object& record) override { return pass(record); }
  failure add(const index_file::listed_gap& record) override { return pass(record); }
  failure add_layout(std::span<const std::byte> item) override {
    digest_.add_layout(item);
    return to_->add_layout(item);
  }
  failure add_sample(std::uint64_t digest) override { return to_->add_sample(digest); }
  failure add_column(std::string_view key, column& values, const metadata_columns& of, std::uint64_t& bytes) override {
    return to_->add_column(key, values, of, bytes);
  }
  failure add_rows(index_file::column_kind kind, row_list& rows, const metadata_columns& of) override {
    return to_->add_rows(kind, rows, of);
  }
  failure add_other_key(const metadata_columns::other_key& key, const metadata_columns& of) override {
    return to_->add_other_key(key, of);
  }
  failure end_other_keys(const metadata_columns& of) override { return to_->end_other_keys(of); }

  /// Returns the digest of the records so far.
  std::uint64_t value() const noexcept { return digest_.value(); }

 private:
  template <class Record>
  failure pass(const Record& record) {
    digest_.add(record);
    return to_->add(record);
  }

  record_sink* to_;
  index_file::record_digest digest_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
