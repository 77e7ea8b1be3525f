// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/error.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {

class metadata;

namespace detail {
struct cbor_value_access;
}

/// A `cbor_value` is one CBOR item that a program creates, owns and writes. Its counterpart for reading is `cbor_view`.
///
///     cbor_value mars = cbor_value::map({{"param", "2t"}, {"step", 12}});
///     cbor_value base = cbor_value::map({{"mars", mars}, {"levels", cbor_value::array({500, 850})}});
///
/// An item always has the one canonical form: definite lengths, the shortest integers, the shortest floats that keep
/// the value, and map keys once each, in the order of their encoded bytes. Equal items have equal bytes. The encoded
/// bytes are the only storage; there is no tree. Text and keys that are not UTF-8 are repaired as `cbor_view::text()`
/// does. Every NaN becomes the one canonical NaN.
/// Errors: members that create or change an item throw std::bad_alloc, or store out_of_memory in `failure&`;
/// cbor_too_deep for more than 256 nested containers and tags.
/// Thread safety: any number of threads may read one item.
/// Spec: §3.
class TGMAP_API cbor_value {
 public:
  using pair = std::pair<std::string_view, cbor_value>;  ///< key and value of a map

  cbor_value() noexcept = default;                                          ///< null
  cbor_value(std::nullptr_t) noexcept {}                                    // NOLINT: what a literal means
  cbor_value(std::same_as<bool> auto truth) : cbor_value(simple(truth)) {}  // NOLINT
  cbor_value(std::signed_integral auto number) : cbor_value(of(static_cast<std::int64_t>(number))) {}  // NOLINT
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) cbor_value(T number)
      : cbor_value(of(static_cast<std::uint64_t>(number))) {}                                   // NOLINT
  cbor_value(std::floating_point auto number) : cbor_value(of(static_cast<double>(number))) {}  // NOLINT
  cbor_value(const std::convertible_to<std::string_view> auto& text)
      : cbor_value(of(std::string_view(text))) {}  // NOLINT

  /// Returns the integer -1 - `n`, which reaches down to -2^64.
  static cbor_value negative(std::uint64_t n);

  /// Returns a byte string.
  static cbor_value bytes(std::span<const std::byte>);

  /// Returns an item with a tag. The reference implementation cannot read tags in descriptors.
  static cbor_value tagged(std::uint64_t number, const cbor_value&);
  static cbor_value tagged(std::uint64_t number, const cbor_value&, failure&) noexcept;

  /// Returns an array of items.
  static cbor_value array(std::initializer_list<cbor_value>);
  static cbor_value array(std::span<const cbor_value>);
  static cbor_value array(std::span<const cbor_value>, failure&) noexcept;
  static cbor_value array(std::span<const std::uint64_t>);

  /// Returns a map with text keys. If a key is repeated, its last value counts, as for readers.
  static cbor_value map(std::initializer_list<pair> = {});
  static cbor_value map(std::span<const pair>);
  static cbor_value map(std::span<const pair>, failure&) noexcept;

  /// Returns a copy of an item of an archive, in canonical form. Map keys may be of any kind. Text in pieces is joined.
  /// `undefined` becomes null.
  /// Errors: bad_cbor; cbor_too_deep (256 containers and tags).
  /// Complexity: O(n log n) in its bytes.
  static cbor_value copy(const cbor_view&);
  static cbor_value copy(const cbor_view&, failure&) noexcept;

  /// Returns one map of everything that is visible in metadata, as `metadata::entries` lists it.
  /// Errors, complexity: as above.
  static cbor_value copy(const metadata&);
  static cbor_value copy(const metadata&, failure&) noexcept;

  tgmap::cbor_kind kind() const noexcept;
  bool is_map() const noexcept { return kind() == cbor_kind::map; }
  bool empty() const noexcept;  ///< true for a container without elements

  /// Returns a view that reads the item. Lifetime: until the item is changed or destroyed.
  cbor_view view() const noexcept TGMAP_LIFETIMEBOUND;

  /// Returns the canonical bytes of the item. Lifetime: as view().
  std::span<const std::byte> encoded() const noexcept TGMAP_LIFETIMEBOUND;

  /// Sets the item at a dotted path, which is read as `cbor_view::at_path` reads it: "levels[2]" is an element of an
  /// array. Missing levels of the path become maps. An item that the path goes through and that is not a map is
  /// replaced by a map.
  ///
  /// Keys may contain dots. If the path leads to no item, its longest part that ends before a dot and leads to one is
  /// used, and only the rest becomes new levels. A failed call of set, erase or rename changes nothing.
  /// Errors: wrong_kind (this item is not a map); bad_key (the path is empty or not UTF-8, or an element does not
  /// exist); cbor_too_deep.
  /// Complexity: O(bytes) for each key of the path.
  void set(std::string_view path, const cbor_value&);
  void set(std::string_view path, const cbor_value&, failure&) noexcept;

  /// Removes the item at a path. Later elements of an array move up. Returns true if the item existed.
  /// Errors, complexity: as set().
  bool erase(std::string_view path);
  bool erase(std::string_view path, failure&) noexcept;

  /// Moves an item: removes it at `from`, then sets it at `to`. Returns false if `from` does not exist.
  /// Errors, complexity: as set().
  bool rename(std::string_view from, std::string_view to);
  bool rename(std::string_view from, std::string_view to, failure&) noexcept;

  /// Sets the item at a path to the one that `choose` returns. `choose` receives the current item, if there is one.
  /// Returns true if the new item differs from the current one.
  /// Errors: as set(). Exceptions of `choose` pass through.
  /// Lifetime: the view is valid during the call of `choose`; the returned reference must outlive transform().
  bool transform(std::string_view path,
                 const std::function<const cbor_value&(const std::optional<cbor_view>& current)>& choose);

  /// Copies every pair of another map into this one. Its values replace those of the same key; nested maps are not
  /// merged.
  /// Errors: wrong_kind (either item is not a map).
  void update(const cbor_value&);
  void update(const cbor_value&, failure&) noexcept;

  bool operator==(const cbor_value&) const noexcept;

 private:
  friend struct detail::cbor_value_access;
  static cbor_value simple(bool);
  static cbor_value of(std::int64_t);
  static cbor_value of(std::uint64_t);
  static cbor_value of(double);
  static cbor_value of(std::string_view);

  std::vector<std::byte> encoded_{};  // empty: null
};

}  // namespace v0
}  // namespace tgmap
