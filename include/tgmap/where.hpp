// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/keys.hpp>
#include <tgmap/where_fault.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

namespace detail {
struct where_tree;
}

/// How the text of a selection is read.
enum class where_reading : std::uint8_t {
  full,   ///< the grammar of docs/where.md
  plain,  ///< one clause as the reference implementation reads it: `key=a/b` or `key!=a/b`, everything else is text
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
class TGMAP_API where {
 public:
  where() noexcept = default;

  /// Reads a selection. Errors: bad_where, with the column (from 1, in bytes) in `failure::found` and the
  /// `where_fault` in `failure::expected`; out_of_memory.
  explicit where(std::string_view text, where_reading = where_reading::full);
  static where parse(std::string_view text, where_reading, failure&) noexcept;

  /// Whether a message, or one object of it, is selected. Errors: those of key_scope::find, out_of_memory.
  bool matches(key_scope&) const;
  bool matches(key_scope&, failure&) const noexcept;
  bool matches(const message&) const;
  bool matches(const message&, failure&) const noexcept;
  bool matches(const message&, const object&) const;
  bool matches(const message&, const object&, failure&) const noexcept;

  /// Both must hold. Throws std::bad_alloc.
  friend TGMAP_API where operator&&(const where&, const where&);

  /// The selection in the full grammar, in one spelling; reading it again gives the same selection. Empty for the
  /// default, which no text says. Throws std::bad_alloc.
  std::string text() const;

  /// The keys it asks for, in order, each once. Throws std::bad_alloc.
  std::vector<key> keys() const;

  /// Whether this selects everything, whatever there is.
  bool everything() const noexcept { return tree_ == nullptr; }

  /// Whether `~` can be used: the library was built with RE2.
  static bool has_patterns() noexcept;

 private:
  std::shared_ptr<const detail::where_tree> tree_{};
};

}  // namespace v0
}  // namespace tgmap
