// SPDX-License-Identifier: Apache-2.0
// The rows of an index that a selection matches.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <tgmap/error.hpp>
#include <tgmap/query/selection.hpp>
#include <utility>
#include <vector>

#include "index/read_column.hpp"
#include "index_file/reader.hpp"
#include "query/row_bits.hpp"
#include "query/selection_tree.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Rows are messages; or objects, if objects are wanted and a key has different values in those of a message.
enum class row_kind : std::uint8_t { messages, objects };

/// A `row_answers` has an answer for each row: `yes` is in both sets, `unknown` in `possible` alone, `no` in neither.
struct row_answers {
  row_bits selected{}, possible{};

  static row_answers unknown(std::uint64_t rows) { return {row_bits(rows), row_bits(rows, true)}; }

  void set(index_file::row_run rows, index_answer answer) noexcept {
    selected.set(rows, answer == index_answer::yes);
    possible.set(rows, answer != index_answer::no);
  }
  index_answer at(std::uint64_t row) const noexcept {
    if (selected.contains(row)) return index_answer::yes;
    return row >= possible.size() || possible.contains(row) ? index_answer::unknown : index_answer::no;
  }
  void invert() noexcept {
    selected.invert();
    possible.invert();
    std::swap(selected, possible);
  }
};

/// An `answer_rows` answers for all messages of an index, or for all objects. A message is selected if one of its
/// objects is.
class answer_rows {
 public:
  /// Errors: index_damaged, index_mismatch, file_shrank, of the operating system. Throws std::bad_alloc.
  static std::shared_ptr<const answer_rows> find(std::shared_ptr<const index_file::reader>, const selection_tree&,
                                                 bool of_objects, failure&);

  index_answer answer(std::uint64_t message) const noexcept;
  index_answer answer(std::uint64_t message, std::uint64_t object) const noexcept;
  std::uint64_t next(std::uint64_t message) const noexcept;
  std::uint64_t count(index_answer wanted) const noexcept { return counts_[static_cast<std::size_t>(wanted)]; }
  const std::vector<std::string>& missing_keys() const noexcept { return missing_keys_; }

 private:
  answer_rows(std::shared_ptr<const index_file::reader> index, bool of_objects) noexcept
      : index_(std::move(index)), of_objects_(of_objects) {}

  bool objects_of(std::uint64_t message, index_file::row_run& out) const noexcept;
  bool find_message(std::uint64_t object, std::uint64_t from, std::uint64_t& out) const noexcept;

  std::shared_ptr<const index_file::reader> index_;
  bool of_objects_;
  row_kind kind_ = row_kind::messages;
  row_answers answers_{};
  std::array<std::uint64_t, 3> counts_{};  ///< of messages or objects, by answer
  row_bits unlisted_{};                    ///< messages whose objects are not listed
  mutable std::atomic<bool> disagrees_{false};
  std::vector<std::string> missing_keys_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
