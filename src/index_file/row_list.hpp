// SPDX-License-Identifier: Apache-2.0
// Row lists: ascending numbers of messages or objects, in few bytes (docs/index_format.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tgmap::index_file {

/// Rows [begin, end).
struct row_run {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t count() const noexcept { return end - begin; }
  bool operator==(const row_run&) const noexcept = default;
};

/// A `row_list` is packed while rows are added in ascending order. Runs of consecutive rows take one entry: twice the
/// number of rows left out before it, plus 1 if it has several rows; then their number less 2. Numbers are LEB128.
class row_list {
 public:
  /// Adds rows behind all that were added. Throws std::bad_alloc.
  void add(row_run rows) {
    count_ += rows.count();
    if (rows.begin == last_.end && last_.count() > 0) {
      last_.end = rows.end;
      return;
    }
    pack_last();
    last_ = rows;
  }

  /// Ends the list, and returns its bytes.
  std::span<const std::byte> finish() {
    pack_last();
    return bytes_;
  }

  std::uint64_t count() const noexcept { return count_; }  ///< number of rows

 private:
  void pack_last() {
    if (last_.count() == 0) return;
    const bool is_long = last_.count() > 1;
    pack((last_.begin - packed_end_) << 1 | std::uint64_t{is_long});
    if (is_long) pack(last_.count() - 2);
    packed_end_ = last_.end;
    last_ = {last_.end, last_.end};
  }

  void pack(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes_.push_back(static_cast<std::byte>(number | 0x80));
    bytes_.push_back(static_cast<std::byte>(number));
  }

  std::vector<std::byte> bytes_{};
  row_run last_{};                ///< the last run, which may continue
  std::uint64_t packed_end_ = 0;  ///< end of the run before it
  std::uint64_t count_ = 0;
};

/// A `row_list_reader` reads the runs of a list from any bytes. Rows are below `rows`, and ascend.
class row_list_reader {
 public:
  row_list_reader(std::span<const std::byte> bytes, std::uint64_t rows) noexcept : bytes_(bytes), rows_(rows) {}

  /// Reads the next run. Returns false at the end, and at bytes that are no list.
  bool next(row_run& out) noexcept {
    if (bytes_.empty()) return false;
    std::uint64_t first = 0, more = 0;
    if (!unpack(first) || ((first & 1) != 0 && !unpack(more))) return fail();
    const std::uint64_t left_out = first >> 1, left = rows_ - at_;
    const bool is_long = (first & 1) != 0;
    if (left_out >= left || (is_long && more > left - left_out - 1)) return fail();
    const std::uint64_t count = is_long ? more + 2 : 1;
    if (count > left - left_out) return fail();
    out.begin = at_ + left_out;
    out.end = at_ = out.begin + count;
    return true;
  }

  bool is_damaged() const noexcept { return is_damaged_; }

 private:
  bool fail() noexcept {
    is_damaged_ = true;
    bytes_ = {};
    return false;
  }

  bool unpack(std::uint64_t& out) noexcept {
    out = 0;
    for (unsigned shift = 0; shift < 63 && !bytes_.empty(); shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(bytes_.front());
      bytes_ = bytes_.subspan(1);
      out |= (byte & 0x7f) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  std::span<const std::byte> bytes_;
  std::uint64_t rows_, at_ = 0;
  bool is_damaged_ = false;
};

}  // namespace tgmap::index_file
