// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/tools/survey.hpp>

#include "numbered_fields.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(surveys)

namespace {

tgmap::archive open(const bytes& data) {
  return tgmap::archive::from_memory(std::as_bytes(std::span(data)), {.damage = tgmap::on_damage::skip});
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_archive_is_counted) {
  const bytes data = field_message({"2t", "10u"}, 0) + field_message({"2t", "10u"}, 6) + field_message({"2t"}, 12);
  const tgmap::archive from = open(data);
  const tgmap::archive_survey found = tgmap::survey(from);
  BOOST_TEST(found.size_bytes == data.size());
  BOOST_TEST(found.messages == 3U);
  BOOST_TEST(found.objects == 5U);
  BOOST_TEST((found.versions == std::map<int, std::uint64_t>{{3, 3}}));
  BOOST_TEST(found.gaps.empty());
  BOOST_TEST(!found.tail);
  BOOST_TEST(!found.usage);
  BOOST_REQUIRE(found.content);
  BOOST_TEST(!found.content->is_sample);
  BOOST_TEST((found.content->dtypes == std::map<std::string, std::uint64_t>{{"float32", 5}}));
  BOOST_TEST((found.content->shapes == std::map<std::string, std::uint64_t>{{"[2]", 5}}));
  BOOST_TEST((found.content->codecs == std::map<std::string, std::uint64_t>{{"none", 5}}));
}

BOOST_AUTO_TEST_CASE(keys_have_their_values_with_counts) {
  const bytes data = field_message({"2t", "10u"}, 0) + field_message({"2t", "10u"}, 6) + field_message({"2t"}, 12);
  const tgmap::archive_survey found = tgmap::survey(open(data));
  BOOST_REQUIRE(found.content);
  BOOST_REQUIRE(found.content->keys.size() == 2U);
  const tgmap::surveyed_key &param = found.content->keys[0], &step = found.content->keys[1];
  BOOST_TEST(param.path == "param");
  BOOST_TEST(param.objects == 5U);
  BOOST_TEST(param.distinct == 2U);
  BOOST_REQUIRE(param.values.size() == 2U);
  BOOST_TEST(param.values[0].text == "2t");
  BOOST_TEST(param.values[0].objects == 3U);
  BOOST_TEST(param.values[1].text == "10u");
  BOOST_TEST(param.values[1].objects == 2U);
  BOOST_TEST(!param.range);
  BOOST_TEST(step.path == "step");
  BOOST_REQUIRE(step.range);
  BOOST_TEST(step.range->first == 0);
  BOOST_TEST(step.range->last == 12);
  BOOST_TEST((step.range->step == 6));
}

BOOST_AUTO_TEST_CASE(limits_bound_the_sample) {
  const bytes data = field_archive("2t", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const tgmap::archive from = open(data);
  const tgmap::archive_survey few = tgmap::survey(from, {.max_messages = 3, .max_values = 2});
  BOOST_REQUIRE(few.content);
  BOOST_TEST(few.messages == 10U);
  BOOST_TEST(few.content->is_sample);
  BOOST_TEST(few.content->messages == 3U);
  for (const tgmap::surveyed_key& each : few.content->keys) BOOST_TEST(each.values.size() <= 2U);
  for (const tgmap::survey_options& none : {tgmap::survey_options{.max_messages = 0}, {.max_objects = 0}}) {
    const tgmap::archive_survey empty = tgmap::survey(from, none);
    BOOST_TEST(empty.messages == 10U);
    BOOST_TEST(empty.content->is_sample);
    BOOST_TEST(empty.content->objects == 0U);
  }
}

BOOST_AUTO_TEST_CASE(damage_is_no_error) {
  const bytes whole = field_message({"2t"}, 0);
  const bytes data = whole + "0123456789" + whole + whole.substr(0, whole.size() - 30);
  const tgmap::archive_survey found = tgmap::survey(open(data));
  BOOST_TEST(found.messages == 2U);
  BOOST_REQUIRE(found.gaps.size() == 1U);
  BOOST_TEST(found.gaps[0].begin == whole.size());
  BOOST_TEST(found.gaps[0].end == whole.size() + 10);
  BOOST_REQUIRE(found.tail);
  BOOST_TEST(found.tail->begin == 2 * whole.size() + 10);

  const tgmap::archive stopping = tgmap::archive::from_memory(std::as_bytes(std::span(data)));
  tgmap::failure why;
  const tgmap::archive_survey before = tgmap::survey(stopping, {}, why);
  BOOST_TEST(!why);
  BOOST_TEST(before.messages == 1U);
  BOOST_TEST(before.gaps.size() == 1U);
}

BOOST_AUTO_TEST_CASE(usage_sums_up_the_objects) {
  const tgmap::archive_survey found =
      tgmap::survey(open(field_archive("2t", {0, 6})), {.content = false, .usage = true});
  BOOST_TEST(!found.content);
  BOOST_REQUIRE(found.usage);
  BOOST_TEST(found.usage->objects.count == 2U);
  BOOST_TEST(found.usage->objects.bytes == 16U);
  BOOST_TEST(found.usage->objects.decoded == 16U);
  BOOST_TEST(found.usage->codecs.at("none").bytes == 16U);
}

BOOST_AUTO_TEST_CASE(a_stop_request_and_no_archive_are_failures) {
  const tgmap::archive from = open(field_archive("2t", {0, 6}));
  std::stop_source stop;
  stop.request_stop();
  tgmap::failure why;
  static_cast<void>(tgmap::survey(from, {.stop = stop.get_token()}, why));
  BOOST_TEST((why.code == std::errc::operation_canceled));
  TGMAP_THROWS(tgmap::survey(tgmap::archive()), tgmap::errc::no_archive);
}

BOOST_AUTO_TEST_CASE(progress_ends_with_all_bytes) {
  const bytes data = field_archive("2t", {0, 6});
  std::uint64_t done = 0;
  static_cast<void>(tgmap::survey(open(data), {.progress = [&](std::uint64_t bytes) { done = bytes; }}));
  BOOST_TEST(done == data.size());
}

BOOST_AUTO_TEST_SUITE_END()
