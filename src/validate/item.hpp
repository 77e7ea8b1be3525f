// SPDX-License-Identifier: Apache-2.0
// One CBOR item in a copy that `check_cbor` has found sound: nothing has to be checked, or guarded, again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tgmap::checks {

class item {
 public:
  /// Absent: of no kind, holds nothing.
  item() noexcept = default;
  explicit item(const std::byte* at) noexcept : at_(at) {}

  explicit operator bool() const noexcept { return at_ != nullptr; }
  bool is_bytes() const noexcept { return major() == 2; }
  bool is_text() const noexcept { return major() == 3; }
  bool is_array() const noexcept { return major() == 4; }
  bool is_map() const noexcept { return major() == 5; }

  /// A number that is not negative.
  std::optional<std::uint64_t> number() const noexcept {
    return major() == 0 ? std::optional(head().argument) : std::nullopt;
  }

  /// Text where it lies, or joined in `storage` when it is in pieces; empty for other kinds.
  std::string_view text(std::string& storage) const { return is_text() ? string(storage) : std::string_view(); }

  /// An array, a map, or a tag, which may be around one.
  bool is_around_others() const noexcept { return major() >= 4 && major() <= 6; }

  /// What the tags are around; the item itself when there are none.
  item untagged() const noexcept {
    item out = *this;
    while (out.major() == 6) out.at_ = out.head().behind;
    return out;
  }

  /// Orders items by what they say, less than, equal to or greater than 0: how they are spelled, with longer heads, in
  /// pieces or with wider floats, makes no difference. Of text keys the order is the canonical one. O(bytes).
  int compare(const item& other) const;

  /// Where it begins, from the start of an item around it.
  std::size_t offset_in(const item& outer) const noexcept { return static_cast<std::size_t>(at_ - outer.at_); }

  /// The item under that text key of a map; the last one when there are several.
  item find(std::string_view key) const;

  /// Calls `each(key, item)` for the pairs of a map until it returns false. Returns whether it never did.
  template <class Each>
  bool pairs(Each&& each) const {
    return !is_map() || walk([&](const std::byte* key, const std::byte*& behind) {
      const std::byte* const value = skip(key);
      behind = skip(value);
      return each(item(key), item(value));
    });
  }

  /// Calls `each(index, item)` for the elements of an array until it returns false. Returns whether it never did.
  template <class Each>
  bool elements(Each&& each) const {
    std::uint64_t i = 0;
    return !is_array() || walk([&](const std::byte* at, const std::byte*& behind) {
      behind = skip(at);
      return each(i++, item(at));
    });
  }

 private:
  struct head_parts {
    std::uint64_t argument = 0;
    const std::byte* behind = nullptr;
    bool open = false;  ///< indefinite length
  };

  /// Text or bytes.
  std::string_view string(std::string& storage) const {
    const head_parts all = head();
    if (all.open) return joined(all.behind, storage);
    return {reinterpret_cast<const char*>(all.behind), static_cast<std::size_t>(all.argument)};
  }
  static std::string_view joined(const std::byte* pieces, std::string& storage);
  bool is_float() const noexcept;
  double wide() const noexcept;
  int compare_items(const item& other) const;

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

  /// Behind the item at `at`. Most are short: numbers and text of one head byte.
  static const std::byte* skip(const std::byte* at) noexcept {
    const unsigned first = std::to_integer<unsigned>(*at), major = first >> 5, info = first & 31;
    if (info < 24 && (major < 2 || major == 7)) return at + 1;
    if (info < 24 && major < 4) return at + 1 + info;
    return skip_any(at);
  }
  static const std::byte* skip_any(const std::byte* at) noexcept;

  template <class Step>
  bool walk(Step&& step) const {
    const head_parts start = head();
    const std::byte* at = start.behind;
    for (std::uint64_t n = 0; start.open ? *at != std::byte{0xff} : n < start.argument; ++n) {
      const std::byte* behind = nullptr;
      if (!step(at, behind)) return false;
      at = behind;
    }
    return true;
  }

  const std::byte* at_ = nullptr;
};

}  // namespace tgmap::checks
