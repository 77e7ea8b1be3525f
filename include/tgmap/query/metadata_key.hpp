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
#include <vector>

namespace tgmap {
inline namespace v0 {

namespace detail {
enum class property : std::uint8_t;
struct key_access;
}  // namespace detail

/// A `metadata_key` is a name to look up: a dotted path of metadata ("mars.levelist[0]") or a property of the archive
/// ("@offset", "shape[0]").
///
/// A key is parsed once and used for any number of messages. Copies are independent. If metadata has a key of the name
/// of a property, the metadata wins; with `@` the property always does. docs/selection.md lists the properties. A path
/// that begins with `extra.` or `_extra_.` is looked up in the message-wide keys alone.
class TGMAP_API metadata_key {
 public:
  /// Creates the empty key, which is never found.
  metadata_key() noexcept = default;

  /// Parses a key. Errors: bad_key (`@` without the name of a property), out_of_memory.
  explicit metadata_key(std::string_view text);
  static metadata_key parse(std::string_view text, failure&) noexcept;

  const std::string& text() const noexcept TGMAP_LIFETIMEBOUND { return text_; }  ///< as given

 private:
  friend class key_lookup;
  friend class selection;
  friend struct detail::key_access;
  enum class scope : std::uint8_t { any, message_wide, property_only, none };

  std::string text_{};
  scope scope_ = scope::none;
  std::size_t path_begin_ = 0;  ///< position of the path in the text
  bool is_reserved_ = false;    ///< the path begins with `_reserved_`, which is hidden in keys of objects
  std::optional<detail::property> property_{};  ///< property of this name, used if metadata has no such key
  std::optional<std::uint64_t> element_{};      ///< of `shape` or `strides`
};

/// Parses a comma-separated list of keys: "mars.param, @offset". Blanks around a key do not count. A key may be empty,
/// as the only one of an empty text, and is then found nowhere.
/// Errors: bad_key (`found`: the position of the key in the list, counted from 1; `expected`: its size); out_of_memory.
TGMAP_API std::vector<metadata_key> parse_keys(std::string_view list);
TGMAP_API std::vector<metadata_key> parse_keys(std::string_view list, failure&) noexcept;

/// A `key_result` is the value that a key has in one message or object, or nothing.
/// Lifetime: borrows from the key_lookup that found it, until that is given to a selection, and from the archive.
class TGMAP_API key_result {
 public:
  using value_type =
      std::variant<std::monostate, cbor_view, std::uint64_t, bool, std::string_view, std::span<const std::uint64_t>>;

  key_result() noexcept = default;  ///< nothing
  explicit key_result(value_type value) noexcept : value_(value) {}

  /// Returns true if the key was found.
  explicit operator bool() const noexcept { return value_.index() != 0; }
  const value_type& get() const noexcept TGMAP_LIFETIMEBOUND { return value_; }

  /// Returns the printed text, which the operator `=` of selections compares too. Empty if nothing was found.
  ///
  /// Text is printed as it is, and integers in decimal. Floating numbers have their shortest digits and no exponent:
  /// 1.0 is "1". The others are "true", "false" and "null"; byte strings in hexadecimal; tags as the item that they
  /// wrap; arrays and maps as JSON without blanks.
  /// Errors: throws std::bad_alloc.
  std::string text() const;
  void append_to(std::string& out) const;  ///< appends the same text to `out`

  /// Returns true if text() equals the given text. Allocates only to join text in pieces.
  /// Errors: may then throw std::bad_alloc.
  bool equals(std::string_view) const;

 private:
  value_type value_{};
};

/// Returns the visible keys as one flat map of dotted keys to text: "mars.param" to "2t".
///
/// Maps are flattened. All other items become text as in `key_result::text`, arrays and empty maps included. Keys other
/// than text are left out.
/// Errors: throws std::bad_alloc; metadata_limit if the keys take more than 64 bytes for each byte, plus 64 KiB.
/// Complexity: O(n log n) in the bytes.
TGMAP_API std::map<std::string, std::string> flatten(const metadata&);

/// A `key_lookup` finds keys in one message, or in one of its objects. It loads each part of the metadata once, when a
/// key needs it, and never a payload.
///
/// In a message, a path is looked up in the keys of each object in order, without `_reserved_`, and then in the
/// message-wide keys. The first match counts. `version` is the wire version. Properties of objects are those of the
/// first object. A `name` that is nowhere else is looked up in the descriptor of each object in order. In an object, a
/// path is looked up as `object::metadata` does. A message of version 1 has no metadata, only properties of the
/// message.
/// Keys of a file, or of memory that may change, are copied first: what is lost meanwhile is an error, never absent.
/// Lifetime: valid while the archive, or a pin of it, lives.
/// Thread safety: one thread at a time.
class TGMAP_API key_lookup {
 public:
  explicit key_lookup(const tgmap::message& message) noexcept : message_(message) {}
  key_lookup(const tgmap::message& message, const tgmap::object& object) noexcept
      : message_(message), object_(object), number_(object.index()) {}

  /// Returns the value of a key, or nothing if there is no such key. Allocates only for copies, and if metadata::find
  /// remembers a path.
  /// Errors: those of message::base, message::metadata and object::metadata; for properties those of message::at and
  /// object::descriptor.
  key_result find(const metadata_key&) TGMAP_LIFETIMEBOUND;
  key_result find(const metadata_key&, failure&) noexcept TGMAP_LIFETIMEBOUND;

  /// Returns the number of the object in which keys are looked up, or nothing if that is the message. A lookup of a
  /// message becomes one of an object by selection::first_match.
  optional_index object_index() const noexcept { return in_object_ ? optional_index(number_) : optional_index(); }

  /// Returns the existing key that is spelled most like `wanted`, for "did you mean". Empty if no key is similar, or if
  /// metadata cannot be read.
  /// Errors: throws std::bad_alloc.
  /// Complexity: O(bytes of the metadata).
  std::string nearest_key(std::string_view wanted);

 private:
  friend class selection;
  friend struct detail::key_access;
  void enter_object(std::size_t j) noexcept;
  void leave_object() noexcept;
  std::size_t object_count(failure&) noexcept;
  bool has_object(failure&) noexcept;
  static bool varies_by_object(const metadata_key&) noexcept;
  bool is_wire_version(const metadata_key&, failure&) noexcept;
  key_result find_metadata(const metadata_key&, failure&) noexcept;
  key_result find_property(const metadata_key&, failure&) noexcept;
  key_result find_in_objects(std::string_view path, failure&) noexcept;
  key_result find_in_entered(std::string_view path, failure&) noexcept;
  key_result find_descriptor_name(failure&) noexcept;
  key_result find_in_other(std::size_t j, std::string_view path, failure&) noexcept;
  bool load_summary(failure&) noexcept;
  bool load_object_metadata(failure&) noexcept;
  bool load_object(failure&) noexcept;
  bool load_descriptor(failure&) noexcept;
  bool copy_descriptor(failure&) noexcept;
  key_result find_object_property(detail::property, failure&) noexcept;
  key_result find_descriptor_property(detail::property, std::optional<std::uint64_t> element, failure&) noexcept;

  tgmap::message message_{};
  std::optional<tgmap::object> object_{};      ///< the object, or the first one once it is needed
  std::size_t number_ = 0;                     ///< of object_, whether it was read or not
  bool in_object_ = object_.has_value();       ///< keys are looked up in an object
  bool is_of_message_ = !object_.has_value();  ///< no object was given; one may have been entered
  bool has_no_objects_ = false;                ///< the message is known to have no objects
  std::optional<std::size_t> object_count_{};  ///< known once first_object_ and message_wide_ are
  metadata_copy first_object_{}, message_wide_{};
  std::optional<metadata_copy> object_metadata_{};  ///< of an entered object only its own keys
  std::map<std::size_t, metadata_copy> others_{};   ///< by object, of others in which keys were found
  std::optional<metadata_copy> named_{};            ///< of the object with a name in its descriptor, once found
  std::optional<tgmap::descriptor> descriptor_{};
  std::shared_ptr<const tgmap::descriptor> descriptor_copy_{};  ///< in place of descriptor_, if its name is needed
  std::shared_ptr<const tgmap::descriptor> name_owner_{};       ///< of the object with a name in it, once found
  std::array<char, 16> hash_{};
};

/// A `sort_key` is the value of a key, copied so that messages can be sorted by it.
///
/// Numbers come first, then NaN, then all other values by their text, byte by byte, and nothing last. Numbers compare
/// by value, whatever their types: 1 and 1.0 are equivalent. Integers compare exactly. Lifetime: independent of the
/// key_lookup and of the archive. Copies share their text. Thread safety: any number of threads.
class TGMAP_API sort_key {
 public:
  sort_key() noexcept = default;  ///< nothing

  /// Copies the value. Errors: throws std::bad_alloc. Complexity: O(bytes of the text).
  explicit sort_key(const key_result&);

  /// Returns true unless this is nothing.
  explicit operator bool() const noexcept { return rank_ != rank::nothing; }

  std::weak_ordering operator<=>(const sort_key&) const noexcept;
  bool operator==(const sort_key& other) const noexcept { return std::is_eq(*this <=> other); }

 private:
  enum class rank : std::uint8_t { number, not_a_number, text, nothing };

  rank rank_ = rank::nothing;
  bool is_integer_ = false, is_negative_ = false;
  std::uint64_t magnitude_ = 0;
  double real_ = 0;
  std::shared_ptr<const std::string> text_{};
};

/// Returns the values of the keys as one string, "2:2t1:6-", for groups: it is equal only for equal printed values. "-"
/// is an absent key. Errors: those of key_lookup::find; out_of_memory. Complexity: O(bytes of the text).
TGMAP_API std::string group_key(std::span<const metadata_key>, key_lookup&);
TGMAP_API std::string group_key(std::span<const metadata_key>, key_lookup&, failure&) noexcept;

}  // namespace v0
}  // namespace tgmap
