// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/descriptor.hpp>
#include <tgmap/message.hpp>
#include <variant>

namespace tgmap {
inline namespace v0 {

namespace detail {
enum class property : std::uint8_t;
}

/// What a person asks for by name: metadata under a dotted path, "mars.levelist[0]", or a fact, "@offset", "shape[0]".
///
/// Read once, used for any number of messages; copies are independent. A metadata key wins over a fact of its name;
/// `@` always means the fact, of which docs/where.md has the list. `extra.` and `_extra_.` before a path look into the
/// message-wide keys alone.
class TGMAP_API metadata_key {
 public:
  /// The empty key, which is never found.
  metadata_key() noexcept = default;

  /// Reads a key. Errors: bad_key (`@` and no fact's name), out_of_memory.
  explicit metadata_key(std::string_view text);
  static metadata_key parse(std::string_view text, failure&) noexcept;

  const std::string& text() const noexcept TGMAP_LIFETIMEBOUND { return text_; }  ///< as given

 private:
  friend class key_lookup;
  enum class place : std::uint8_t { anywhere, extra, fact_alone, nowhere };

  std::string text_{};
  place place_ = place::nowhere;
  std::size_t path_at_ = 0;                 ///< where the path begins in the text
  bool reserved_ = false;                   ///< the first key of the path is `_reserved_`, which entries of base hide
  std::optional<detail::property> fact_{};  ///< that the name stands for, when metadata has none
  std::optional<std::uint64_t> element_{};  ///< of `shape` or `strides`
};

/// What a key stands for in one message or object. Borrows from the scope it was found in, and from the archive.
class TGMAP_API key_result {
 public:
  using value_type =
      std::variant<std::monostate, cbor_view, std::uint64_t, bool, std::string_view, std::span<const std::uint64_t>>;

  key_result() noexcept = default;  ///< nothing
  explicit key_result(value_type what) noexcept : held_(what) {}

  explicit operator bool() const noexcept { return held_.index() != 0; }
  const value_type& get() const noexcept TGMAP_LIFETIMEBOUND { return held_; }

  /// As people read it, and as `=` compares it: text as it is, whole numbers in decimal, floating ones in their
  /// shortest digits and without an exponent (1.0 is "1"), "true", "false", "null"; byte strings in hexadecimal, tags
  /// as what they wrap; arrays and maps as JSON without blanks. Empty for nothing. Throws std::bad_alloc.
  std::string text() const;
  void append_to(std::string& out) const;  ///< the same behind `out`

  /// Whether `text()` is that. Compared where it lies, without allocation; only text in pieces is joined first, and
  /// then std::bad_alloc may be thrown.
  bool equals(std::string_view) const;

 private:
  value_type held_{};
};

/// Returns the visible keys as one flat map of dotted keys to text: "mars.param" to "2t". Maps are taken apart; all
/// else, arrays and empty maps included, is text as `key_value::text` gives it. Keys other than text are left out.
/// Errors: throws std::bad_alloc. Complexity: O(n log n) in the bytes.
TGMAP_API std::map<std::string, std::string> flatten(const metadata&);

/// One message, or one object of it, as keys see it. Loads what keys ask for, once each; holds no payload.
///
/// In a message a path is looked up in its objects' own keys one after another (the first that has it counts, and
/// `_reserved_` is hidden), then message-wide; `version` is the wire version; facts of objects are the first object's.
/// In an object a path is looked up as `object::metadata` does. Version 1 has no metadata: only facts of the message.
///
/// Not for several threads at once. Valid while the archive, or a pin of it, lives.
class TGMAP_API key_lookup {
 public:
  explicit key_lookup(const tgmap::message& of) noexcept : message_(of) {}
  key_lookup(const tgmap::message& of, const tgmap::object& one) noexcept : message_(of), object_(one) {}

  /// Returns what the key stands for here, or nothing if there is no such key. Does not allocate, except where
  /// metadata::find remembers paths.
  /// Errors: those of message::base, message::metadata, object::metadata; of facts message::at, object::descriptor.
  key_result find(const metadata_key&) TGMAP_LIFETIMEBOUND;
  key_result find(const metadata_key&, failure&) noexcept TGMAP_LIFETIMEBOUND;

  /// The key here that is spelled most like `wanted`, for "did you mean"; empty when none is near or metadata cannot be
  /// read. O(bytes of the metadata). Throws std::bad_alloc.
  std::string nearest_key(std::string_view wanted);

 private:
  key_result find_metadata(const metadata_key&, failure&) noexcept;
  key_result find_fact(const metadata_key&, failure&) noexcept;
  key_result find_in_objects(std::string_view path, failure&) noexcept;
  bool load_message(failure&) noexcept;
  bool load_own(failure&) noexcept;
  bool load_object(failure&) noexcept;
  bool load_descriptor(failure&) noexcept;
  key_result object_fact(detail::property, failure&) noexcept;
  key_result descriptor_fact(detail::property, std::optional<std::uint64_t> element, failure&) noexcept;

  tgmap::message message_{};
  std::optional<tgmap::object> object_{};  ///< the one, or the first once it was asked for
  bool one_object_ = object_.has_value();  ///< the scope is that of an object
  bool no_object_ = false;                 ///< the message is known to have none
  std::optional<message_summary> keys_{};  ///< of the message
  std::optional<metadata> own_{};          ///< of the one object
  std::optional<tgmap::descriptor> descriptor_{};
  std::array<char, 16> hash_{};
};

/// What a key stands for, kept apart from the archive to sort by.
///
/// Numbers come first, by value whatever they are stored as (1 and 1.0 are equivalent; integers are compared exactly),
/// NaN behind them; then everything else by its text, byte by byte; nothing comes last. Independent of the scope and of
/// the archive; safe from any number of threads. Copies share their text.
class TGMAP_API sort_key {
 public:
  sort_key() noexcept = default;  ///< nothing

  /// O(bytes of the text). Throws std::bad_alloc.
  explicit sort_key(const key_result&);

  explicit operator bool() const noexcept { return rank_ != rank::nothing; }

  std::weak_ordering operator<=>(const sort_key&) const noexcept;
  bool operator==(const sort_key& other) const noexcept { return std::is_eq(*this <=> other); }

 private:
  enum class rank : std::uint8_t { number, not_a_number, text, nothing };

  rank rank_ = rank::nothing;
  bool whole_ = false, negative_ = false;
  std::uint64_t magnitude_ = 0;
  double real_ = 0;
  std::shared_ptr<const std::string> text_{};
};

}  // namespace v0
}  // namespace tgmap
