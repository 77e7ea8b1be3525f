// SPDX-License-Identifier: Apache-2.0
// Encoders that took the flags of szip as they are: the reference before 0.7.0, and those without a name.
#include "archive/metadata/legacy_szip.hpp"

#include <boost/test/unit_test.hpp>
#include <support/cbor.hpp>

using namespace tgmap_test;
using tgmap::detail::wrote_legacy_szip;

BOOST_AUTO_TEST_SUITE(legacy_szip_test)

BOOST_AUTO_TEST_CASE(releases_before_0_7_are_old) {
  const std::string reference = "tensogram";
  for (const char* const old : {"0.6", "0.6.9", "0.0.1", "0.6-beta", "00.06", "0.6."})
    BOOST_TEST(wrote_legacy_szip(reference, old), old << " is old");
  for (const char* const other : {"0.7", "0.7.0", "0.10.1", "1.0", "1.6", "1", "0", "0.", "", "x", ".6", "0.x", "-0.6",
                                  "0.99999999999999999999", "99999999999999999999.1", "v0.6"})
    BOOST_TEST(!wrote_legacy_szip(reference, other), '"' << other << "\" is not old");
}

BOOST_AUTO_TEST_CASE(other_encoders_are_not_old) {
  BOOST_TEST(!wrote_legacy_szip("tensogram-py", "0.6"));
  BOOST_TEST(!wrote_legacy_szip("", "0.6"));
  BOOST_TEST(!wrote_legacy_szip("other", std::nullopt));
  BOOST_TEST(wrote_legacy_szip("tensogram", std::nullopt));
  BOOST_TEST(wrote_legacy_szip(std::nullopt, "0.6"));
  BOOST_TEST(wrote_legacy_szip(std::nullopt, std::nullopt));
  BOOST_TEST(!wrote_legacy_szip(std::nullopt, "0.7"));
}

BOOST_AUTO_TEST_CASE(the_encoder_stands_in_the_reserved_section) {
  const auto of = [](const std::vector<cbor::pair>& encoder) {
    const bytes reserved = cbor::map({cbor::key("encoder", cbor::map(encoder))});
    return wrote_legacy_szip(tgmap::cbor_view(span_of(reserved)));
  };
  const cbor::pair name = cbor::key("name", cbor::text("tensogram"));
  BOOST_TEST(of({name, cbor::key("version", cbor::text("0.6.1"))}));
  BOOST_TEST(!of({name, cbor::key("version", cbor::text("0.7.1"))}));
  BOOST_TEST(of({name}));
  BOOST_TEST(of({cbor::key("version", cbor::text("0.6.1"))}));
  BOOST_TEST(!of({cbor::key("name", cbor::integer(1)), cbor::key("version", cbor::text("0.6.1"))}));
  BOOST_TEST(!of({name, cbor::key("version", cbor::integer(0))}));
  const bytes empty = cbor::map({});
  BOOST_TEST(wrote_legacy_szip(tgmap::cbor_view(span_of(empty))));
}

BOOST_AUTO_TEST_SUITE_END()
