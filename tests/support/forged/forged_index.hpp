// SPDX-License-Identifier: Apache-2.0
// Indexes that lie, and have the right checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <support/bytes.hpp>

namespace tgmap_test {

/// Sections of an index, as in docs/index_format.md.
enum class index_section : std::uint16_t { messages = 1, objects = 2, gaps = 5, columns = 7 };

/// A `forged_index` changes numbers of 8 bytes in an index. Each section must have one run of pages.
class forged_index {
 public:
  explicit forged_index(bytes index);

  std::uint64_t count(index_section) const;

  /// Returns or sets the number at byte `at` of a record.
  std::uint64_t get(index_section, std::uint64_t record, std::size_t at) const;
  void set(index_section, std::uint64_t record, std::size_t at, std::uint64_t number);

  /// Copies a record over another one.
  void copy(index_section, std::uint64_t from, std::uint64_t to);

  /// Leaves out all records from `count` on.
  void cut(index_section, std::uint64_t count);

  /// Returns the index, all of whose checksums are right.
  bytes sealed() const;

 private:
  std::size_t run_of(index_section) const;
  std::size_t place_of(index_section, std::uint64_t record) const;
  std::uint64_t number(std::size_t at) const;
  void set_number(std::size_t at, std::uint64_t);

  bytes index_;
};

/// Lets an index hide the message `i`, which has one object, and all gaps and columns.
bytes hiding_message(bytes index, std::uint64_t i);

}  // namespace tgmap_test
