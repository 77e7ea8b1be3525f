// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(key_lookups)

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

BOOST_AUTO_TEST_CASE(first_object_with_the_key_wins) {
  const bytes data = two_named_objects();
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "name") == "a");
  BOOST_TEST(text_of(archive[0], "unit") == "K");  // only b has it
  BOOST_TEST(text_of(archive[0], "title") == "two");
  BOOST_TEST(text_of(archive[0], "nothing") == "-");
}

BOOST_AUTO_TEST_CASE(extra_is_only_message_wide) {
  const bytes data = two_named_objects();
  const auto archive = open(data);
  for (const std::string prefix : {"extra.", "_extra_."}) {
    BOOST_TEST(text_of(archive[0], prefix + "title") == "two");
    BOOST_TEST(text_of(archive[0], prefix + "name") == "message-wide");
    BOOST_TEST(text_of(archive[0], prefix + "unit") == "-");
    BOOST_TEST(text_of(archive[0], 1, prefix + "name") == "message-wide");
  }
}

BOOST_AUTO_TEST_CASE(keys_of_an_object_win_over_message_wide_ones) {
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

BOOST_AUTO_TEST_CASE(keys_that_contain_dots) {
  const bytes data =
      with_keys({cbor::key("a.b", cbor::integer(1)), cbor::key("c", cbor::map({cbor::key("d.e", cbor::integer(2))}))});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "a.b") == "1");
  BOOST_TEST(text_of(archive[0], "c.d.e") == "2");
}

BOOST_AUTO_TEST_CASE(version_is_the_wire_version) {
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

BOOST_AUTO_TEST_CASE(version_1_has_only_properties_of_the_message) {
  const bytes data = version_1_message({"abc"});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "version") == "1");
  BOOST_TEST(text_of(archive[0], "@length") == std::to_string(data.size()));
  for (const char* key : {"name", "dtype", "@objects", "@index_location", "@stored", "extra.name"})
    BOOST_TEST(text_of(archive[0], key) == "-", key);
}

BOOST_AUTO_TEST_CASE(preceders_are_keys_of_the_object) {
  object_spec preceded = bytes_object("abcd");
  preceded.preceder = cbor::map({cbor::key("name", cbor::text("preceded"))});
  const bytes data = message({.objects = {preceded}, .writing = writing::streamed});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "name") == "preceded");
  BOOST_TEST(text_of(archive[0], 0, "name") == "preceded");
}

BOOST_AUTO_TEST_CASE(repeated_lookups_in_any_order) {
  const bytes data = two_named_objects();
  const auto archive = open(data);
  tgmap::key_lookup lookup(archive[0]);
  const std::vector<std::pair<const char*, const char*>> wanted{
      {"extra.title", "two"}, {"unit", "K"},    {"dtype", "float32"}, {"name", "a"}, {"@objects", "2"},
      {"nothing", ""},        {"title", "two"}, {"hash", ""},         {"name", "a"}, {"unit", "K"}};
  for (int round = 0; round < 2; ++round)
    for (const auto& [key, text] : wanted)
      if (std::string_view(key) != "hash") BOOST_TEST(lookup.find(tgmap::metadata_key(key)).text() == text, key);
}

BOOST_AUTO_TEST_CASE(unreadable_metadata_is_a_failure) {
  const bytes data = message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::text("no map")});
  const auto archive = open(data);
  tgmap::key_lookup lookup(archive[0]);
  tgmap::failure why;
  BOOST_TEST(!lookup.find(tgmap::metadata_key("name"), why));
  BOOST_TEST(static_cast<bool>(why));
  BOOST_CHECK_THROW(lookup.find(tgmap::metadata_key("name")), tgmap::error);
  BOOST_TEST(lookup.find(tgmap::metadata_key("@dtype"), why).text() == "uint8");  // properties are still found
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(no_archive_is_a_failure) {
  tgmap::key_lookup lookup{tgmap::message()};
  tgmap::failure why;
  BOOST_TEST(!lookup.find(tgmap::metadata_key("name"), why));
  TGMAP_FAILED(why, errc::no_archive);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(nearest_keys)

namespace {

std::string nearest(std::string_view wanted) {
  const bytes data = six_messages();
  const auto archive = open(data);
  return tgmap::key_lookup(archive[0]).nearest_key(wanted);
}

}  // namespace

BOOST_AUTO_TEST_CASE(metadata_and_properties) {
  BOOST_TEST(nearest("mars.parm") == "mars.param");
  BOOST_TEST(nearest("mars.parma") == "mars.param");
  BOOST_TEST(nearest("mas.step") == "mars.step");
  BOOST_TEST(nearest("Mars.step") == "mars.step");
  BOOST_TEST(nearest("sorce") == "source");
  BOOST_TEST(nearest("@ofset") == "@offset");
  BOOST_TEST(nearest("dtyp") == "dtype");
}

BOOST_AUTO_TEST_CASE(key_without_its_map) {
  BOOST_TEST(nearest("param") == "mars.param");
  BOOST_TEST(nearest("grib.step") == "mars.step");
}

BOOST_AUTO_TEST_CASE(neither_distant_keys_nor_the_key_itself) {
  BOOST_TEST(nearest("wavelength") == "");
  BOOST_TEST(nearest("") == "");
  BOOST_TEST(nearest(std::string(5000, 'a')) == "");
  BOOST_TEST(nearest("mars.param") != "mars.param");
}

BOOST_AUTO_TEST_CASE(unreadable_metadata_leaves_the_properties) {
  const bytes data = message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::text("no map")});
  const auto archive = open(data);
  BOOST_TEST(tgmap::key_lookup(archive[0]).nearest_key("@lenght") == "@length");
  BOOST_TEST(tgmap::key_lookup(tgmap::message()).nearest_key("@lenght") == "@length");
}

BOOST_AUTO_TEST_SUITE_END()
