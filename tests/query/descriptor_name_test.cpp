// SPDX-License-Identifier: Apache-2.0
// A name in the descriptor of an object is found after all other places.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(descriptor_names)

namespace {

object_spec named(std::string_view name, std::string_view payload = "abcd") {
  object_spec out = bytes_object(bytes(payload));
  out.more = {cbor::key("name", cbor::text(name)), cbor::key("unit", cbor::text("K"))};
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_name_in_the_descriptor_is_found) {
  for (const int version : {2, 3})
    for (const auto how : {writing::buffered, writing::streamed}) {
      const bytes data = message({.version = version, .objects = {named("one"), named("two")}, .writing = how});
      in_every_mode(data, [](const tgmap::archive& archive) {
        BOOST_TEST(text_of(archive[0], "name") == "one");
        BOOST_TEST(text_of(archive[0], 0, "name") == "one");
        BOOST_TEST(text_of(archive[0], 1, "name") == "two");
        BOOST_TEST((archive[0][1].metadata().get<std::string>("name") == "two"));
      });
      BOOST_TEST(selected(data, "name=two") == "0");
      BOOST_TEST(selected(data, "name=three") == "");
    }
}

// A lookup of a message becomes one of an object, and keeps what it has found of the message.
BOOST_AUTO_TEST_CASE(a_lookup_that_enters_an_object_finds_its_own_name) {
  const bytes data = message({.objects = {bytes_object("abcd"), named("two"), named("three")}});
  const tgmap::metadata_key name("name");
  in_every_mode(data, [&](const tgmap::archive& archive) {
    tgmap::key_lookup lookup(archive[0]);
    BOOST_TEST(lookup.find(name).text() == "two");
    BOOST_TEST(tgmap::selection("@object=0").first_match(lookup).is_match);
    BOOST_TEST(*lookup.object_index() == 0u);
    BOOST_TEST(!lookup.find(name));
    tgmap::key_lookup other(archive[0]);
    BOOST_TEST(other.find(name).text() == "two");
    BOOST_TEST(tgmap::selection("name=three").first_match(other).is_match);
    BOOST_TEST(other.find(name).text() == "three");
  });
}

// Otherwise a lookup that is used very often would take more and more memory.
BOOST_AUTO_TEST_CASE(what_is_found_again_is_not_copied_again) {
  const temporary_directory temporary;
  const auto with = [](std::string_view key) { return cbor::map({cbor::key(key, cbor::text("value"))}); };
  const auto path = temporary.file(
      "a.tgm", message({.objects = {bytes_object("abcd"), named("two")}, .base = {with("a"), with("b")}}));
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  tgmap::key_lookup lookup(archive[0]);
  for (const char* const key : {"a", "b", "name"}) {
    const auto bytes_of = [&] {
      return std::get<tgmap::cbor_view>(lookup.find(tgmap::metadata_key(key)).get()).get<std::string_view>()->data();
    };
    BOOST_TEST(static_cast<const void*>(bytes_of()) == static_cast<const void*>(bytes_of()), key);
  }
}

BOOST_AUTO_TEST_CASE(no_other_key_of_the_descriptor_is) {
  object_spec with_map = bytes_object("abcd");
  with_map.more = {cbor::key("name", cbor::map({cbor::key("a", cbor::integer(1))}))};
  const bytes data = message({.objects = {named("one"), with_map}});
  const auto archive = open(data);
  for (const char* key : {"unit", "type", "name.a", "extra.name", "names", "nam"}) {
    BOOST_TEST(text_of(archive[0], key) == "-", key);
    BOOST_TEST(text_of(archive[0], 0, key) == "-", key);
    BOOST_TEST(text_of(archive[0], 1, key) == "-", key);
  }
  BOOST_TEST(!archive[0].metadata().find("name"));
  BOOST_TEST(!archive[0].base(0).find("name"));
  BOOST_TEST(text_of(archive[0], 1, "name") == "{\"a\":1}");
}

BOOST_AUTO_TEST_CASE(all_other_places_come_first) {
  const auto own = cbor::map({cbor::key("name", cbor::text("own"))});
  object_spec preceded = named("descriptor");
  preceded.preceder = cbor::map({cbor::key("name", cbor::text("preceder"))});
  const auto one = [](message_spec spec, std::size_t object, const char* of_message) {
    const bytes data = message(spec);
    const auto archive = open(data);
    BOOST_TEST(text_of(archive[0], "name") == of_message);
    return text_of(archive[0], object, "name");
  };
  BOOST_TEST(one({.objects = {named("descriptor")}, .base = {own}}, 0, "own") == "own");
  BOOST_TEST(one({.objects = {preceded}, .writing = writing::streamed}, 0, "preceder") == "preceder");
  const std::vector<cbor::pair> wide{cbor::key("name", cbor::text("wide"))};
  BOOST_TEST(one({.objects = {named("descriptor")}, .extra = wide}, 0, "wide") == "wide");
  BOOST_TEST(one({.objects = {named("descriptor")}, .top = wide}, 0, "wide") == "wide");
  // A message has the name of an object's metadata, also of a later object, before that of a descriptor.
  BOOST_TEST(one({.objects = {named("descriptor"), bytes_object("b")}, .base = {cbor::map({}), own}}, 0, "own") ==
             "descriptor");
  BOOST_TEST(one({.objects = {bytes_object("b"), named("descriptor")}}, 1, "descriptor") == "descriptor");
  BOOST_TEST(one({.objects = {bytes_object("b"), named("descriptor")}}, 0, "descriptor") == "-");
}

BOOST_AUTO_TEST_CASE(entries_leave_it_out) {
  const bytes data = message({.objects = {named("one")}, .base = {cbor::map({cbor::key("a", cbor::integer(1))})}});
  const auto archive = open(data);
  const auto keys = archive[0][0].metadata();
  BOOST_TEST(keys.entries().size() == 1u);
  BOOST_TEST(tgmap::flatten(keys).size() == 1u);
}

BOOST_AUTO_TEST_CASE(many_objects_and_long_message_wide_keys) {
  message_spec many{.extra = {cbor::key("long", cbor::text(std::string(2000, 'x')))}};
  for (int i = 0; i < 40; ++i) many.objects.push_back(named("n" + std::to_string(i)));
  const bytes data = message(many);
  const auto archive = open(data);
  for (std::size_t j = 0; j < 40; ++j) BOOST_TEST(text_of(archive[0], j, "name") == "n" + std::to_string(j));
  BOOST_TEST((tgmap::selection("name=n37").first_match(archive[0]).object == 37));
}

BOOST_AUTO_TEST_CASE(a_descriptor_that_cannot_be_read_has_none) {
  object_spec tagged = named("one");
  tagged.more.push_back(cbor::key("t", cbor::tag(1, cbor::integer(7))));  // descriptors have no tags
  object_spec broken = named("one");
  broken.descriptor = bytes(90, '\xff');
  const bytes data = message({.objects = {tagged}}) + message({.objects = {broken, named("two")}});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "name") == "-");
  BOOST_TEST(text_of(archive[1], "name") == "two");
  BOOST_TEST(selected(data, "name=two") == "1");
}

BOOST_AUTO_TEST_SUITE_END()
