// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/packing/group_packing.hpp"

#include <boost/test/unit_test.hpp>
#include <bridge/grib/packing/bit_text.hpp>
#include <support/failures.hpp>

using namespace tgmap::bridge::grib;
using namespace tgmap_test;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(bridge_group_packing)

namespace {

constexpr std::int64_t gone = missing_integer;

/// A data section of three groups: references of 6 bits, widths of 3 bits above 1, lengths of 4 bits times 2 above 1.
struct example {
  std::string digits{};
  std::vector<std::byte> data{};
  packing how{};

  example() {
    how.kind = packing_kind::complex;
    how.bits = 6;
    how.values = 3 + 5 + 2;
    how.groups = {.groups = 3,
                  .width_reference = 0,
                  .width_bits = 3,
                  .length_reference = 1,
                  .length_increment = 2,
                  .last_length = 2,
                  .length_bits = 4};
    digits = lists("000101 001001 100000", "011 000 010", "0001 0010 1111");
    digits += "000 111 101";  // group 1: 3 values of 3 bits above 5
    digits += "";             // group 2: 5 values, all 9
    digits += "01 11";        // group 3: 2 values of 2 bits above 32; the last length is its own
  }

  static std::string lists(std::string_view references, std::string_view widths, std::string_view lengths) {
    std::string out;
    for (const auto list : {references, widths, lengths}) {
      std::size_t count = 0;
      for (const char each : list)
        if (each != ' ') out += each, ++count;
      out.append((8 - count % 8) % 8, '0');
    }
    return out;
  }

  const packing& ready() {
    data = bytes_of_binary(digits);
    how.data = data;
    return how;
  }
};

std::vector<std::int64_t> unpacked(const packing& how) {
  failure why;
  const auto table = read_groups(how, why);
  BOOST_TEST_REQUIRE(!why, why.text());
  std::vector<std::int64_t> out(how.values);
  static_cast<void>(unpack_groups(how, table, out, why));
  BOOST_TEST(!why, why.text());
  std::vector<std::byte> again(table.packed_size + 8);
  BOOST_TEST_REQUIRE(pack_groups(how, table, out, again));
  BOOST_TEST(std::equal(again.begin(), again.end() - 8, table.packed.begin()));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(groups) {
  example it;
  const auto& how = it.ready();
  BOOST_TEST((unpacked(how) == std::vector<std::int64_t>{5, 12, 10, 9, 9, 9, 9, 9, 33, 35}));
  failure why;
  const auto table = read_groups(how, why);
  BOOST_TEST(table.head.size() == 3u + 2 + 2);
  BOOST_TEST(table.packed_size == 2u);
  BOOST_TEST(!table.is_constant);
}

BOOST_AUTO_TEST_CASE(missing_values) {
  example it;
  it.how.groups.missing_value_management = 1;
  BOOST_TEST((unpacked(it.ready()) == std::vector<std::int64_t>{5, gone, 10, 9, 9, 9, 9, 9, 33, gone}));
  it.digits.replace(6, 6, "111111");
  BOOST_TEST((unpacked(it.ready()) == std::vector<std::int64_t>{5, gone, 10, gone, gone, gone, gone, gone, 33, gone}));
  it.how.groups.missing_value_management = 2;
  it.digits.replace(6, 6, "111110");
  failure why;
  const auto table = read_groups(it.ready(), why);
  std::vector<std::int64_t> out(10);
  const auto range = unpack_groups(it.how, table, out, why);
  BOOST_TEST((out == std::vector<std::int64_t>{5, gone, 10, gone, gone, gone, gone, gone, 33, gone}));
  BOOST_TEST(range.missing == 7u);
  BOOST_TEST(range.secondary == 5u);
  BOOST_TEST((range.min == 5 && range.max == 33));
}

BOOST_AUTO_TEST_CASE(differences_of_order_1) {
  example it;
  it.how.groups.order = 1;
  it.how.groups.extra_octets = 2;
  it.digits = binary(300, 16) + binary(0x8000 + 7, 16) + it.digits;  // first value 300, minimum -7
  // The first packed value is not a difference: 5 here, which packs as 0 above its reference.
  BOOST_TEST((unpacked(it.ready()) == std::vector<std::int64_t>{300, 305, 308, 310, 312, 314, 316, 318, 344, 372}));
}

BOOST_AUTO_TEST_CASE(differences_of_order_2_with_missing_values) {
  example it;
  it.how.groups.order = 2;
  it.how.groups.extra_octets = 1;
  it.how.groups.missing_value_management = 1;
  it.digits.replace(it.digits.find("000 111 101"), 11, "000 111 000");
  it.digits = binary(200, 8) + binary(190, 8) + binary(0x80 + 9, 8) + it.digits;
  // Stored: 5 (first), missing, 5 (second), 9 five times, 33, missing. Differences of differences: stored - 9.
  BOOST_TEST((unpacked(it.ready()) == std::vector<std::int64_t>{200, gone, 190, 180, 170, 160, 150, 140, 154, gone}));
}

BOOST_AUTO_TEST_CASE(constant_fields) {
  example it;
  it.how.groups = {.groups = 1, .last_length = 10};
  it.digits = "010101 00";
  failure why;
  BOOST_TEST(read_groups(it.ready(), why).is_constant);
  BOOST_TEST((unpacked(it.ready()) == std::vector<std::int64_t>(10, 21)));
}

BOOST_AUTO_TEST_CASE(forged_tables) {
  using tgmap::bridge::errc;
  const auto check = [](auto change, errc expected) {
    example it;
    change(it);
    failure why;
    static_cast<void>(read_groups(it.ready(), why));
    BOOST_TEST((why.code == expected), why.text());
  };
  check([](example& it) { it.how.groups.last_length = 3; }, errc::value_count);
  check([](example& it) { it.how.groups.last_length = 1; }, errc::value_count);
  check([](example& it) { it.how.groups.last_length = UINT32_MAX; }, errc::value_count);
  check([](example& it) { it.how.groups.groups = 11; }, errc::value_count);
  check([](example& it) { it.how.groups.groups = UINT32_MAX; }, errc::value_count);
  check([](example& it) { it.how.groups.length_reference = UINT32_MAX; }, errc::value_count);
  check([](example& it) { it.how.groups.width_reference = 40; }, errc::bad_width);
  check([](example& it) { it.how.bits = 33; }, errc::bad_width);
  check([](example& it) { it.how.groups.width_bits = 99; }, errc::bad_width);
  check([](example& it) { it.how.groups.order = 3; }, errc::bad_parameter);
  check([](example& it) { it.how.groups.order = 1; }, errc::bad_parameter);  // without octets
  check([](example& it) { it.how.groups.order = 1, it.how.groups.extra_octets = 9; }, errc::bad_parameter);
  check([](example& it) { it.how.groups.missing_value_management = 3; }, errc::bad_parameter);
  check([](example& it) { it.digits.resize(it.digits.size() - 8); }, errc::data_too_short);
  check([](example& it) { it.digits.clear(); }, errc::data_too_short);
  check([](example& it) { it.digits.resize(32); }, errc::data_too_short);
  // Groups without bytes, and too many of them, end after the checks of their number.
  check(
      [](example& it) {
        it.how.bits = it.how.groups.width_bits = it.how.groups.length_bits = 0;
        it.how.values = 4000;
        it.how.groups.groups = 4000;
        it.digits.clear();
      },
      errc::value_count);
}

BOOST_AUTO_TEST_CASE(integers_that_no_double_holds) {
  example it;
  it.how.groups.order = 2;
  it.how.groups.extra_octets = 7;
  const auto huge = std::uint64_t{1} << 52;
  it.digits = binary(0, 56) + binary(huge, 56) + binary(0, 56) + it.digits;
  failure why;
  const auto table = read_groups(it.ready(), why);
  BOOST_TEST_REQUIRE(!why, why.text());
  std::vector<std::int64_t> out(10);
  static_cast<void>(unpack_groups(it.how, table, out, why));
  BOOST_TEST((why.code == tgmap::bridge::errc::bad_parameter));
  it.how.groups.extra_octets = 8;
  it.digits.replace(0, 168, binary(0, 64) + binary(UINT64_MAX, 64) + binary(0, 64));
  static_cast<void>(read_groups(it.ready(), why));
  BOOST_TEST((why.code == tgmap::bridge::errc::bad_parameter));
}

BOOST_AUTO_TEST_CASE(integers_that_do_not_fit_the_groups) {
  example it;
  failure why;
  const auto table = read_groups(it.ready(), why);
  const std::vector<std::int64_t> right{5, 12, 10, 9, 9, 9, 9, 9, 33, 35};
  std::vector<std::byte> room(table.packed_size + 8);
  BOOST_TEST(pack_groups(it.how, table, right, room));
  for (std::size_t i = 0; i < right.size(); ++i)
    for (const std::int64_t change : {std::int64_t{-1000}, std::int64_t{1000}, gone}) {
      auto wrong = right;
      wrong[i] = change == gone ? gone : wrong[i] + change;
      BOOST_TEST(!pack_groups(it.how, table, wrong, room));
    }
  BOOST_TEST(!pack_groups(it.how, table, std::span(right).first(9), room));
  BOOST_TEST(!pack_groups(it.how, table, right, std::span(room).first(table.packed_size)));
}

BOOST_AUTO_TEST_SUITE_END()
