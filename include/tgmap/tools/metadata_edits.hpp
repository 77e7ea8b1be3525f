// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/enum_names.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/message.hpp>
#include <tgmap/write/new_message.hpp>
#include <utility>

namespace tgmap {
inline namespace v0 {

/// Why metadata cannot be edited: `failure::expected` of `errc::bad_key`.
enum class edit_error : std::uint8_t {
  no_key = 1,    ///< the text names no key
  empty_name,    ///< a name in the path of a new key is empty
  not_utf8,      ///< a new key is not UTF-8
  origin,        ///< the key is in `_reserved_`, which records the origin of a message
  storage,       ///< the key describes how elements are stored
  other_map,     ///< a key would be renamed to a key of another map
  same_key,      ///< a key would be renamed to itself
  existing_key,  ///< a key would be renamed to one that exists
  no_object,     ///< the message has no object with this number
  no_element,    ///< the path leads to no place, for example to an element that does not exist
};

TGMAP_API std::string_view to_string_view(edit_error) noexcept;  ///< "no_key", "empty_name", …
template <>
TGMAP_API std::optional<edit_error> from_string<edit_error>(std::string_view) noexcept;

namespace detail {
struct metadata_edits_state;
}

/// A `metadata_edits` object is a list of changes of metadata, which it applies to messages that rewrite() writes:
///
///     tgmap::metadata_edits edits;
///     edits.rename("mars.stp", "mars.step");
///     edits.set("extra.title", "Temperature");
///     const auto change = [&](const tgmap::message& m, tgmap::stored_message& out, tgmap::failure& why) {
///       out.load(m, tgmap::on_mismatch::take, why);
///       return !why && edits.apply(m, out, why);
///     };
///     tgmap::rewrite(from, "new.tgm", change);
///
/// A key is a path as cbor_value::set reads it, in the maps that its beginning names:
///
/// | key                  | maps                                                                      |
/// |----------------------|---------------------------------------------------------------------------|
/// | `mars.step`          | of every object; of the whole message if it has no objects                |
/// | `base[2].mars.step`  | of one object                                                             |
/// | `extra.title`        | of the whole message, also `_extra_.title`                                |
/// | `objects.2.units`    | the descriptor of one object, whose frame then gets a new hash            |
///
/// Keys that describe stored elements, such as `shape`, and those in `_reserved_` cannot be changed.
/// Errors: one overload throws `error`, the other fills `failure&`; both throw std::bad_alloc. After a failure of
/// apply() the message must not be used.
/// Thread safety: one thread at a time.
class TGMAP_API metadata_edits {
 public:
  metadata_edits();
  ~metadata_edits();
  metadata_edits(metadata_edits&&) noexcept;
  metadata_edits& operator=(metadata_edits&&) noexcept;

  /// Adds the renaming of a key, which stays in its map. An existing key is not replaced, unless it is within the old
  /// one. Errors: bad_key (expected = `edit_error`; found = 1 if the new name is at fault).
  void rename(std::string_view from, std::string_view to, failure&);
  void rename(std::string_view from, std::string_view to) {
    failure why;
    rename(from, to, why);
    detail::raise_if(why);
  }

  /// Adds the removal of a key. Errors: bad_key (expected = `edit_error`).
  void erase(std::string_view key, failure&);
  void erase(std::string_view key) {
    failure why;
    erase(key, why);
    detail::raise_if(why);
  }

  /// Returns the new value for a key. Receives its current one, if there is one. May throw: `error` becomes the failure
  /// of apply(), all else passes through it. Lifetime: as for cbor_value::transform.
  using chosen_value = std::function<const cbor_value&(const std::optional<cbor_view>& current)>;

  /// Adds a new value of a key, or a function that chooses it for each map. Errors: as erase().
  void set(std::string_view key, chosen_value, failure&);
  void set(std::string_view key, cbor_value value, failure& why) {
    set(
        key, [value = std::move(value)](const std::optional<cbor_view>&) -> const cbor_value& { return value; }, why);
  }
  void set(std::string_view key, cbor_value value) {
    failure why;
    set(key, std::move(value), why);
    detail::raise_if(why);
  }

  std::size_t size() const noexcept;  ///< number of edits

  /// Returns a key as it was given. `i` must be below size(). Lifetime: until an edit is added.
  std::string_view key(std::size_t i) const noexcept TGMAP_LIFETIMEBOUND;

  /// Returns the new name of a key in its map, and an empty text for an edit that does not rename. `i`, lifetime: as
  /// key().
  std::string_view new_path(std::size_t i) const noexcept TGMAP_LIFETIMEBOUND;

  /// Returns whether an edit has changed any message. `i` must be below size().
  bool has_changed(std::size_t i) const noexcept;

  /// A `scope` says which parts of a message apply() changes. Aggregate.
  struct scope {
    /// Numbers of the objects whose own keys change. Default: none given, for all. Has no effect on keys that name
    /// their object. Lifetime: the span must live until apply() returns.
    std::optional<std::span<const std::size_t>> objects{};

    /// Treats an object with a wrong hash whose descriptor would change: fails with hash_mismatch, or adds it to
    /// `stored_message::mismatches` if it changes. Default: take, since rewrite() refuses mismatches.
    on_mismatch damaged = on_mismatch::take;
  };

  /// Applies all edits, in the order in which they were added, to a message that `out.load` has loaded with all
  /// objects. Returns true if anything changed.
  /// Errors: bad_key (expected = `edit_error`, found = number of the edit, object); those of cbor_value::set and
  /// object::verify; hash_mismatch.
  /// Complexity: O(bytes of the metadata) for each edit; with a key in a descriptor also those of the object.
  bool apply(const message&, stored_message& out, const scope&, failure&);
  bool apply(const message& m, stored_message& out, failure& why) { return apply(m, out, {}, why); }
  bool apply(const message& m, stored_message& out, const scope& of) {
    failure why;
    const bool changed = apply(m, out, of, why);
    detail::raise_if(why);
    return changed;
  }

 private:
  std::unique_ptr<detail::metadata_edits_state> state_;
};

}  // namespace v0
}  // namespace tgmap
