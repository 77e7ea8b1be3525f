// SPDX-License-Identifier: Apache-2.0
// Writes a listing to an index file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/write/sink.hpp>
#include <vector>

#include "index/listing.hpp"
#include "index/read_column.hpp"
#include "index_file/reader.hpp"
#include "index_file/record_digest.hpp"
#include "index_file/writer.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// An `index_writer` writes the records of a listing to a new index file, perhaps behind those of an older index.
/// Errors of all members: those of the sink. May throw std::bad_alloc.
class index_writer final : public record_sink {
 public:
  /// Draws the random numbers of the file.
  index_writer(sink& to, const archive& of, failure&);

  std::uint64_t sample_seed() const noexcept { return facts_.sample_seed; }

  /// Begins with the records of `old` and its columns, but not its samples. Later records are those of messages that
  /// follow. Errors: also index_damaged, file_shrank, of the operating system.
  failure copy(const index_file::reader& old, const std::vector<named_column>& columns, index_file::record_digest&);

  failure add(const index_file::listed_message& record) override { return file_.add(record); }
  failure add(const index_file::listed_object& record) override { return file_.add(record); }
  failure add(const index_file::listed_gap& record) override { return file_.add(record); }
  failure add_layout(std::span<const std::byte> item) override { return file_.add_layout(item); }
  failure add_sample(std::uint64_t digest) override { return file_.add_sample(digest); }
  failure add_column(std::string_view key, column&, const metadata_columns& of, std::uint64_t& bytes) override;
  failure add_rows(index_file::column_kind, row_list&, const metadata_columns& of) override;
  failure add_other_key(const metadata_columns::other_key&, const metadata_columns& of) override;
  failure end_other_keys(const metadata_columns& of) override;

  /// Ends the file. With a stamp the index is current for an archive in this state, which the summary says then.
  failure finish(std::uint64_t covered, std::uint64_t structure, const std::optional<io::file_stamp>&, index_summary&);

 private:
  index_file::trailer facts_{};
  index_file::writer file_;
  std::uint64_t first_message_ = 0, first_object_ = 0;    ///< of the columns
  std::set<std::string, std::less<>> keys_of_objects_{};  ///< keys whose older columns describe objects
};

/// Returns the stamp if the archive is still in this state, after it was read.
inline std::optional<io::file_stamp> unchanged(const io::source& archive, const std::optional<io::file_stamp>& stamp) {
  return stamp && archive.stamp() == stamp ? stamp : std::nullopt;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
