// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/packing/group_packing.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

failure bad_groups(errc code, std::uint64_t expected, std::uint64_t found, const char* argument = nullptr) noexcept {
  return {.code = code, .expected = expected, .found = found, .argument = argument};
}

/// Returns the number of `octets` bytes at `from`, whose highest bit is a sign.
std::int64_t signed_number(byte_view bytes, unsigned octets) noexcept {
  std::uint64_t out = 0;
  for (unsigned i = 0; i < octets; ++i) out = out << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  if (octets == 0) return 0;
  const std::uint64_t sign = std::uint64_t{1} << (8 * octets - 1);
  return (out & sign) != 0 ? -static_cast<std::int64_t>(out & ~sign) : static_cast<std::int64_t>(out);
}

std::uint64_t unsigned_number(byte_view bytes, unsigned octets) noexcept {
  std::uint64_t out = 0;
  for (unsigned i = 0; i < octets; ++i) out = out << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return out;
}

/// A `list_reader` reads the integers of one list of a table, some at a time.
class list_reader {
 public:
  list_reader(byte_view list, unsigned bits) noexcept : list_(list), bits_(bits) {}

  std::uint32_t next() noexcept {
    if (at_ == room_.size()) {
      unpack_integers(list_, read_ * bits_, bits_, std::span<std::uint32_t>(room_));
      read_ += room_.size();
      at_ = 0;
    }
    return room_[at_++];
  }

 private:
  byte_view list_;
  unsigned bits_;
  std::uint64_t read_ = 0;
  std::array<std::uint32_t, 64> room_{};
  std::size_t at_ = room_.size();
};

/// A group of a table.
struct group {
  std::uint32_t reference = 0;
  unsigned width = 0;
  std::uint64_t length = 0;
};

/// A `group_reader` reads the groups of a table one after the other.
class group_reader {
 public:
  group_reader(const packing& how, const group_table& table) noexcept
      : with_(how.groups),
        references_(table.references, how.bits),
        widths_(table.widths, with_.width_bits),
        lengths_(table.lengths, with_.length_bits) {}

  bool next(group& out) noexcept {
    if (number_ == with_.groups) return false;
    ++number_;
    out.reference = references_.next();
    const std::uint64_t width = std::uint64_t{with_.width_reference} + widths_.next();
    out.width = static_cast<unsigned>(std::min<std::uint64_t>(width, max_width + 1));
    out.length = with_.length_reference + std::uint64_t{lengths_.next()} * with_.length_increment;
    if (number_ == with_.groups) out.length = with_.last_length;
    return true;
  }

  /// Widest integers that a table may have; wider ones are an error.
  static constexpr unsigned max_width = 32;

 private:
  const complex_parameters& with_;
  list_reader references_, widths_, lengths_;
  std::uint32_t number_ = 0;
};

/// Cuts `count` integers of `bits` bits, in whole bytes, from the beginning of `rest`.
bool cut_list(byte_view& rest, std::uint64_t count, unsigned bits, byte_view& out) noexcept {
  const std::uint64_t size = packed_bytes(count, bits);
  if (size > rest.size()) return false;
  out = rest.first(static_cast<std::size_t>(size));
  rest = rest.subspan(static_cast<std::size_t>(size));
  return true;
}

/// The codes of missing values: the largest integer of a width, and for secondary ones the one below.
struct missing_codes {
  unsigned management;

  bool is_missing(std::uint64_t code, unsigned width) const noexcept {
    const std::uint64_t last = (std::uint64_t{1} << width) - 1;
    return management != 0 && (code == last || (management == 2 && code + 1 == last));
  }
  static bool is_secondary(std::uint64_t code, unsigned width) noexcept {
    return code != (std::uint64_t{1} << width) - 1;
  }
};

/// Adds up differences as they come, without the missing ones.
class difference_sum {
 public:
  difference_sum(const packing& how, const group_table& table) noexcept : order_(how.groups.order), table_(table) {}

  /// Numbers wrap around only after one of them was far beyond max_group_integer.
  std::int64_t add(std::int64_t stored) noexcept {
    std::uint64_t out = static_cast<std::uint64_t>(stored);
    if (seen_ < order_) {
      out = static_cast<std::uint64_t>(table_.first[seen_++]);
    } else if (order_ > 0) {
      out += static_cast<std::uint64_t>(table_.minimum) + last_;
      if (order_ == 2) out += last_ - before_;
    }
    before_ = last_;
    last_ = out;
    return static_cast<std::int64_t>(out);
  }

  /// Returns what was stored for the next integer.
  std::int64_t subtract(std::int64_t integer) noexcept {
    const auto now = static_cast<std::uint64_t>(integer);
    std::uint64_t out = now;
    if (seen_ < order_) {
      ++seen_;
      out = 0;
    } else if (order_ > 0) {
      out = now - last_ - static_cast<std::uint64_t>(table_.minimum);
      if (order_ == 2) out -= last_ - before_;
    }
    before_ = last_;
    last_ = now;
    return static_cast<std::int64_t>(out);
  }

  bool is_first() const noexcept { return seen_ < order_; }

 private:
  unsigned order_;
  const group_table& table_;
  unsigned seen_ = 0;
  std::uint64_t last_ = 0, before_ = 0;
};

}  // namespace

group_table read_groups(const packing& how, failure& why) noexcept {
  group_table out;
  const auto& with = how.groups;
  why = {};
  if (with.groups == 0) {  // NCEP's form of a constant field, whatever its other parameters are
    out.packed = how.data;
    out.is_constant = true;
    return out;
  }
  if (how.bits > 32 || with.width_bits > 32 || with.length_bits > 32)
    why = bad_groups(errc::bad_width, 32, std::max({how.bits, with.width_bits, with.length_bits}));
  else if (with.order > 2)
    why = bad_groups(errc::bad_parameter, 2, with.order, "orderOfSpatialDifferencing");
  else if (with.extra_octets > 8 || (with.order > 0 && with.extra_octets == 0))
    why = bad_groups(errc::bad_parameter, 8, with.extra_octets, "numberOfOctetsExtraDescriptors");
  else if (with.missing_value_management > 2)
    why = bad_groups(errc::bad_parameter, 2, with.missing_value_management, "missingValueManagementUsed");
  else if (with.groups > std::max<std::uint64_t>(how.values, 1))  // bounds the work if groups take no bytes
    why = bad_groups(errc::value_count, how.values, with.groups);
  if (why) return {};

  byte_view rest = how.data, extra;
  const std::uint64_t octets = std::uint64_t{with.extra_octets} * (with.order > 0 ? with.order + 1 : 0);
  if (!cut_list(rest, octets, 8, extra) || !cut_list(rest, with.groups, how.bits, out.references) ||
      !cut_list(rest, with.groups, with.width_bits, out.widths) ||
      !cut_list(rest, with.groups, with.length_bits, out.lengths)) {
    why = bad_groups(errc::data_too_short,
                     octets + packed_bytes(with.groups, how.bits) + packed_bytes(with.groups, with.width_bits) +
                         packed_bytes(with.groups, with.length_bits),
                     how.data.size());
    return {};
  }
  out.head = how.data.first(how.data.size() - rest.size());
  out.packed = rest;
  for (unsigned i = 0; i < with.order; ++i) {
    const std::uint64_t first = unsigned_number(extra.subspan(std::size_t{i} * with.extra_octets), with.extra_octets);
    if (first > static_cast<std::uint64_t>(max_group_integer)) {
      why = bad_groups(errc::bad_parameter, static_cast<std::uint64_t>(max_group_integer), first, "firstValue");
      return {};
    }
    out.first[i] = static_cast<std::int64_t>(first);
  }
  if (with.order > 0) {
    out.minimum = signed_number(extra.subspan(std::size_t{with.order} * with.extra_octets), with.extra_octets);
    if (out.minimum > max_group_integer || out.minimum < -max_group_integer) {
      why = {.code = errc::bad_parameter, .argument = "minimumOfDifferences"};
      return {};
    }
  }

  group_reader groups(how, out);
  group each;
  std::uint64_t values = 0, bits = 0;
  unsigned widest = 0;
  bool same = true;
  std::uint32_t reference = 0;
  for (bool first = true; groups.next(each); first = false) {
    if (first) reference = each.reference;
    same = same && each.reference == reference;
    widest = std::max(widest, each.width);
    if (widest > group_reader::max_width) break;
    if (each.length > how.values - values) {
      why = bad_groups(errc::value_count, how.values, values + each.length);
      return {};
    }
    values += each.length;
    bits += each.length * each.width;  // at most 2^32 groups of 2^64 / 2^6 bits: `values` is a number of points
  }
  if (widest > group_reader::max_width)
    why = bad_groups(errc::bad_width, group_reader::max_width, widest);
  else if (values != how.values)
    why = bad_groups(errc::value_count, how.values, values);
  else if ((bits + 7) / 8 > rest.size())
    why = bad_groups(errc::data_too_short, out.head.size() + (bits + 7) / 8, how.data.size());
  if (why) return {};
  out.packed_size = (bits + 7) / 8;
  const missing_codes codes{with.missing_value_management};
  out.is_constant = same && widest == 0 && with.order == 0 && !codes.is_missing(reference, how.bits);
  return out;
}

group_range unpack_groups(const packing& how, const group_table& table, std::span<std::int64_t> out,
                          failure& why) noexcept {
  why = {};
  group_range found{.min = INT64_MAX, .max = INT64_MIN};
  const missing_codes codes{how.groups.missing_value_management};
  difference_sum sum(how, table);
  group_reader groups(how, table);
  group each;
  std::uint64_t at = 0;
  std::array<std::uint32_t, 256> room;
  const auto add = [&](std::uint64_t code, unsigned width, std::int64_t stored) {
    if (codes.is_missing(code, width)) {
      ++found.missing;
      if (missing_codes::is_secondary(code, width)) ++found.secondary;
      return missing_integer;
    }
    const std::int64_t integer = sum.add(stored);
    found.min = std::min(found.min, integer);
    found.max = std::max(found.max, integer);
    return integer;
  };
  while (groups.next(each)) {
    // The bytes may have changed since the table was checked.
    if (each.width > group_reader::max_width || each.length > out.size()) {
      why = bad_groups(errc::value_count, how.values, how.values + each.length);
      return found;
    }
    for (std::uint64_t left = each.length; left > 0;) {
      const std::uint64_t count = std::min<std::uint64_t>(left, room.size());
      const std::span codes_now = std::span(room).first(static_cast<std::size_t>(count));
      unpack_integers(table.packed, at, each.width, codes_now);
      for (std::size_t i = 0; i < codes_now.size(); ++i)
        out[i] = each.width == 0 ? add(each.reference, how.bits, each.reference)
                                 : add(codes_now[i], each.width, std::int64_t{each.reference} + codes_now[i]);
      out = out.subspan(codes_now.size());
      at += count * each.width;
      left -= count;
    }
  }
  if (!out.empty()) why = bad_groups(errc::value_count, how.values, how.values - out.size());
  if (found.min > found.max) found.min = found.max = 0;  // all are missing
  if (found.max > max_group_integer || found.min < -max_group_integer)
    why = {.code = errc::bad_parameter,
           .expected = static_cast<std::uint64_t>(max_group_integer),
           .argument = "orderOfSpatialDifferencing"};
  return found;
}

bool pack_groups(const packing& how, const group_table& table, std::span<const std::int64_t> integers,
                 std::span<std::byte> out) noexcept {
  if (out.size() < table.packed_size || out.size() - table.packed_size < 8) return false;
  const missing_codes codes{how.groups.missing_value_management};
  difference_sum sum(how, table);
  group_reader groups(how, table);
  group each;
  bit_writer to(out.data());
  std::uint64_t bits = 0;
  std::fill(out.begin(), out.end(), std::byte{0});
  while (groups.next(each)) {
    bits += each.length * each.width;
    if (each.width > group_reader::max_width || each.length > integers.size() || bits > table.packed_size * 8)
      return false;
    const std::uint64_t last = (std::uint64_t{1} << each.width) - 1;
    for (std::uint64_t i = 0; i < each.length; ++i) {
      const std::int64_t integer = integers[static_cast<std::size_t>(i)];
      if (integer == missing_integer) {
        if (each.width == 0 ? !codes.is_missing(each.reference, how.bits) : codes.management == 0) return false;
        to.put(last, each.width);
        continue;
      }
      const bool first = sum.is_first();
      const std::int64_t stored = sum.subtract(integer);
      const std::uint64_t code = first ? 0 : static_cast<std::uint64_t>(stored) - each.reference;
      if (code > last || (each.width > 0 && codes.is_missing(code, each.width))) return false;
      to.put(code, each.width);
    }
    integers = integers.subspan(static_cast<std::size_t>(each.length));
  }
  return integers.empty();
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
