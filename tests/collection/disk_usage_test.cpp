// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/tools/disk_usage.hpp>

#include "numbered_fields.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(disk_usages)

BOOST_AUTO_TEST_CASE(the_parts_are_the_archive) {
  const bytes data = field_message({"2t", "10u"}, 0) + "junk" + version_1_message({"abc"}) + field_message({"2t"}, 6);
  const auto from = tgmap::archive::from_memory(std::as_bytes(std::span(data)), {.damage = tgmap::on_damage::skip});
  tgmap::disk_usage used;
  const tgmap::metadata_key by("param");
  for (const tgmap::message& m : from) used.add(m, &by);
  used.add_damage(from);
  std::uint64_t sum = 0;
  for (const auto& [name, part] : used.parts) sum += part.bytes;
  BOOST_TEST(sum == data.size());
  BOOST_TEST(used.parts.at("payload").bytes == 24U);
  BOOST_TEST(used.parts.at("gap").bytes == 4U);
  BOOST_TEST(used.parts.at("version 1 message").count == 1U);
  BOOST_TEST(used.by_value.at("2t").count == 2U);
  BOOST_TEST(used.by_value.at("10u").count == 1U);
  BOOST_TEST((used.objects.ratio() == 1.0));
  BOOST_TEST(used.problems.empty());
}

BOOST_AUTO_TEST_CASE(objects_without_the_key_and_of_unknown_codecs_are_counted) {
  object_spec one = bytes_object("abcd");
  one.encoding = "fancy";
  const bytes data = message({.objects = {one}});
  const auto from = tgmap::archive::from_memory(std::as_bytes(std::span(data)));
  const tgmap::message m = from[0];
  const tgmap::metadata_key by("param");
  tgmap::disk_usage used;
  used.add(m, m[0], &by);
  BOOST_TEST(used.codecs.at("fancy").count == 1U);
  BOOST_TEST(used.by_value.at("N/A").count == 1U);
  BOOST_TEST(!used.objects.ratio());
  BOOST_TEST(!tgmap::object_usage().ratio());
}

BOOST_AUTO_TEST_SUITE_END()
