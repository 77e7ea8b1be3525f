// SPDX-License-Identifier: Apache-2.0
#include "edit/decode_failure.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(decode_failures)

BOOST_AUTO_TEST_CASE(a_failure_names_the_stages_it_concerns) {
  const bytes data =
      message({.objects = {{.shape = {3}, .payload = "abc", .filter = "shuffle", .compression = "unheard"}}});
  const auto in = tgmap::archive::from_memory(span_of(data));
  const tgmap::object one = in[0][0];
  const tgmap::failure unknown{.code = tgmap::errc::unknown_codec}, failed{.code = tgmap::errc::codec_failed},
      absent{.code = tgmap::errc::codec_absent}, other{.code = tgmap::errc::file_shrank};
  BOOST_TEST(tgmap::edit::failed_stages(one, unknown) == "compression unheard");
  BOOST_TEST(tgmap::edit::failed_stages(one, failed) == "filter shuffle, compression unheard");
  BOOST_TEST(tgmap::edit::failed_stages(one, other) == "");
  BOOST_TEST(tgmap::edit::is_codec_failure(absent));
  BOOST_TEST(!tgmap::edit::is_codec_failure(other));
  BOOST_TEST((tgmap::edit::absent_codec(one, absent) == nullptr));
  BOOST_TEST(tgmap::edit::decode_failure_text(one, unknown) == "compression unheard: " + unknown.text());
  BOOST_TEST(tgmap::edit::decode_failure_text(one, other) == other.text());
}

BOOST_AUTO_TEST_SUITE_END()
