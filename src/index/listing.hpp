// SPDX-License-Identifier: Apache-2.0
// Lists the messages, objects, layouts, gaps and columns of an archive in the order of an index file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/tools/index.hpp>
#include <vector>

#include "core/seeded_hash.hpp"
#include "index/message_listing.hpp"
#include "index_file/format.hpp"
#include "index_file/reader.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Takes the records of a listing: a writer of index files, or a comparison with one.
class record_sink {
 public:
  virtual ~record_sink() = default;
  virtual failure add(const index_file::listed_message&) = 0;
  virtual failure add(const index_file::listed_object&) = 0;
  virtual failure add(const index_file::listed_gap&) = 0;
  virtual failure add_layout(std::span<const std::byte> item) = 0;
  virtual failure add_sample(std::uint64_t digest) = 0;

  /// Takes a column, which belongs to `of`. Sets the bytes that it takes.
  virtual failure add_column(std::string_view key, column&, const metadata_columns& of, std::uint64_t& bytes) = 0;
  virtual failure add_rows(index_file::column_kind, row_list&, const metadata_columns& of) = 0;

  /// Takes a key that has no column.
  virtual failure add_other_key(const metadata_columns::other_key&, const metadata_columns& of) = 0;

  /// Notes that all keys without a column were taken.
  virtual failure end_other_keys(const metadata_columns& of) = 0;
};

/// A `listing` lists one archive. May throw std::bad_alloc and what `index_options::progress` throws.
class listing {
 public:
  /// The archive must be scanned completely, under `on_damage::skip`.
  listing(const archive& from, record_sink& to, const index_options& options)
      : archive_(&from), to_(&to), options_(&options) {}

  /// Returns the end of the bytes that an index may cover: what follows may be completed by a writer.
  /// Errors: those of archive::at.
  static std::uint64_t covered_end(const archive&, failure&);

  /// Begins behind what an index lists, which the archive was opened with. Columns are those of the rest.
  /// Errors: index_damaged, file_shrank, of the operating system.
  failure begin_behind(const index_file::reader&);

  /// Lists all messages and gaps before `covered`, the columns and the samples.
  failure run(std::uint64_t covered, std::uint64_t seed, index_summary&);

 private:
  /// Messages that one task lists.
  struct batch {
    std::size_t begin = 0, end = 0;
    message_listing list{};
    std::vector<std::uint32_t> layout_numbers{};  ///< of the layouts of `list`, in the index
    failure why{};
  };

  failure list_messages(std::uint64_t covered, index_summary&);
  void list(batch&) const noexcept;
  failure add(batch&, std::uint64_t covered, index_summary&);
  failure add_object(batch&, index_file::listed_object, index_summary&);
  failure add_columns(index_summary&);
  failure add_gaps(std::uint64_t covered, index_summary&);
  std::vector<std::uint64_t> samples(std::uint64_t covered, std::uint64_t seed, failure&) const;

  const archive* archive_;
  record_sink* to_;
  const index_options* options_;
  std::uint64_t first_message_ = 0, first_object_ = 0, first_gap_ = 0;
  /// Numbers of layouts, by their items.
  core::text_map<std::uint32_t> layouts_{};
  metadata_columns columns_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
