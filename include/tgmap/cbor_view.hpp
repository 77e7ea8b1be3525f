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

/// What one CBOR item is. Simple values other than true and false are `null`, as the specification reads them (§3).
enum class cbor_kind : std::uint8_t { null, boolean, integer, floating, text, bytes, array, map, tag };

TGMAP_API std::string_view to_string_view(cbor_kind) noexcept;

namespace detail {
template <class T, class... Other>
concept is_any_of = (std::same_as<T, Other> || ...);

/// Integers, but neither bool nor characters.
template <class T>
concept integer = std::integral<T> && !is_any_of<T, bool, char, wchar_t, char8_t, char16_t, char32_t>;

template <class T>
concept readable_value =
    integer<T> || is_any_of<T, bool, float, double, std::string, std::string_view, std::span<const std::byte>>;
}  // namespace detail

/// One CBOR item where it lies (RFC 8949; specification §3). No tree is built; 16 bytes; trivially copyable.
///
/// Borrows from the archive: valid while the archive, or a pin of it, lives. Safe from any number of threads.
/// Every step checks its own bounds again, because other programs can change the bytes under a mapping: the worst
/// that changed bytes can do is another answer or none. Steps over a container cost O(bytes passed over).
class TGMAP_API cbor_view {
 public:
  /// A null that lies nowhere.
  cbor_view() noexcept = default;

  cbor_kind kind() const noexcept;

  /// Returns the item as `T`, or nothing when it is of another kind, out of range, or stored in pieces.
  ///
  /// `T` is an integer type; float or double, also from integers, rounded to the nearest; bool; std::string_view, or
  /// std::string, a copy with its pieces joined; std::span<const std::byte>, a byte string's bytes. Text is not checked
  /// for well-formed UTF-8; see `text()`.
  /// Errors: wrong_kind; value_out_of_range (the type cannot hold the number); not_contiguous (a view of text or bytes
  /// that are stored in pieces); out_of_memory (std::string), which the first form throws.
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

  /// Returns the same, or throws: wrong_kind, value_out_of_range, not_contiguous.
  template <detail::readable_value T>
  T as() const {
    T out{};
    detail::raise_if(fetch(out));
    return out;
  }

  /// Text or byte string as a copy, pieces joined, each ill-formed UTF-8 byte of text replaced by U+FFFD;
  /// numbers, booleans and null as people write them; empty for containers. Throws std::bad_alloc.
  std::string text() const;

  /// Elements of an array, pairs of a map; 0 otherwise. O(1), O(bytes) for indefinite lengths.
  std::uint64_t size() const noexcept;

  /// The value under that text key of a map; the last one when the key is repeated. One step: the key may hold dots.
  std::optional<cbor_view> find(std::string_view key) const noexcept;

  /// Element `i` of an array.
  std::optional<cbor_view> at(std::uint64_t i) const noexcept;

  /// Follows a path of keys and elements: "mars.levelist[0]". Where keys hold dots or brackets themselves, every
  /// reading of the path is tried, shortest keys first. Each item is passed at most once a path segment.
  std::optional<cbor_view> at_path(std::string_view dotted) const noexcept;

  /// The number of a tag, and what it wraps (the item itself when there is no tag).
  std::optional<std::uint64_t> tag() const noexcept;
  cbor_view untagged() const noexcept;

  /// Calls `each(key, value)` for the pairs of a map, `each(index, value)` for an array (index as std::uint64_t),
  /// in file order, until it returns false. Returns whether all were visited: false too when bytes are malformed.
  template <class F>
  bool visit(F&& each) const;

  /// The bytes of the item where it lies; empty when malformed. O(bytes) for containers.
  std::span<const std::byte> bytes() const noexcept;

  /// Where a walk over a container stands.
  struct cursor;
  bool first(cursor&) const noexcept;
  static bool next(cursor&) noexcept;

  /// The item and whatever is known to follow it. O(1).
  std::span<const std::byte> bytes_to_end() const noexcept { return {at_, end_}; }

  /// For the library: an item that begins at `data[0]`.
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
  cbor_view key{};                  ///< of a map; of any kind
  cbor_view value{};                ///< the element or the value of the pair
  std::uint64_t index = 0;          ///< of `item` in its container
  bool has_key = false;             ///< the container is a map
  bool malformed = false;           ///< the walk ended at bytes that are no CBOR
  const std::byte* rest = nullptr;  ///< where the next item begins
  const std::byte* end = nullptr;
  std::uint64_t remaining = 0;  ///< items still to come; UINT64_MAX: until a break
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
  return !at.malformed;
}

}  // namespace v0
}  // namespace tgmap
