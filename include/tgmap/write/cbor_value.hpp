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
struct item_access;
}

/// One CBOR item that a program makes and owns: what `value` is to read, this is to write (specification §3).
///
/// Always in the one canonical form: definite lengths, shortest integers and floats that keep the value, map keys in
/// the order of their encoded bytes, each once. Equal items have equal bytes. No tree: the bytes are all there is. A
/// copyable value; reading from any number of threads is safe. Members that make or change one throw std::bad_alloc;
/// with a failure& it is out_of_memory. Text and keys that are no UTF-8 are repaired as value::text() does, any NaN is
/// the one NaN. More than 256 containers and tags in each other are not made: cbor_too_deep.
///
///     item base = item::map({{"mars", item::map({{"param", "2t"}, {"step", 12}})}, {"levels", item::array({500,
///     850})}});
class TGMAP_API cbor_value {
 public:
  using pair = std::pair<std::string_view, cbor_value>;

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

  /// -1 - `n`: integers down to -2^64.
  static cbor_value negative(std::uint64_t n);
  /// A byte string.
  static cbor_value bytes(std::span<const std::byte>);
  /// A tag around an item. Readers of the reference implementation refuse tags in descriptors.
  static cbor_value tagged(std::uint64_t number, const cbor_value&);
  static cbor_value tagged(std::uint64_t number, const cbor_value&, failure&) noexcept;
  static cbor_value array(std::initializer_list<cbor_value>);
  static cbor_value array(std::span<const cbor_value>);
  static cbor_value array(std::span<const cbor_value>, failure&) noexcept;
  static cbor_value array(std::span<const std::uint64_t>);
  /// A map with text keys; of a key that comes twice the last value counts, as readers have it.
  static cbor_value map(std::initializer_list<pair> = {});
  static cbor_value map(std::span<const pair>);
  static cbor_value map(std::span<const pair>, failure&) noexcept;

  /// What lies in an archive, brought into canonical form: keys of any kind, pieces joined, `undefined` becomes null.
  /// O(n log n) in its bytes. Errors: bad_cbor, cbor_too_deep (256 containers and tags).
  static cbor_value copy(const cbor_view&);
  static cbor_value copy(const cbor_view&, failure&) noexcept;

  /// Everything that is visible in metadata, as one map: what `metadata::entries` lists. Errors: as above.
  static cbor_value copy(const metadata&);
  static cbor_value copy(const metadata&, failure&) noexcept;

  tgmap::cbor_kind kind() const noexcept;
  bool is_map() const noexcept { return kind() == cbor_kind::map; }
  bool empty() const noexcept;  ///< a container without anything in it

  /// To read it: everything `value` can. Valid until the item changes or goes.
  cbor_view view() const noexcept TGMAP_LIFETIMEBOUND;
  std::span<const std::byte> encoded() const noexcept TGMAP_LIFETIMEBOUND;

  /// Changes of a map, by a dotted path as `value::at_path` reads it; elements of arrays are reached by "key[2]".
  /// set: what is missing on the way becomes a map; what is there and is no map is replaced by one. Where keys hold
  /// dots themselves, an existing one counts before a new level is made: of a path that leads nowhere the longest part
  /// before a dot that leads somewhere. erase: whether it was there; elements behind it take its place. rename: takes
  /// away what is at one path, then puts it at another; false: nothing is there. O(bytes) for each key of the path. A
  /// failed change changes nothing. Errors: wrong_kind (the item is no map), bad_key (a path that is empty or no UTF-8,
  /// or an element that is not there), cbor_too_deep.
  void set(std::string_view path, const cbor_value&);
  void set(std::string_view path, const cbor_value&, failure&) noexcept;
  bool erase(std::string_view path);
  bool erase(std::string_view path, failure&) noexcept;
  bool rename(std::string_view from, std::string_view to);
  bool rename(std::string_view from, std::string_view to, failure&) noexcept;

  /// As set, to what `choose` says, which is told what is there, if anything is. Returns whether that is another.
  /// Throws what `choose` throws.
  bool change(std::string_view path,
              const std::function<const cbor_value&(const std::optional<cbor_view>& there)>& choose);

  /// Puts every pair of another map into this one; those of the other count. Maps inside are not merged.
  /// Errors: wrong_kind (either is no map).
  void update(const cbor_value&);
  void update(const cbor_value&, failure&) noexcept;

  bool operator==(const cbor_value&) const noexcept;

 private:
  friend struct detail::item_access;
  static cbor_value simple(bool);
  static cbor_value of(std::int64_t);
  static cbor_value of(std::uint64_t);
  static cbor_value of(double);
  static cbor_value of(std::string_view);

  std::vector<std::byte> encoded_{};  // empty: null
};

}  // namespace v0
}  // namespace tgmap
