// SPDX-License-Identifier: Apache-2.0
// Objects decoded into memory of the caller's.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(whole_test)

BOOST_AUTO_TEST_CASE(of_exactly_the_right_size_and_type) {
  const temporary_directory files;
  const tgmap::archive a(
      files.file("plain.tgm", message({.objects = {numbers_object<float>("float32", {1, 2, 3, 4, 5, 6})}})));
  const tgmap::object o = a[0][0];
  BOOST_TEST(o.decoded_size() == 24u);
  std::array<float, 6> all{};
  o.decode_into(std::span(all));
  BOOST_TEST(all[0] == 1.0f);
  BOOST_TEST(all[5] == 6.0f);
  std::array<float, 5> few{};
  TGMAP_THROWS(o.decode_into(std::span(few)), errc::invalid_option);
  std::array<std::int32_t, 6> others{};
  TGMAP_THROWS(o.decode_into(std::span(others)), errc::dtype_mismatch);
}

BOOST_AUTO_TEST_CASE(a_default_constructed_object_has_nothing) {
  const tgmap::object none;
  TGMAP_THROWS(none.decode(), errc::no_archive);
  TGMAP_THROWS(none.decoded_size(), errc::no_archive);
  std::array<std::byte, 4> out{};
  TGMAP_THROWS(none.decode_into(std::span<std::byte>(out)), errc::no_archive);
}

BOOST_AUTO_TEST_SUITE_END()
