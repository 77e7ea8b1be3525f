// SPDX-License-Identifier: Apache-2.0
#include "cli/print/human_numbers.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(human_numbers)

using namespace tgmap::cli;

BOOST_AUTO_TEST_CASE(sizes) {
  BOOST_TEST(human_size(0) == "0 bytes");
  BOOST_TEST(human_size(1) == "1 byte");
  BOOST_TEST(human_size(1023) == "1023 bytes");
  BOOST_TEST(human_size(1024) == "1.0 KiB (1024 bytes)");
  BOOST_TEST(human_size(3936) == "3.8 KiB (3936 bytes)");
  BOOST_TEST(human_size(1048575) == "1.0 MiB (1048575 bytes)");
  BOOST_TEST(human_size(std::uint64_t{3} << 30) == "3.0 GiB (3221225472 bytes)");
  BOOST_TEST(human_size(UINT64_MAX) == "16.0 EiB (18446744073709551615 bytes)");
}

BOOST_AUTO_TEST_CASE(times) {
  BOOST_TEST(human_time(0.004) == "0.00 ms");
  BOOST_TEST(human_time(0.31) == "0.31 ms");
  BOOST_TEST(human_time(12.3) == "12 ms");
  BOOST_TEST(human_time(3400) == "3.4 s");
}

BOOST_AUTO_TEST_CASE(counts) {
  BOOST_TEST(count_text(0, "row") == "0 rows");
  BOOST_TEST(count_text(1, "row") == "1 row");
  BOOST_TEST(count_text(2, "row") == "2 rows");
}

BOOST_AUTO_TEST_SUITE_END()
