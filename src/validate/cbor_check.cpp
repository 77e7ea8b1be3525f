// SPDX-License-Identifier: Apache-2.0
#include "validate/cbor_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/text/utf8.hpp"

namespace tgmap::checks {

namespace {

constexpr std::uint8_t indefinite = 31;

class walker {
 public:
  walker(std::span<const std::byte> data, unsigned max_depth, bool form) noexcept
      : begin_(data.data()), at_(begin_), end_(begin_ + data.size()), max_depth_(max_depth), form_(form) {}

  cbor_report run() noexcept {
    item(0);
    report_.size = static_cast<std::size_t>(at_ - begin_);
    return report_;
  }

 private:
  struct head {
    std::uint8_t major = 0, info = 0;
    std::uint64_t argument = 0;
  };

  bool fail(cbor_state how) noexcept {
    report_.state = how;
    return false;
  }
  /// The first thing that is odd is enough.
  bool wants_form() const noexcept { return form_ && report_.odd == nullptr; }
  void note_odd(const char* why, const std::byte* where) noexcept {
    if (!wants_form()) return;
    report_.odd = why;
    report_.odd_at = static_cast<std::size_t>(where - begin_);
  }
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  bool at_break() const noexcept { return at_ != end_ && *at_ == std::byte{0xff}; }

  bool read_head(head& out) noexcept {
    if (at_ == end_) return fail(cbor_state::cut);
    const auto first = std::to_integer<std::uint8_t>(*at_);
    out.major = static_cast<std::uint8_t>(first >> 5);
    out.info = first & 0x1f;
    out.argument = out.info;
    if (out.info < 24) {
      ++at_;
      return true;
    }
    if (out.info == indefinite && out.major >= 2 && out.major <= 5) {
      note_odd("an indefinite length", at_);
      ++at_;
      return true;
    }
    if (out.info > 27) return fail(cbor_state::malformed);
    const std::size_t width = std::size_t{1} << (out.info - 24);
    if (left() < 1 + width) return fail(cbor_state::cut);
    out.argument = 0;
    for (std::size_t i = 1; i <= width; ++i) out.argument = out.argument << 8 | std::to_integer<std::uint64_t>(at_[i]);
    constexpr std::uint64_t least[] = {24, 0x100, 0x10000, 0x100000000};
    if (out.major != 7 && out.argument < least[out.info - 24]) note_odd("a number longer than it need be", at_);
    at_ += 1 + width;
    return true;
  }

  bool text(const std::byte* from, std::size_t size) noexcept {
    return core::is_utf8({reinterpret_cast<const char*>(from), size}) || fail(cbor_state::malformed);
  }

  bool string(const head& of) noexcept {
    if (of.info != indefinite) {
      if (of.argument > left()) return fail(cbor_state::cut);
      const std::byte* const from = at_;
      at_ += of.argument;
      if (of.major == 2 || text(from, static_cast<std::size_t>(of.argument))) return true;
      at_ = from;
      return false;
    }
    while (!at_break()) {
      head piece;
      const std::byte* const from = at_;
      if (!read_head(piece)) return false;
      if (piece.major != of.major || piece.info == indefinite) {
        at_ = from;
        return fail(cbor_state::malformed);
      }
      if (!string(piece)) return false;
    }
    ++at_;
    return true;
  }

  /// Numbers and strings of one or two head bytes, no longer than they need be: nearly all keys.
  static bool is_spelled_shortest(const std::byte* key) noexcept {
    const auto first = std::to_integer<unsigned>(*key), major = first >> 5, info = first & 31;
    return major <= 3 && (info < 24 || (info == 24 && std::to_integer<unsigned>(key[1]) >= 24));
  }

  /// Keys rise byte by byte, so none is there twice.
  void hold_keys(const std::byte* previous, std::size_t previous_size, const std::byte* key) noexcept {
    if (!report_.in_order && !wants_form()) return;
    if (!is_spelled_shortest(key)) report_.in_order = false;
    if (previous == nullptr) return;
    // Not memcmp: nearly all keys differ in their first bytes, before a call would have begun.
    const std::byte* const previous_end = previous + previous_size;
    const auto [before, here] = std::mismatch(previous, previous_end, key, at_);
    if (here != at_ && (before == previous_end || *before < *here)) return;
    report_.in_order = false;
    note_odd("a key that is not behind the one before it", key);
  }

  bool container(const head& of, unsigned depth) noexcept {
    if (depth >= max_depth_) return fail(cbor_state::too_deep);
    const bool map = of.major == 5, open = of.info == indefinite;
    const std::byte* previous = nullptr;
    std::size_t previous_size = 0;
    for (std::uint64_t n = 0; open ? !at_break() : n < of.argument; ++n) {
      const std::byte* const key = at_;
      if (!item(depth + 1)) return false;
      if (!map) continue;
      hold_keys(previous, previous_size, key);
      previous = key;
      previous_size = static_cast<std::size_t>(at_ - key);
      if (!item(depth + 1)) return false;
    }
    if (open) ++at_;
    return true;
  }

  /// Floats are as short as they can be without losing anything; of NaN the shortest form counts.
  void hold_float(const head& of, const std::byte* from) noexcept {
    if (!wants_form() || of.info == 25) return;
    const double wide = of.info == 27
                            ? std::bit_cast<double>(of.argument)
                            : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(of.argument)));
    const bool shorter = std::isnan(wide) || fits_half(wide) || (of.info == 27 && fits_single(wide));
    if (shorter) note_odd("a float longer than it need be", from);
  }
  static bool fits_single(double wide) noexcept {
    if (std::isinf(wide)) return true;
    return std::abs(wide) <= std::numeric_limits<float>::max() &&
           std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(wide))) ==
               std::bit_cast<std::uint64_t>(wide);
  }
  /// Half floats are multiples of 2^-24 below 65536 with 11 significant bits.
  static bool fits_half(double wide) noexcept {
    if (std::isinf(wide) || wide == 0) return true;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(wide), &exponent);  // in [0.5, 1)
    if (exponent > 16) return false;
    const double steps = std::ldexp(fraction, exponent >= -13 ? 11 : exponent + 24);
    return steps == std::floor(steps);
  }

  bool simple(const head& of, const std::byte* from) noexcept {
    if (of.info >= 25 && of.info <= 27) {
      hold_float(of, from);
      return true;
    }
    if (of.info >= 20 && of.info <= 23) return true;  // false, true, null, undefined
    at_ = from;
    return fail(cbor_state::malformed);
  }

  /// Most items are short: small numbers, and ASCII of one head byte. The others are apart, for what they need on the
  /// stack.
  bool item(unsigned depth) noexcept { return short_item() || any_item(depth); }

  bool short_item() noexcept {
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

  [[gnu::noinline]] bool any_item(unsigned depth) noexcept {
    const std::byte* from = at_;
    head what;
    if (!read_head(what)) return false;
    while (what.major == 6) {  // a tag takes no place of its own: the item behind it does
      report_.tags = true;
      from = at_;
      if (!read_head(what)) return false;
    }
    switch (what.major) {
      case 0:
      case 1: return true;
      case 2:
      case 3: return string(what);
      case 4:
      case 5: return container(what, depth);
      default: return simple(what, from);
    }
  }

  const std::byte *begin_, *at_, *end_;
  unsigned max_depth_;
  bool form_;
  cbor_report report_;
};

}  // namespace

cbor_report check_cbor(std::span<const std::byte> data, unsigned max_depth, bool form) noexcept {
  return walker(data, max_depth, form).run();
}

const char* phrase(cbor_state state) noexcept {
  switch (state) {
    case cbor_state::sound: return "is sound";
    case cbor_state::cut: return "is cut short";
    case cbor_state::too_deep: return "is nested too deep";
    case cbor_state::malformed: break;
  }
  return "is malformed";
}

}  // namespace tgmap::checks
