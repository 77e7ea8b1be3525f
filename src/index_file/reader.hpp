// SPDX-License-Identifier: Apache-2.0
// Reads an index file in place.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <tgmap/error.hpp>

#include "index_file/format.hpp"
#include "index_file/samples.hpp"
#include "index_file/stamp_page.hpp"
#include "io/source.hpp"

namespace tgmap::index_file {

/// A `reader` reads records of one index file. Nothing is parsed when it is opened, but the last page. A page is
/// checked when it is read for the first time, so bytes that were changed by accident are an error.
///
/// The numbers in records are those of the file: callers compare them with the archive and with each other.
/// Errors of all members: index_damaged, file_shrank, of the operating system.
/// Thread safety: const members may run in any number of threads.
class reader {
 public:
  /// Opens an index. Errors: not_an_index, unknown_index_version, index_damaged, out_of_memory, of the operating
  /// system.
  static std::unique_ptr<const reader> open(std::unique_ptr<io::source>, failure&) noexcept;

  const trailer& facts() const noexcept { return facts_; }
  const io::source& bytes() const noexcept { return *bytes_; }

  /// Returns the stamps as they are now: others may add one. A page that is only partly written has none.
  stamp_page stamps() const noexcept;

  /// Returns the number of the page of the stamps.
  std::uint64_t stamp_page_number() const noexcept { return facts_.pages - 2; }

  /// Reads a record, which must exist.
  failure read(std::uint64_t i, listed_message& out) const noexcept { return read_as(section::messages, i, out); }
  failure read(std::uint64_t i, listed_object& out) const noexcept { return read_as(section::objects, i, out); }
  failure read(std::uint64_t i, listed_gap& out) const noexcept { return read_as(section::gaps, i, out); }
  failure read_sample(std::uint64_t i, std::uint64_t& digest) const noexcept;

  /// Reads consecutive records from `first` on, which must exist. Those of one page take one read.
  failure read(std::uint64_t first, std::span<listed_message> out) const noexcept {
    return read_all_as(section::messages, first, out);
  }
  failure read(std::uint64_t first, std::span<listed_object> out) const noexcept {
    return read_all_as(section::objects, first, out);
  }

  /// Reads the digests of all samples at once.
  failure read_samples(sample_digests& out) const noexcept;

  failure read(std::uint64_t i, listed_column& out) const noexcept { return read_as(section::columns, i, out); }

  /// Copies the CBOR item of a layout. Errors: also out_of_memory.
  failure read_layout(std::uint64_t i, std::vector<std::byte>& out) const noexcept;

  /// Copies bytes of section::column_items. Errors: also out_of_memory.
  failure read_column_items(const text_place&, std::vector<std::byte>& out) const noexcept;

  /// Copies record `i`, which must exist, and the records behind it on its page to `out`, as many as fit. Returns their
  /// bytes.
  std::span<const std::byte> read_page(section, std::uint64_t i, std::span<std::byte> out, failure&) const noexcept;

  /// Checks all pages but that of the stamps, in addition to what open() has checked.
  failure check_pages() const noexcept;

  /// Returns index_damaged for records that disagree with each other. It names the last page.
  failure disagreement() const noexcept { return damaged(facts_.pages - 1); }

  /// Returns the number of records of a section.
  std::uint64_t records(section) const noexcept;

 private:
  reader(std::unique_ptr<io::source> bytes, const trailer& facts, const_page_bytes last) noexcept
      : bytes_(std::move(bytes)), facts_(facts) {
    std::ranges::copy(last, last_page_.begin());
  }

  template <class Record>
  failure read_as(section kind, std::uint64_t i, Record& out) const noexcept {
    std::array<std::byte, 88> bytes;
    const auto record = std::span(bytes).first(record_size(kind));
    failure why = read_record(kind, i, record);
    if (!why) out = Record::load(record);
    return why;
  }

  template <class Record>
  failure read_all_as(section kind, std::uint64_t first, std::span<Record> out) const noexcept {
    std::array<std::byte, page_size> bytes;
    const std::size_t size = record_size(kind);
    while (!out.empty()) {
      failure why;
      auto records = read_page(kind, first, std::span(bytes).first(std::min(out.size() * size, bytes.size())), why);
      if (why) return why;
      for (; !records.empty(); ++first, records = records.subspan(size), out = out.subspan(1))
        out.front() = Record::load(records.first(size));
    }
    return {};
  }

  failure read_runs() noexcept;
  failure run_at(std::uint64_t number, page_run&) const noexcept;
  failure find_run(section, std::uint64_t record, page_run&) const noexcept;
  failure read_record(section, std::uint64_t i, std::span<std::byte> out) const noexcept;
  failure read_bytes(section, std::uint64_t at, std::span<std::byte> out) const noexcept;
  failure read_place(section, const text_place&, std::vector<std::byte>& out) const noexcept;
  failure load(std::uint64_t page, std::size_t at, std::span<std::byte> out) const noexcept;
  failure check(std::uint64_t page, page_bytes out) const noexcept;
  void mark_sound(std::uint64_t page) const noexcept;
  failure damaged(std::uint64_t page) const noexcept;

  struct free_memory {
    void operator()(std::uint64_t* words) const noexcept { std::free(words); }
  };
  /// The runs of a section: `count` of them from `first` on. Most sections have one, which is kept here.
  struct section_runs {
    std::uint64_t first = 0, count = 0;
    page_run only{};
  };
  static constexpr std::size_t sections = 9;

  std::unique_ptr<io::source> bytes_;
  trailer facts_;
  std::array<std::byte, page_size> last_page_{};  ///< has the first page runs
  std::array<section_runs, sections> runs_{};
  std::unique_ptr<std::uint64_t[], free_memory> checked_{};  // a bit a page
};

}  // namespace tgmap::index_file
