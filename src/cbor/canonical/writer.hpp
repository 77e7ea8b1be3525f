// SPDX-License-Identifier: Apache-2.0
// Writes CBOR items in canonical form (§3): shortest heads, shortest floats that keep the value.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tgmap::cbor {

/// Appends items to a vector of the caller. Callers write the keys of a map in the order of `key_before`. Throws
/// std::bad_alloc.
class writer {
 public:
  explicit writer(std::vector<std::byte>& to) noexcept : to_(&to) {}

  void integer(std::uint64_t);
  void integer(std::int64_t);
  void negative(std::uint64_t n);  ///< -1 - n
  void real(double);               ///< as half, single or double precision; any NaN as the canonical one
  void boolean(bool);
  void null();
  void text(std::string_view);
  void bytes(std::span<const std::byte>);
  void array(std::uint64_t elements);  ///< the head; the elements follow
  void map(std::uint64_t pairs);       ///< the head; keys and values follow
  void tag(std::uint64_t);             ///< the head; the item follows
  void encoded(std::span<const std::byte> item);

  /// Writes a key and its value.
  template <std::integral T>
  requires(!std::same_as<T, bool>) void pair(std::string_view key, T number) {
    text(key);
    if constexpr (std::signed_integral<T>)
      integer(static_cast<std::int64_t>(number));
    else
      integer(static_cast<std::uint64_t>(number));
  }
  void pair(std::string_view key, std::floating_point auto number) {
    text(key);
    real(static_cast<double>(number));
  }
  void pair(std::string_view key, std::string_view value) {
    text(key);
    text(value);
  }

 private:
  std::vector<std::byte>* to_;
};

/// Checks if one text key comes before the other in a map: the shorter one, then by bytes.
[[nodiscard]] constexpr bool key_before(std::string_view a, std::string_view b) noexcept {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

/// Returns the size of the head of an item with that argument: 1, 2, 3, 5 or 9.
[[nodiscard]] constexpr std::size_t head_size(std::uint64_t argument) noexcept {
  return argument < 24 ? 1 : argument < 0x100 ? 2 : argument < 0x10000 ? 3 : argument < 0x100000000 ? 5 : 9;
}

}  // namespace tgmap::cbor
