// SPDX-License-Identifier: Apache-2.0
#include "collection/caption.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(captions)

BOOST_AUTO_TEST_CASE(names_units_and_facts_are_found) {
  const bytes data = message({.objects = {bytes_object("12"), bytes_object("34")},
                              .base = {cbor::map({cbor::key("long_name", cbor::text("2 metre \x1b temperature")),
                                                  cbor::key("mars", cbor::map({cbor::key("param", cbor::text("2t")),
                                                                               cbor::key("step", cbor::integer(84))})),
                                                  cbor::key("units", cbor::text("K"))}),
                                       cbor::map({})}});
  const auto in = tgmap::archive::from_memory(span_of(data));
  const tgmap::archives::caption found = tgmap::archives::caption_of(in[0][0]);
  BOOST_TEST(found.name_text == "2 metre \x1b temperature (2t)");
  BOOST_TEST(found.name == "2 metre \\x1b temperature (2t)");
  BOOST_TEST(found.facts == "step 84");
  BOOST_TEST(found.unit == "K");
  BOOST_TEST(found.title("object 0") == found.name + ", step 84");
  BOOST_TEST(tgmap::archives::caption_of(in[0][1]).title("object 1") == "object 1");
}

BOOST_AUTO_TEST_SUITE_END()
