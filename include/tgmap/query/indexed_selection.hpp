// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

class selection;

namespace detail {
class answer_rows;
}

/// An `index_answer` says whether a selection matches a message or an object, as far as the index tells.
enum class index_answer : std::uint8_t {
  unknown,  ///< the index does not tell: the selection must be matched
  no,       ///< not selected
  yes,      ///< selected
};

/// An `indexed_selection` is what the index of an archive says about a selection: which messages or objects it matches.
///
/// Only the index is read, and no message. It tells as much as the columns of the keys allow (see tools/index.hpp). An
/// archive without an index, and messages that were appended to it later, have unknown answers. Answers are as good as
/// the index: `index_status::trust` says how far it was compared with the archive.
/// Lifetime: independent of the archive and of the selection. Copies share their memory.
/// Thread safety: any number of threads may use one.
/// Spec: docs/index_format.md.
class TGMAP_API indexed_selection {
 public:
  indexed_selection() noexcept = default;  ///< every answer is unknown

  /// Finds the messages (of_messages) or the objects (of_objects) that a selection matches, as `selection::matches`
  /// does: a message by its objects.
  /// Errors: index_damaged, file_shrank, io, out_of_memory.
  /// Complexity: O(values of the columns) conditions, and O(messages that have a value that matches); takes a few bits
  /// for each message or object.
  static indexed_selection of_messages(const archive&, const selection&, failure&) noexcept;
  static indexed_selection of_messages(const archive&, const selection&);
  static indexed_selection of_objects(const archive&, const selection&, failure&) noexcept;
  static indexed_selection of_objects(const archive&, const selection&);

  /// Returns the answer for a message, by its number, or for an object of a message. After of_objects, the answer for a
  /// message is that of all its objects if they have the same one. After of_messages, that for an object is unknown.
  index_answer answer(std::size_t message) const noexcept;
  index_answer answer(std::size_t message, std::size_t object) const noexcept;

  /// Returns the first message from this one on that may be selected, or that has an object that may be. Returns the
  /// given number if the index does not list it, and the number of listed messages if there is none.
  std::size_t next(std::size_t message) const noexcept;

  /// Returns the number of messages, or of objects, with this answer, among those that the index lists.
  std::uint64_t count(index_answer) const noexcept;

  /// Returns the keys of the selection that have no column, each once. Throws std::bad_alloc.
  std::vector<std::string> missing_keys() const;

 private:
  static indexed_selection find(const archive&, const selection&, bool of_objects, failure&) noexcept;
  std::shared_ptr<const detail::answer_rows> rows_{};
};

}  // namespace v0
}  // namespace tgmap
