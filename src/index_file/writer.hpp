// SPDX-License-Identifier: Apache-2.0
// Writes an index file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tgmap/write/sink.hpp>
#include <utility>
#include <vector>

#include "index_file/format.hpp"
#include "index_file/reader.hpp"
#include "index_file/record_digest.hpp"

namespace tgmap::index_file {

/// A `writer` writes the records of all sections in the order in which they are added, section by section in runs of
/// pages, and the trailer at the end. Holds at most one run of each section in memory.
/// Errors of all members: those of the sink. After an error the file is of no use. May throw std::bad_alloc.
class writer {
 public:
  /// Starts a file. `identity` must differ from that of every other file.
  writer(sink& to, std::uint64_t identity) noexcept : to_(&to), identity_(identity) {}

  failure add(const listed_message& record) { return add_as(section::messages, record); }
  failure add(const listed_object& record) { return add_as(section::objects, record); }
  failure add(const listed_gap& record) { return add_as(section::gaps, record); }
  failure add_sample(std::uint64_t digest);
  failure add_layout(std::span<const std::byte> item);
  failure add(const listed_column& record) { return add_as(section::columns, record); }

  /// Adds bytes of a column, and returns their place in section::column_items.
  failure add_column_items(std::span<const std::byte> bytes, text_place& out);

  /// Returns the bytes in section::column_items so far.
  std::uint64_t column_bytes() const noexcept { return records(section::column_items); }

  /// Adds all records of a section of another file, and digests them. Errors: also those of the reader.
  failure copy(section kind, const reader& from, record_digest&);

  /// Writes the rest, the stamps and the trailer, whose counts are those of what was added.
  failure finish(trailer facts, const stamp_page& stamps = {});

 private:
  struct pending {
    std::vector<std::byte> pages{};      ///< of the current run
    std::uint64_t first = 0, count = 0;  ///< records before this run, and in it
  };

  template <class Record>
  failure add_as(section kind, const Record& record) {
    std::byte* const to = next(kind);
    record.store(to);
    return end_record(kind);
  }
  failure add_records(section kind, std::span<const std::byte> records);
  std::byte* next(section kind);
  failure end_record(section kind);
  failure flush(section kind, pending& from);
  failure write_pages(std::span<std::byte> pages);
  failure begin();
  std::uint64_t records(section kind) const noexcept;

  sink* to_;
  std::uint64_t identity_;
  std::uint64_t pages_ = 0;  ///< written
  std::map<section, pending> sections_{};
  std::vector<page_run> runs_{};
};

}  // namespace tgmap::index_file
