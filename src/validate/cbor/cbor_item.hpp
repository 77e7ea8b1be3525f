// SPDX-License-Identifier: Apache-2.0
// CBOR items of bytes that check_cbor() found sound. No function checks the bytes again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tgmap::validation {

/// A `cbor_item` is a view of one data item. Lifetime: that of the bytes.
class cbor_item {
 public:
  /// Creates an absent item, which is of no kind.
  cbor_item() noexcept = default;
  explicit cbor_item(const std::byte* at) noexcept : at_(at) {}

  explicit operator bool() const noexcept { return at_ != nullptr; }
  bool is_bytes() const noexcept { return major() == 2; }
  bool is_text() const noexcept { return major() == 3; }
  bool is_array() const noexcept { return major() == 4; }
  bool is_map() const noexcept { return major() == 5; }

  /// Returns an integer that is not negative; nothing for other kinds.
  std::optional<std::uint64_t> number() const noexcept {
    return major() == 0 ? std::optional(head().argument) : std::nullopt;
  }

  /// Returns the text in place, or joined in `storage` if it is in pieces; empty for other kinds.
  std::string_view text(std::string& storage) const { return is_text() ? string(storage) : std::string_view(); }

  /// Returns true if items can be inside this one: an array, a map or a tag.
  bool can_contain_items() const noexcept { return major() >= 4 && major() <= 6; }

  /// Returns the item inside all tags; the item itself if it has none.
  cbor_item untagged() const noexcept {
    cbor_item out = *this;
    while (out.major() == 6) out.at_ = out.head().end;
    return out;
  }

  /// Compares values: returns less than 0, 0, or greater than 0. Items are equal if they differ only in encoding, such
  /// as longer heads, pieces or wider floats. Text keys have the canonical order. Complexity: O(bytes).
  int compare(const cbor_item& other) const;

  /// Returns the offset of this item in an item that contains it.
  std::size_t offset_in(const cbor_item& outer) const noexcept { return static_cast<std::size_t>(at_ - outer.at_); }

  /// Returns the value of a text key of a map: the last one if the key is repeated, an absent item if it is missing.
  cbor_item find(std::string_view key) const;

  /// Calls `each(key, value)` for the pairs of a map until it returns false. Returns true if it never did.
  template <class Each>
  bool for_each_pair(Each&& each) const {
    return !is_map() || walk([&](const std::byte* key, const std::byte*& next) {
      const std::byte* const value = skip(key);
      next = skip(value);
      return each(cbor_item(key), cbor_item(value));
    });
  }

  /// Calls `each(index, element)` for the elements of an array until it returns false. Returns true if it never did.
  template <class Each>
  bool for_each_element(Each&& each) const {
    std::uint64_t i = 0;
    return !is_array() || walk([&](const std::byte* at, const std::byte*& next) {
      next = skip(at);
      return each(i++, cbor_item(at));
    });
  }

 private:
  struct head_parts {
    std::uint64_t argument = 0;
    const std::byte* end = nullptr;
    bool is_open = false;  ///< indefinite length
  };

  /// Returns the content of text or bytes.
  std::string_view string(std::string& storage) const {
    const head_parts start = head();
    if (start.is_open) return join_pieces(start.end, storage);
    return {reinterpret_cast<const char*>(start.end), static_cast<std::size_t>(start.argument)};
  }
  static std::string_view join_pieces(const std::byte* pieces, std::string& storage);
  bool is_float() const noexcept;
  double float_value() const noexcept;
  int compare_items(const cbor_item& other) const;

  unsigned major() const noexcept { return at_ == nullptr ? 8 : std::to_integer<unsigned>(*at_) >> 5; }
  head_parts head() const noexcept { return head_at(at_); }

  static head_parts head_at(const std::byte* at) noexcept {
    const unsigned info = std::to_integer<unsigned>(*at) & 31;
    if (info < 24) return {info, at + 1, false};
    if (info == 31) return {0, at + 1, true};
    const std::size_t width = std::size_t{1} << (info - 24);
    std::uint64_t argument = 0;
    for (std::size_t i = 1; i <= width; ++i) argument = argument << 8 | std::to_integer<std::uint64_t>(at[i]);
    return {argument, at + 1 + width, false};
  }

  /// Returns the end of the item at `at`. Most items are numbers, text or bytes with a head of one byte.
  static const std::byte* skip(const std::byte* at) noexcept {
    const unsigned first = std::to_integer<unsigned>(*at), major = first >> 5, info = first & 31;
    if (info < 24 && (major < 2 || major == 7)) return at + 1;
    if (info < 24 && major < 4) return at + 1 + info;
    return skip_long_item(at);
  }
  static const std::byte* skip_long_item(const std::byte* at) noexcept;

  template <class Step>
  bool walk(Step&& step) const {
    const head_parts start = head();
    const std::byte* at = start.end;
    for (std::uint64_t n = 0; start.is_open ? *at != std::byte{0xff} : n < start.argument; ++n) {
      const std::byte* next = nullptr;
      if (!step(at, next)) return false;
      at = next;
    }
    return true;
  }

  const std::byte* at_ = nullptr;
};

}  // namespace tgmap::validation
