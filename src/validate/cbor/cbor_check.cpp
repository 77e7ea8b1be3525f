// SPDX-License-Identifier: Apache-2.0
#include "validate/cbor/cbor_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/text/utf8.hpp"

namespace tgmap::validation {

namespace {

constexpr std::uint8_t indefinite = 31;

class cbor_checker {
 public:
  cbor_checker(std::span<const std::byte> data, unsigned max_depth, bool canonical) noexcept
      : begin_(data.data()), at_(begin_), end_(begin_ + data.size()), max_depth_(max_depth), canonical_(canonical) {}

  cbor_report run() noexcept {
    check_item(0);
    report_.size = static_cast<std::size_t>(at_ - begin_);
    return report_;
  }

 private:
  struct head {
    std::uint8_t major = 0, info = 0;
    std::uint64_t argument = 0;
  };

  bool fail(cbor_state state) noexcept {
    report_.state = state;
    return false;
  }
  /// Returns true until the first deviation from deterministic form, which is the one that is reported.
  bool checks_form() const noexcept { return canonical_ && report_.not_canonical == nullptr; }
  void note_not_canonical(const char* why, const std::byte* at) noexcept {
    if (!checks_form()) return;
    report_.not_canonical = why;
    report_.not_canonical_at = static_cast<std::size_t>(at - begin_);
  }
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  bool at_break() const noexcept { return at_ != end_ && *at_ == std::byte{0xff}; }

  bool read_head(head& out) noexcept {
    if (at_ == end_) return fail(cbor_state::truncated);
    const auto first = std::to_integer<std::uint8_t>(*at_);
    out.major = static_cast<std::uint8_t>(first >> 5);
    out.info = first & 0x1f;
    out.argument = out.info;
    if (out.info < 24) {
      ++at_;
      return true;
    }
    if (out.info == indefinite && out.major >= 2 && out.major <= 5) {
      note_not_canonical("an indefinite length", at_);
      ++at_;
      return true;
    }
    if (out.info > 27) return fail(cbor_state::malformed);
    const std::size_t width = std::size_t{1} << (out.info - 24);
    if (left() < 1 + width) return fail(cbor_state::truncated);
    out.argument = 0;
    for (std::size_t i = 1; i <= width; ++i) out.argument = out.argument << 8 | std::to_integer<std::uint64_t>(at_[i]);
    constexpr std::uint64_t min_arguments[] = {24, 0x100, 0x10000, 0x100000000};
    if (out.major != 7 && out.argument < min_arguments[out.info - 24])
      note_not_canonical("a number longer than it need be", at_);
    at_ += 1 + width;
    return true;
  }

  bool check_text(const std::byte* from, std::size_t size) noexcept {
    return core::is_utf8({reinterpret_cast<const char*>(from), size}) || fail(cbor_state::malformed);
  }

  bool check_string(const head& start) noexcept {
    if (start.info != indefinite) {
      if (start.argument > left()) return fail(cbor_state::truncated);
      const std::byte* const from = at_;
      at_ += start.argument;
      if (start.major == 2 || check_text(from, static_cast<std::size_t>(start.argument))) return true;
      at_ = from;
      return false;
    }
    while (!at_break()) {
      head piece;
      const std::byte* const from = at_;
      if (!read_head(piece)) return false;
      if (piece.major != start.major || piece.info == indefinite) {
        at_ = from;
        return fail(cbor_state::malformed);
      }
      if (!check_string(piece)) return false;
    }
    ++at_;
    return true;
  }

  /// Returns true if `key` is a number or string with a head of one or two bytes, in its shortest form. Nearly all keys
  /// are.
  static bool is_short_form(const std::byte* key) noexcept {
    const auto first = std::to_integer<unsigned>(*key), major = first >> 5, info = first & 31;
    return major <= 3 && (info < 24 || (info == 24 && std::to_integer<unsigned>(key[1]) >= 24));
  }

  /// Checks that `key` comes after `previous` in bytewise order.
  void check_key_order(const std::byte* previous, std::size_t previous_size, const std::byte* key) noexcept {
    if (!report_.is_sorted && !checks_form()) return;
    if (!is_short_form(key)) report_.is_sorted = false;
    if (previous == nullptr) return;
    // Nearly all keys differ in their first bytes: faster than a call of memcmp.
    const std::byte* const previous_end = previous + previous_size;
    const auto [a, b] = std::mismatch(previous, previous_end, key, at_);
    if (b != at_ && (a == previous_end || *a < *b)) return;
    report_.is_sorted = false;
    note_not_canonical("a key that is not behind the one before it", key);
  }

  bool check_container(const head& start, unsigned depth) noexcept {
    if (depth >= max_depth_) return fail(cbor_state::too_deep);
    const bool is_map = start.major == 5, is_open = start.info == indefinite;
    const std::byte* previous = nullptr;
    std::size_t previous_size = 0;
    for (std::uint64_t n = 0; is_open ? !at_break() : n < start.argument; ++n) {
      const std::byte* const key = at_;
      if (!check_item(depth + 1)) return false;
      if (!is_map) continue;
      check_key_order(previous, previous_size, key);
      previous = key;
      previous_size = static_cast<std::size_t>(at_ - key);
      if (!check_item(depth + 1)) return false;
    }
    if (is_open) ++at_;
    return true;
  }

  /// Checks that a float has the shortest form that keeps its value. Every NaN has a short form.
  void check_float_size(const head& start, const std::byte* from) noexcept {
    if (!checks_form() || start.info == 25) return;
    const double wide = start.info == 27
                            ? std::bit_cast<double>(start.argument)
                            : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(start.argument)));
    const bool shorter = std::isnan(wide) || fits_half(wide) || (start.info == 27 && fits_single(wide));
    if (shorter) note_not_canonical("a float longer than it need be", from);
  }
  static bool fits_single(double wide) noexcept {
    if (std::isinf(wide)) return true;
    return std::abs(wide) <= std::numeric_limits<float>::max() &&
           std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(wide))) ==
               std::bit_cast<std::uint64_t>(wide);
  }
  /// Returns true if a half float can hold the value: a multiple of 2^-24 below 65536 with 11 significant bits.
  static bool fits_half(double wide) noexcept {
    if (std::isinf(wide) || wide == 0) return true;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(wide), &exponent);  // in [0.5, 1)
    if (exponent > 16) return false;
    const double steps = std::ldexp(fraction, exponent >= -13 ? 11 : exponent + 24);
    return steps == std::floor(steps);
  }

  bool check_simple(const head& start, const std::byte* from) noexcept {
    if (start.info >= 25 && start.info <= 27) {
      check_float_size(start, from);
      return true;
    }
    if (start.info >= 20 && start.info <= 23) return true;  // false, true, null, undefined
    at_ = from;
    return fail(cbor_state::malformed);
  }

  /// Most items are short. The others have a function of their own because they need more stack.
  bool check_item(unsigned depth) noexcept { return skip_short_item() || check_long_item(depth); }

  /// Skips a small number, or ASCII text with a head of one byte. Returns false for other items.
  bool skip_short_item() noexcept {
    if (at_ == end_) return false;
    const auto first = std::to_integer<unsigned>(*at_), major = first >> 5, info = first & 31;
    if (info >= 24 || (major > 1 && major != 3)) return false;
    if (major == 3) {
      if (info >= left() || !core::is_ascii({reinterpret_cast<const char*>(at_ + 1), info})) return false;
      at_ += info;
    }
    ++at_;
    return true;
  }

  [[gnu::noinline]] bool check_long_item(unsigned depth) noexcept {
    const std::byte* from = at_;
    head start;
    if (!read_head(start)) return false;
    while (start.major == 6) {  // tags are no items of their own
      report_.has_tags = true;
      from = at_;
      if (!read_head(start)) return false;
    }
    switch (start.major) {
      case 0:
      case 1: return true;
      case 2:
      case 3: return check_string(start);
      case 4:
      case 5: return check_container(start, depth);
      default: return check_simple(start, from);
    }
  }

  const std::byte *begin_, *at_, *end_;
  unsigned max_depth_;
  bool canonical_;
  cbor_report report_;
};

}  // namespace

cbor_report check_cbor(std::span<const std::byte> data, unsigned max_depth, bool canonical) noexcept {
  return cbor_checker(data, max_depth, canonical).run();
}

const char* phrase(cbor_state state) noexcept {
  switch (state) {
    case cbor_state::sound: return "is sound";
    case cbor_state::truncated: return "is cut short";
    case cbor_state::too_deep: return "is nested too deep";
    case cbor_state::malformed: break;
  }
  return "is malformed";
}

}  // namespace tgmap::validation
