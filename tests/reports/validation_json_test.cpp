// SPDX-License-Identifier: Apache-2.0
#include "reports/validation_json.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;
using tgmap::reports::json;

BOOST_AUTO_TEST_SUITE(validation_json)

namespace {

/// Returns the elements of the array for an archive twice, without and with offsets.
json report_of(const bytes& data) {
  const auto in = tgmap::archive::from_memory(span_of(data), {.damage = tgmap::on_damage::skip});
  std::string text = "[";
  tgmap::core::text_builder out(text);
  for (const bool with_offsets : {false, true}) {
    tgmap::reports::validation_json to("f.tgm", !with_offsets, with_offsets, out);
    tgmap::failure why;
    const auto found = tgmap::validate(in, {}, to, why);
    to.finish(found, why);
  }
  return json::parse(text + "\n]\n");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_sound_file_has_a_report_for_each_message) {
  const bytes data = message({.objects = {bytes_object("12")}});
  const json found = report_of(data + data);
  BOOST_TEST(found[0]["file"] == "f.tgm");
  BOOST_TEST(found[0]["file_issues"].empty());
  BOOST_TEST(found[0]["message_reports"].size() == 2U);
  BOOST_TEST(found[0]["status"] == "ok");
  BOOST_TEST(found[0]["hash_verified"] == true);
  BOOST_TEST(!found[0].contains("not_decoded"));
}

BOOST_AUTO_TEST_CASE(findings_have_offsets_in_the_message_and_in_the_archive) {
  const bytes sound = message({.objects = {bytes_object("12345678")}});
  bytes wrong = sound;
  wrong[wrong.find("12345678")] = '0';
  const json found = report_of(sound + "junk" + wrong);
  BOOST_TEST(found[0]["file_issues"][0]["byte_offset"] == sound.size());
  BOOST_TEST(found[0]["file_issues"][0]["length"] == 4);
  BOOST_TEST(found[0]["status"] == "failed");
  const json &issue = found[0]["message_reports"][1]["issues"][0],
             &with_offset = found[1]["message_reports"][1]["issues"][0];
  BOOST_TEST(issue["code"] == "hash_mismatch");
  BOOST_TEST(!issue.contains("archive_offset"));
  BOOST_TEST(with_offset["archive_offset"].get<std::uint64_t>() ==
             with_offset["byte_offset"].get<std::uint64_t>() + sound.size() + 4);
  BOOST_TEST(with_offset["message"] == 1);
}

BOOST_AUTO_TEST_SUITE_END()
