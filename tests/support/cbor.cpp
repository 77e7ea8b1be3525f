// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <support/cbor.hpp>

namespace tgmap_test::cbor {

namespace {

bytes initial(unsigned major_type, unsigned info) { return bytes(1, static_cast<char>(major_type << 5 | info)); }

bytes pieces_of(unsigned major_type, const std::vector<std::string_view>& pieces) {
  bytes out = initial(major_type, 31);
  for (const auto piece : pieces) out += head(major_type, piece.size()) + bytes(piece);
  return out + '\xff';
}

}  // namespace

bytes wide_head(unsigned major_type, std::uint64_t argument, unsigned width) {
  return initial(major_type, 24 + static_cast<unsigned>(std::countr_zero(width))) + big_endian(argument, width);
}

bytes head(unsigned major_type, std::uint64_t argument) {
  if (argument < 24) return initial(major_type, static_cast<unsigned>(argument));
  for (const unsigned width : {1u, 2u, 4u})
    if (argument >> (8 * width) == 0) return wide_head(major_type, argument, width);
  return wide_head(major_type, argument, 8);
}

bytes unsigned_integer(std::uint64_t n) { return head(0, n); }
bytes negative(std::uint64_t n) { return head(1, n); }
bytes integer(std::int64_t n) {
  return n >= 0 ? head(0, static_cast<std::uint64_t>(n)) : head(1, ~static_cast<std::uint64_t>(n));
}
bytes text(std::string_view t) { return head(3, t.size()) + bytes(t); }
bytes blob(std::string_view b) { return head(2, b.size()) + bytes(b); }
bytes boolean(bool b) { return b ? "\xf5" : "\xf4"; }
bytes null() { return "\xf6"; }
bytes undefined() { return "\xf7"; }
bytes half(std::uint16_t bits) { return "\xf9" + big_endian(bits, 2); }
bytes single(float f) { return "\xfa" + big_endian(std::bit_cast<std::uint32_t>(f), 4); }
bytes real(double d) { return "\xfb" + big_endian(std::bit_cast<std::uint64_t>(d), 8); }
bytes tag(std::uint64_t number, const bytes& item) { return head(6, number) + item; }

bytes array(const std::vector<bytes>& items) {
  bytes out = head(4, items.size());
  for (const auto& item : items) out += item;
  return out;
}

bytes map(const std::vector<pair>& pairs) {
  bytes out = head(5, pairs.size());
  for (const auto& [name, item] : pairs) out += name + item;
  return out;
}

bytes numbers(const std::vector<std::uint64_t>& items) {
  bytes out = head(4, items.size());
  for (const auto item : items) out += unsigned_integer(item);
  return out;
}

bytes array_until_break(const std::vector<bytes>& items) {
  bytes out = initial(4, 31);
  for (const auto& item : items) out += item;
  return out + '\xff';
}

bytes map_until_break(const std::vector<pair>& pairs) {
  bytes out = initial(5, 31);
  for (const auto& [name, item] : pairs) out += name + item;
  return out + '\xff';
}

bytes text_in_pieces(const std::vector<std::string_view>& pieces) { return pieces_of(3, pieces); }
bytes blob_in_pieces(const std::vector<std::string_view>& pieces) { return pieces_of(2, pieces); }

pair key(std::string_view name, bytes value) { return {text(name), std::move(value)}; }

bytes nested(unsigned depth, const bytes& core) { return bytes(depth, '\x81') + core; }

}  // namespace tgmap_test::cbor
