// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/query/indexed_selection.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// Reason why the text of a selection cannot be parsed: `failure::expected` of `errc::bad_selection`.
enum class selection_error : std::uint8_t {
  missing_key,            ///< a condition must begin here
  missing_operator,       ///< no =, !=, <, <=, >, >= or ~ follows a key
  missing_value,          ///< no value follows an operator that needs one
  reserved_word,          ///< `and`, `or`, `not` or `has` in a value without quotes
  unclosed_quote,         ///< a quote is never closed
  unclosed_parenthesis,   ///< a parenthesis is never closed
  unmatched_parenthesis,  ///< a closing parenthesis has no opening one
  trailing_text,          ///< text that continues neither the condition nor the selection
  too_deep,               ///< more than 100 nested parentheses and `not`
  unknown_property,       ///< a key begins with `@` and names no property
  bad_pattern,            ///< RE2 refuses the pattern, or it is too large
  unsupported_pattern,    ///< a pattern in a build without RE2
  number_list,            ///< numbers with commas between them instead of slashes
  range_spelling,         ///< a range that is not written `0..24`, `0/to/24` or `0/to/24/by/6`
};

inline constexpr std::size_t selection_error_count = 14;  ///< number of enumerators

/// Returns a phrase for people, without the column: "a key is missing".
TGMAP_API std::string_view to_string_view(selection_error) noexcept;

namespace detail {
struct selection_tree;
}  // namespace detail

/// Syntax of the text of a selection.
enum class selection_syntax : std::uint8_t {
  full,           ///< the grammar of docs/selection.md
  single_clause,  ///< one clause as the reference implementation reads it: `key=a/b` or `key!=a/b`, with all else text
};

/// A `selection_match` is the result of `selection::first_match`. It converts to false if nothing matches.
struct selection_match {
  bool is_match = false;
  optional_index object{};  ///< number of the object; nothing if the message matches by its own keys
  explicit operator bool() const noexcept { return is_match; }
};

/// A `selection` is a compiled condition on messages or objects: "mars.param=2t/10u and step=0..24". The default
/// selects everything.
///
/// The whole condition holds for one object, together with the message-wide keys of its message. A message matches if
/// one of its objects does, so a selection and its negation may both match a message. A message without objects, and
/// one of version 1, matches by its own keys and properties. With `selection_syntax::single_clause` a message matches,
/// as in the reference implementation, by what a key_lookup of the message finds: of each key the first value. So it
/// does with a conjunction of such selections alone.
///
/// `=` and `!=` compare printed text (`key_result::text`), and numbers by value, however they are spelled. `<`, `<=`,
/// `>`, `>=` and ranges compare numbers if both sides are numbers, else text byte by byte. Ranges with a step hold for
/// numbers alone, by their digits. `~` searches the text for a pattern. If a key does not exist, every condition on it
/// is false, except `!=`.
///
/// A selection is compiled once and matched any number of times. Matching reads keys in place and builds no tree. It
/// allocates only for text in pieces, for other values that are compared as text, for numbers of more than a dozen
/// digits in ranges with a step, and for patterns, whose memory RE2 bounds. Copies are cheap handles that share the
/// compiled form.
/// Thread safety: copies may be matched in any number of threads.
class TGMAP_API selection {
 public:
  selection() noexcept = default;

  /// Compiles a selection.
  /// Errors: bad_selection (found = column, from 1, in bytes; expected = the `selection_error`), out_of_memory.
  explicit selection(std::string_view text, selection_syntax = selection_syntax::full);
  static selection parse(std::string_view text, selection_syntax, failure&) noexcept;

  /// Returns true if a message, or an object, matches. A lookup of a message matches as the message does, and is
  /// unchanged. If an object cannot be read, the others still can match.
  /// Errors: those of key_lookup::find and message::size, of the first object that cannot be read, if no object
  /// matches; out_of_memory.
  /// Complexity: reads the keys of the objects in order, up to the first match.
  [[nodiscard]] bool matches(key_lookup&) const;
  bool matches(key_lookup&, failure&) const noexcept;
  [[nodiscard]] bool matches(const message&) const;
  bool matches(const message&, failure&) const noexcept;
  [[nodiscard]] bool matches(const message&, const object&) const;
  bool matches(const message&, const object&, failure&) const noexcept;

  /// Returns which object of a message is the first that matches. Verbs and tables show its keys for the message. The
  /// message itself matches if it has no objects, with the default selection, which reads nothing, and with
  /// `selection_syntax::single_clause`. A lookup of a message becomes one of this object, and keeps what was read for
  /// matching; without a match it is unchanged.
  /// Errors, complexity: as matches().
  selection_match first_match(const message&) const;
  selection_match first_match(const message&, failure&) const noexcept;
  selection_match first_match(key_lookup&) const;
  selection_match first_match(key_lookup&, failure&) const noexcept;

  /// Returns a selection of the objects that both select. It may select fewer messages. Errors: throws std::bad_alloc.
  friend TGMAP_API selection operator&&(const selection&, const selection&);

  /// Returns the selection as text of the full syntax, in one normal form: parsing it gives the same selection. Empty
  /// for the default. Errors: throws std::bad_alloc.
  std::string text() const;

  /// Returns the keys in the selection, in order, each once. Errors: throws std::bad_alloc.
  std::vector<metadata_key> keys() const;

  /// Returns those of keys() whose values are compared, but which may be absent from what the selection matches: "c"
  /// and "d" for "a=1 and not has b and c!=3 and not d=4". A mistake in one of them does not show in the result.
  /// Errors: throws std::bad_alloc.
  std::vector<metadata_key> optional_keys() const;

  /// Returns true for the default selection, which selects everything.
  bool selects_all() const noexcept { return tree_ == nullptr; }

  /// Returns true if the library was built with RE2, which `~` needs.
  static bool supports_patterns() noexcept;

 private:
  friend class indexed_selection;
  bool enter_match(key_lookup&, failure&) const noexcept;
  bool enter_matching_object(key_lookup&, failure&) const;
  std::shared_ptr<const detail::selection_tree> tree_{};
};

/// Returns the text in quotes, so that it is a key or a value in the text of a selection, whatever characters it has:
/// `2t` becomes `"2t"`. A value in quotes is text; numbers need no quotes.
/// Errors: throws std::bad_alloc. Complexity: O(bytes).
TGMAP_API std::string quote(std::string_view);

/// A `selected_message` is a message that a selection matches.
struct selected_message {
  std::size_t index = 0;  ///< number of the message in the archive
  tgmap::message message{};
};

/// A `selected_object` is an object that a selection matches.
struct selected_object {
  std::size_t message_index = 0;  ///< number of the message in the archive
  std::size_t index = 0;          ///< number of the object in the message
  tgmap::message message{};
  tgmap::object object{};
};

namespace detail {

/// A `selection_iterator` calls `bool next(Value&, failure&)` of a `Range`, and throws the failure that it stores.
template <class Range, class Value>
class selection_iterator {
 public:
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::input_iterator_tag;
  selection_iterator() noexcept = default;
  explicit selection_iterator(Range* range) : range_(range) { ++*this; }
  const Value& operator*() const noexcept { return current_; }
  const Value* operator->() const noexcept { return &current_; }
  selection_iterator& operator++() {
    failure why;
    if (!range_->next(current_, why)) range_ = nullptr;
    raise_if(why);
    return *this;
  }
  void operator++(int) { ++*this; }
  bool operator==(std::default_sentinel_t) const noexcept { return range_ == nullptr; }

 private:
  Range* range_ = nullptr;
  Value current_{};
};

}  // namespace detail

/// A `selected_messages` is the range of the messages that a selection matches, in order: `archive::find`. They are the
/// messages of the objects of `archive::objects`, and messages without objects that match themselves. It is a
/// single-pass input range, and scans the archive and reads keys while it is iterated. With an index that has columns
/// of the keys it reads only the messages that match, to compare them.
/// Lifetime: keeps the archive open. Handles of messages need the archive, this range or a pin.
/// Thread safety: one thread at a time. Several ranges of one archive are independent.
class TGMAP_API selected_messages {
 public:
  selected_messages() noexcept = default;
  selected_messages(archive source, selection wanted) noexcept
      : archive_(std::move(source)), wanted_(std::move(wanted)) {}

  /// Moves to the next message that matches. Returns false at the end and after a failure.
  /// Errors: those of archive::operator[], selection::matches and indexed_selection; index_mismatch (the index says
  /// that a message matches, and it does not). After an error in the keys of a message, the next call continues with
  /// the message after it. Errors of the scan are repeated.
  bool next(selected_message& out, failure&) noexcept;

  /// Begins the iteration. begin() and the increment throw the failure that next() stores.
  using iterator = detail::selection_iterator<selected_messages, selected_message>;
  iterator begin() TGMAP_LIFETIMEBOUND { return iterator(this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  archive archive_{};
  selection wanted_{};
  indexed_selection known_{};
  bool has_begun_ = false;
  std::size_t next_ = 0;
};

/// A `selected_objects` is the range of the objects that a selection matches, in the order of the archive:
/// `archive::objects`. Messages of version 1 are skipped, since their objects cannot be read.
/// Lifetime, thread safety: as selected_messages.
class TGMAP_API selected_objects {
 public:
  selected_objects() noexcept = default;
  selected_objects(archive source, selection wanted) noexcept
      : archive_(std::move(source)), wanted_(std::move(wanted)) {}

  /// Moves to the next object that matches. Returns false at the end and after a failure.
  /// Errors: those of selected_messages::next, message::size and message::operator[]. After an error in a message or
  /// object, the next call continues after it. Errors of the scan are repeated.
  bool next(selected_object& out, failure&) noexcept;

  /// Begins the iteration. begin() and the increment throw the failure that next() stores.
  using iterator = detail::selection_iterator<selected_objects, selected_object>;
  iterator begin() TGMAP_LIFETIMEBOUND { return iterator(this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  bool next_message(failure&) noexcept;

  archive archive_{};
  selection wanted_{};
  indexed_selection known_{};
  bool has_begun_ = false;
  message message_{};
  std::size_t next_message_ = 0;
  std::size_t next_ = 0, count_ = 0;  // objects of message_
};

}  // namespace v0
}  // namespace tgmap
