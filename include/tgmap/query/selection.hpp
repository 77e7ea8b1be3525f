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
#include <tgmap/query/metadata_key.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// Why the text of a selection cannot be read: `failure::expected` of `errc::bad_where`, beside the column.
enum class selection_error : std::uint8_t {
  missing_key,            ///< a condition was to begin here
  missing_operator,       ///< a key without =, !=, <, <=, >, >= or ~ behind it
  missing_value,          ///< no value behind an operator that needs one
  reserved_word,          ///< `and`, `or`, `not` or `has` within a value: it takes quotes to mean the word
  unclosed_quote,         ///< a quote that is never closed
  unclosed_parenthesis,   ///< a parenthesis that is never closed
  unmatched_parenthesis,  ///< a closing parenthesis without its opening one
  trailing_text,          ///< something that continues neither the condition nor the selection
  too_deep,               ///< parentheses and `not` inside each other beyond 100
  unknown_property,       ///< a key that begins with `@` and names no fact
  bad_pattern,            ///< RE2 cannot read the pattern, or it is too large
  unsupported_pattern,    ///< this library was built without RE2
};

inline constexpr std::size_t selection_error_count = 12;

/// What is wrong, for people: "a key is missing"; without the column.
TGMAP_API std::string_view to_string_view(selection_error) noexcept;

namespace detail {
struct where_tree;
}

/// How the text of a selection is read.
enum class selection_syntax : std::uint8_t {
  full,           ///< the grammar of docs/where.md
  single_clause,  ///< one clause as the reference implementation reads it: `key=a/b` or `key!=a/b`, everything else is
                  ///< text
};

/// Which messages or objects are wanted: "mars.param=2t/10u and step=0..24", compiled.
///
/// Read once, asked any number of times: asking looks keys up in the metadata where it lies, builds no tree and does
/// not allocate (but for text in pieces, for what is no text where it is compared as text, and for patterns, whose
/// memory RE2 bounds). A cheap shared handle; copies may be asked in any number of threads. The default selects
/// everything.
///
/// `=` and `!=` compare printed text (`key_value::text`); `<`, `<=`, `>`, `>=` and ranges compare numbers where both
/// sides are numbers, else text byte by byte; `~` looks for a pattern in the text. A key that is not there fails every
/// condition but `!=`.
class TGMAP_API selection {
 public:
  selection() noexcept = default;

  /// Reads a selection. Errors: bad_where, with the column (from 1, in bytes) in `failure::found` and the
  /// `where_fault` in `failure::expected`; out_of_memory.
  explicit selection(std::string_view text, selection_syntax = selection_syntax::full);
  static selection parse(std::string_view text, selection_syntax, failure&) noexcept;

  /// Whether a message, or one object of it, is selected. Errors: those of key_scope::find, out_of_memory.
  [[nodiscard]] bool matches(key_lookup&) const;
  bool matches(key_lookup&, failure&) const noexcept;
  [[nodiscard]] bool matches(const message&) const;
  bool matches(const message&, failure&) const noexcept;
  [[nodiscard]] bool matches(const message&, const object&) const;
  bool matches(const message&, const object&, failure&) const noexcept;

  /// Both must hold. Throws std::bad_alloc.
  friend TGMAP_API selection operator&&(const selection&, const selection&);

  /// The selection in the full grammar, in one spelling; reading it again gives the same selection. Empty for the
  /// default, which no text says. Throws std::bad_alloc.
  std::string text() const;

  /// The keys it asks for, in order, each once. Throws std::bad_alloc.
  std::vector<metadata_key> keys() const;

  /// Whether this selects everything, whatever there is.
  bool selects_all() const noexcept { return tree_ == nullptr; }

  /// Whether `~` can be used: the library was built with RE2.
  static bool supports_patterns() noexcept;

 private:
  std::shared_ptr<const detail::where_tree> tree_{};
};

/// A message that a selection matches.
struct selected_message {
  std::size_t index = 0;  ///< its number in the archive
  tgmap::message message{};
};

/// An object that a selection matches.
struct selected_object {
  std::size_t message_index = 0;  ///< number of its message in the archive
  std::size_t index = 0;          ///< its number in the message
  tgmap::message message{};
  tgmap::object object{};
};

namespace detail {

/// Iterates over a `Range` with `bool next(Value&, failure&)`; throws the failure that next() stores.
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

/// The messages of an archive that a selection matches, in order: `archive::find`. A single-pass cursor and an input
/// range. Scans the archive and reads keys as it goes.
///
/// Lifetime: keeps the archive open; the handles it gives need the archive, this range or a pin.
/// Thread safety: one thread at a time; several ranges of one archive are independent.
class TGMAP_API selected_messages {
 public:
  selected_messages() noexcept = default;
  selected_messages(archive of, selection wanted) noexcept : archive_(std::move(of)), wanted_(std::move(wanted)) {}

  /// Moves to the next message that matches. False at the end, and on an error, which sets the failure.
  /// Errors: those of archive::operator[] and where::matches. After an error in the keys of a message the next call
  /// goes on with the message after it; errors of the scan come again.
  bool next(selected_message& out, failure&) noexcept;

  /// Iterates; incrementing throws the failure that next() sets.
  using iterator = detail::selection_iterator<selected_messages, selected_message>;
  iterator begin() TGMAP_LIFETIMEBOUND { return iterator(this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  archive archive_{};
  selection wanted_{};
  std::size_t next_ = 0;
};

/// The objects of an archive that a selection matches, in order of messages and objects: `archive::objects`. Otherwise
/// as `selected_messages`. Messages of version 1 are passed over: they have no objects that can be read.
class TGMAP_API selected_objects {
 public:
  selected_objects() noexcept = default;
  selected_objects(archive of, selection wanted) noexcept : archive_(std::move(of)), wanted_(std::move(wanted)) {}

  /// Moves to the next object that matches. False at the end, and on an error, which sets the failure.
  /// Errors: those of archive::operator[], message::size, message::operator[] and where::matches. After an error in a
  /// message or object the next call goes on after it; errors of the scan come again.
  bool next(selected_object& out, failure&) noexcept;

  /// Iterates; incrementing throws the failure that next() sets.
  using iterator = detail::selection_iterator<selected_objects, selected_object>;
  iterator begin() TGMAP_LIFETIMEBOUND { return iterator(this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  bool next_message(failure&) noexcept;

  archive archive_{};
  selection wanted_{};
  message message_{};
  std::size_t next_message_ = 0;
  std::size_t next_ = 0, count_ = 0;  // objects of message_
};

}  // namespace v0
}  // namespace tgmap
