// SPDX-License-Identifier: Apache-2.0
// Where keys are looked up: in a message as the reference implementation does it, and in an object.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>

#include "samples.hpp"

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(scopes)

BOOST_AUTO_TEST_CASE(objects_come_before_message_wide_keys) {
  const bytes data = six_messages();
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[1], "name") == "10u");
  BOOST_TEST(text_of(archive[1], "mars.param") == "10u");
  BOOST_TEST(text_of(archive[5], "mars.step") == "12");
  BOOST_TEST(text_of(archive[0], "mars.levelist") == "[500,850]");
  BOOST_TEST(text_of(archive[0], "mars.levelist[1]") == "850");
  BOOST_TEST(text_of(archive[0], "mars.levelist[2]") == "-");
  BOOST_TEST(text_of(archive[0], "source") == "demo");
  BOOST_TEST(text_of(archive[0], "ok") == "true");
  BOOST_TEST(text_of(archive[0], "x") == "1.5");
}

BOOST_AUTO_TEST_CASE(the_first_object_that_has_a_key_counts) {
  const bytes data = two_named_objects();
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "name") == "a");
  BOOST_TEST(text_of(archive[0], "unit") == "K");  // only b has one
  BOOST_TEST(text_of(archive[0], "title") == "two");
  BOOST_TEST(text_of(archive[0], "nothing") == "-");
}

BOOST_AUTO_TEST_CASE(extra_looks_message_wide_alone) {
  const bytes data = two_named_objects();
  const auto archive = open(data);
  for (const std::string prefix : {"extra.", "_extra_."}) {
    BOOST_TEST(text_of(archive[0], prefix + "title") == "two");
    BOOST_TEST(text_of(archive[0], prefix + "name") == "message-wide");
    BOOST_TEST(text_of(archive[0], prefix + "unit") == "-");
    BOOST_TEST(text_of(archive[0], 1, prefix + "name") == "message-wide");
  }
}

BOOST_AUTO_TEST_CASE(an_object_has_its_own_keys_over_message_wide_ones) {
  const bytes data = two_named_objects();
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], 0, "name") == "a");
  BOOST_TEST(text_of(archive[0], 1, "name") == "b");
  BOOST_TEST(text_of(archive[0], 0, "unit") == "-");
  BOOST_TEST(text_of(archive[0], 1, "unit") == "K");
  BOOST_TEST(text_of(archive[0], 1, "title") == "two");
}

BOOST_AUTO_TEST_CASE(reserved_keys_of_objects_are_hidden) {
  const bytes hidden = cbor::map({cbor::key("_reserved_", cbor::map({cbor::key("tensor", cbor::text("inner"))})),
                                  cbor::key("name", cbor::text("a"))});
  const bytes data = message({.objects = {bytes_object("abcd")}, .base = {hidden}});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "_reserved_.tensor") == "-");
  BOOST_TEST(text_of(archive[0], 0, "_reserved_.tensor") == "-");
  BOOST_TEST(text_of(archive[0], "name") == "a");
}

BOOST_AUTO_TEST_CASE(keys_that_hold_dots_can_be_reached) {
  const bytes data =
      with_keys({cbor::key("a.b", cbor::integer(1)), cbor::key("c", cbor::map({cbor::key("d.e", cbor::integer(2))}))});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "a.b") == "1");
  BOOST_TEST(text_of(archive[0], "c.d.e") == "2");
}

BOOST_AUTO_TEST_CASE(version_is_that_of_the_wire) {
  const bytes keys = cbor::map({cbor::key("version", cbor::text("mine"))});
  for (const int wire : {2, 3}) {
    const bytes data = message({.version = wire, .objects = {bytes_object("abcd")}, .base = {keys}});
    const auto archive = open(data);
    BOOST_TEST(text_of(archive[0], "version") == std::to_string(wire));
    BOOST_TEST(text_of(archive[0], "@version") == std::to_string(wire));
    BOOST_TEST(text_of(archive[0], 0, "version") == "mine");
  }
}

BOOST_AUTO_TEST_CASE(a_message_without_objects_has_its_own_keys) {
  const bytes data = message({.extra = {cbor::key("title", cbor::text("empty"))}});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "title") == "empty");
  BOOST_TEST(text_of(archive[0], "name") == "-");
  BOOST_TEST(text_of(archive[0], "dtype") == "-");
  BOOST_TEST(text_of(archive[0], "@objects") == "0");
}

BOOST_AUTO_TEST_CASE(version_1_has_facts_of_the_message_alone) {
  const bytes data = version_1_message({"abc"});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "version") == "1");
  BOOST_TEST(text_of(archive[0], "@length") == std::to_string(data.size()));
  for (const char* key : {"name", "dtype", "@objects", "@index_location", "@stored", "extra.name"})
    BOOST_TEST(text_of(archive[0], key) == "-", key);
}

BOOST_AUTO_TEST_CASE(preceders_are_the_objects_own_keys) {
  object_spec preceded = bytes_object("abcd");
  preceded.preceder = cbor::map({cbor::key("name", cbor::text("preceded"))});
  const bytes data = message({.objects = {preceded}, .writing = writing::streamed});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "name") == "preceded");
  BOOST_TEST(text_of(archive[0], 0, "name") == "preceded");
}

BOOST_AUTO_TEST_CASE(a_scope_can_be_asked_in_any_order_and_again) {
  const bytes data = two_named_objects();
  const auto archive = open(data);
  tgmap::key_lookup scope(archive[0]);
  const std::vector<std::pair<const char*, const char*>> wanted{
      {"extra.title", "two"}, {"unit", "K"},    {"dtype", "float32"}, {"name", "a"}, {"@objects", "2"},
      {"nothing", ""},        {"title", "two"}, {"hash", ""},         {"name", "a"}, {"unit", "K"}};
  for (int round = 0; round < 2; ++round)
    for (const auto& [key, text] : wanted)
      if (std::string_view(key) != "hash") BOOST_TEST(scope.find(tgmap::metadata_key(key)).text() == text, key);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_a_failure) {
  const bytes data = message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::text("no map")});
  const auto archive = open(data);
  tgmap::key_lookup scope(archive[0]);
  tgmap::failure why;
  BOOST_TEST(!scope.find(tgmap::metadata_key("name"), why));
  BOOST_TEST(static_cast<bool>(why));
  BOOST_CHECK_THROW(scope.find(tgmap::metadata_key("name")), tgmap::error);
  BOOST_TEST(scope.find(tgmap::metadata_key("@dtype"), why).text() == "uint8");  // and the rest can still be asked for
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(no_archive_is_a_failure) {
  tgmap::key_lookup scope{tgmap::message()};
  tgmap::failure why;
  BOOST_TEST(!scope.find(tgmap::metadata_key("name"), why));
  TGMAP_FAILED(why, errc::no_archive);
}

BOOST_AUTO_TEST_SUITE_END()
