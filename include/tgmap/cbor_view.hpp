// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <type_traits>
#include <utility>

namespace tgmap {
inline namespace v0 {

/// The kind of a CBOR item. Simple values other than true and false are `null`.
/// Spec: §3.
enum class cbor_kind : std::uint8_t { null, boolean, integer, floating, text, bytes, array, map, tag };

TGMAP_API std::string_view to_string_view(cbor_kind) noexcept;  ///< "null", "boolean", "integer", …

namespace detail {
template <class T, class... Other>
concept is_any_of = (std::same_as<T, Other> || ...);

/// Integer types except bool and character types.
template <class T>
concept integer = std::integral<T> && !is_any_of<T, bool, char, wchar_t, char8_t, char16_t, char32_t>;

/// The types that `cbor_view::get` returns.
template <class T>
concept readable_value =
    integer<T> || is_any_of<T, bool, float, double, std::string, std::string_view, std::span<const std::byte>>;
}  // namespace detail

/// A `cbor_view` is a view of one CBOR item (RFC 8949) in the archive. It builds no tree, takes 16 bytes and is
/// trivially copyable.
///
/// Other programs can change the bytes under a mapping. Therefore every step checks its bounds again, and changed bytes
/// can at worst give another answer or none.
/// Complexity: a step over a container takes O(bytes passed over).
/// Lifetime: borrows from the archive; valid while the archive, or a pin of it, lives.
/// Thread safety: any number of threads may use it.
/// Spec: §3.
class TGMAP_API cbor_view {
 public:
  /// Makes a null that refers to no bytes.
  cbor_view() noexcept = default;

  /// Returns the kind of the item.
  cbor_kind kind() const noexcept;

  /// Returns the item as `T`, or nothing if that fails.
  ///
  /// `T` is an integer type; float or double, which also take integers and round to the nearest; bool;
  /// std::string_view, or std::string for a copy with all pieces joined; std::span<const std::byte> for the bytes of a
  /// byte string. Text is not checked for well-formed UTF-8; see `text()`.
  /// Errors: wrong_kind; value_out_of_range (`T` cannot hold the number); not_contiguous (a view of text or bytes that
  /// are stored in pieces); out_of_memory (std::string), which the overload without `failure&` throws.
  template <detail::readable_value T>
  std::optional<T> get() const noexcept(!std::same_as<T, std::string>) {
    T out{};
    const failure why = fetch(out);
    if constexpr (std::same_as<T, std::string>)
      if (why.code == errc::out_of_memory) detail::raise(why);
    return why ? std::nullopt : std::optional<T>(std::move(out));
  }
  template <detail::readable_value T>
  std::optional<T> get(failure& why) const noexcept {
    T out{};
    why = fetch(out);
    return why ? std::nullopt : std::optional<T>(std::move(out));
  }

  /// Returns the item as `T`.
  /// Errors: as get(); throws all of them.
  template <detail::readable_value T>
  T as() const {
    T out{};
    detail::raise_if(fetch(out));
    return out;
  }

  /// Returns the item as text for people. Text and byte strings are copied with all pieces joined; each ill-formed
  /// UTF-8 byte of text becomes U+FFFD. Numbers, booleans and null are printed. Containers give an empty text. Throws
  /// std::bad_alloc.
  std::string text() const;

  /// Returns the number of elements of an array or pairs of a map; 0 for all other kinds.
  /// Complexity: O(1); O(bytes) for indefinite lengths.
  std::uint64_t size() const noexcept;

  /// Returns the value of a text key of a map; the last one if the key occurs more than once. The key is one step, not
  /// a path: it may hold dots.
  std::optional<cbor_view> find(std::string_view key) const noexcept;

  /// Returns element `i` of an array.
  std::optional<cbor_view> at(std::uint64_t i) const noexcept;

  /// Returns the value at a path of keys and elements, such as "mars.levelist[0]". If keys hold dots or brackets
  /// themselves, all readings of the path are tried, shortest keys first.
  /// Complexity: each item is passed at most once for each segment of the path.
  std::optional<cbor_view> at_path(std::string_view dotted) const noexcept;

  /// Returns the number of a tag, or nothing if the item is not a tag. untagged() returns the item inside the tag, or
  /// the item itself if it is not a tag.
  std::optional<std::uint64_t> tag() const noexcept;
  cbor_view untagged() const noexcept;

  /// Calls `each(key, value)` for the pairs of a map, or `each(index, value)` for the elements of an array with a
  /// std::uint64_t index, in file order, until it returns false. Returns whether all were visited: false also if bytes
  /// are malformed.
  template <class F>
  bool visit(F&& each) const;

  /// Returns the bytes of the item; none if it is malformed.
  /// Complexity: O(bytes) for containers.
  std::span<const std::byte> bytes() const noexcept;

  /// A `cursor` is the state of a walk over a container. first() sets it before the first item and returns false if
  /// this is not a container. next() moves to the next item and returns false at the end and on malformed bytes.
  struct cursor;
  bool first(cursor&) const noexcept;
  static bool next(cursor&) noexcept;

  /// Returns the item and all bytes that are known to follow it.
  /// Complexity: O(1).
  std::span<const std::byte> bytes_to_end() const noexcept { return {at_, end_}; }

  /// For the library: views the item that begins at `data[0]`.
  explicit cbor_view(std::span<const std::byte> data) noexcept : at_(data.data()), end_(data.data() + data.size()) {}

 private:
  failure fetch(bool&) const noexcept;
  failure fetch(std::int64_t&) const noexcept;
  failure fetch(std::uint64_t&) const noexcept;
  failure fetch(double&) const noexcept;
  failure fetch(float&) const noexcept;
  failure fetch(std::string&) const noexcept;
  template <detail::integer T>
  failure fetch(T& out) const noexcept {
    std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t> wide = 0;
    if (failure why = fetch(wide)) return why;
    if (!std::in_range<T>(wide))
      return {.code = errc::value_out_of_range,
              .expected = static_cast<std::uint64_t>(std::numeric_limits<T>::max()),
              .found = static_cast<std::uint64_t>(wide)};
    out = static_cast<T>(wide);
    return {};
  }
  failure fetch(std::string_view&) const noexcept;
  failure fetch(std::span<const std::byte>&) const noexcept;
  failure fetch_string(cbor_kind, std::span<const std::byte>&) const noexcept;

  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
};

struct cbor_view::cursor {
  cbor_view key{};                  ///< of a map; may be of any kind
  cbor_view value{};                ///< the element of an array, or the value of a pair
  std::uint64_t index = 0;          ///< of `value` in its container
  bool has_key = false;             ///< the container is a map
  bool is_malformed = false;        ///< the walk ended at malformed bytes
  const std::byte* rest = nullptr;  ///< where the next item begins
  const std::byte* end = nullptr;   ///< end of the bytes that may be read
  std::uint64_t remaining = 0;      ///< items that still follow; UINT64_MAX: up to a break
};

template <class F>
bool cbor_view::visit(F&& each) const {
  cursor at;
  if (!first(at)) return kind() != cbor_kind::array && kind() != cbor_kind::map;
  while (next(at)) {
    if constexpr (std::invocable<F&, cbor_view, cbor_view>) {
      if (at.has_key && !each(at.key, at.value)) return false;
    }
    if constexpr (std::invocable<F&, std::uint64_t, cbor_view>) {
      if (!at.has_key && !each(at.index, at.value)) return false;
    }
  }
  return !at.is_malformed;
}

}  // namespace v0
}  // namespace tgmap
