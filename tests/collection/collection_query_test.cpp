// SPDX-License-Identifier: Apache-2.0
// Selections, order, facets and groups over many archives, with and without indexes.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/tools/collection.hpp>
#include <tgmap/tools/index.hpp>

#include "numbered_fields.hpp"

using namespace tgmap_test;
using tgmap::collection;
using tgmap::collection_address;
using tgmap::metadata_key;
using tgmap::selection;

BOOST_AUTO_TEST_SUITE(collection_queries)

namespace {

struct forecasts {
  temporary_directory files{};
  std::filesystem::path a = files.file("a.tgm", field_message({"2t", "10u"}, 12) + field_message({"2t"}, 0));
  std::filesystem::path b = files.file("b.tgm", message({}) + field_message({"10u", "msl"}, 6));
  collection all{{{a}, {b}}};
};

std::string text(const std::vector<collection_address>& of) {
  std::string out;
  for (const collection_address& each : of) {
    out += (out.empty() ? "" : " ") + std::to_string(each.archive) + ":" + std::to_string(each.message);
    if (each.object) out += ":" + std::to_string(*each.object);
  }
  return out;
}

std::string text(const tgmap::facet& of) {
  std::string out = of.key + ":";
  for (const auto& [value, count] : of.values) out += " " + value + "=" + std::to_string(count);
  return out + " missing=" + std::to_string(of.missing);
}

void index(const std::filesystem::path& of) {
  tgmap::file_sink to(of.string() + ".tgx");
  const tgmap::index_summary made = tgmap::create_index(tgmap::archive(of), to);
  to.close();
  BOOST_TEST(made.is_stamped);
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(selections_find_addresses, forecasts) {
  BOOST_TEST(text(all.find().addresses) == "0:0 0:1 1:0 1:1");
  BOOST_TEST(text(all.find({.of_objects = true}).addresses) == "0:0:0 0:0:1 0:1:0 1:1:0 1:1:1");
  BOOST_TEST(text(all.find({.where = selection("param=10u")}).addresses) == "0:0 1:1");
  BOOST_TEST(text(all.find({.where = selection("param=10u"), .of_objects = true}).addresses) == "0:0:1 1:1:0");
  BOOST_TEST(text(all.find({.where = selection("param=10u"), .limit = 1}).addresses) == "0:0");
  BOOST_TEST(text(all.find({.limit = 0}).addresses) == "");
}

BOOST_FIXTURE_TEST_CASE(order_is_over_all_archives_and_what_is_missing_comes_last, forecasts) {
  const tgmap::sort_column up{metadata_key("step")}, down{metadata_key("step"), true};
  BOOST_TEST(text(all.find({.sort = {up}}).addresses) == "0:1 1:1 0:0 1:0");
  BOOST_TEST(text(all.find({.sort = {down}}).addresses) == "0:0 1:1 0:1 1:0");
  BOOST_TEST(text(all.find({.sort = {up}, .limit = 2}).addresses) == "0:1 1:1");
  BOOST_TEST(text(all.find({.of_objects = true, .sort = {{metadata_key("param")}, down}}).addresses) ==
             "0:0:1 1:1:0 0:0:0 0:1:0 1:1:1");
}

BOOST_FIXTURE_TEST_CASE(visits_have_the_keys_of_the_match, forecasts) {
  const metadata_key param("param");
  for (const std::vector<tgmap::sort_column>& sort : {std::vector<tgmap::sort_column>(), {{metadata_key("step")}}}) {
    std::string seen;
    static_cast<void>(all.visit({.where = selection("param=10u/msl"), .sort = sort},
                                [&](const tgmap::collected_message& m, tgmap::key_lookup& keys) {
                                  seen += keys.find(param).text() + "@" + std::to_string(m.message.length() != 0) + " ";
                                  return true;
                                }));
    BOOST_TEST(seen == "10u@1 10u@1 ");
  }
}

BOOST_FIXTURE_TEST_CASE(a_visitor_may_end_and_fail, forecasts) {
  int calls = 0;
  const auto stop = [&](const auto&, auto&) { return ++calls < 2; };
  static_cast<void>(all.visit({}, stop));
  BOOST_TEST(calls == 2);
  static_cast<void>(all.visit({.sort = {{metadata_key("step")}}}, stop));
  BOOST_TEST(calls == 3);
  const auto failures = all.visit(
      {}, [](const auto&, auto&) -> bool { throw tgmap::error(tgmap::failure{.code = tgmap::errc::hash_mismatch}); });
  BOOST_REQUIRE(failures.size() == 2U);
  BOOST_TEST(failures[1].count == 2U);
  BOOST_TEST((failures[1].cause.code == tgmap::errc::hash_mismatch));
  BOOST_CHECK_THROW(static_cast<void>(all.visit({}, [](const auto&, auto&) -> bool { throw 7; })), int);
}

BOOST_FIXTURE_TEST_CASE(facets_count_values, forecasts) {
  const std::vector<metadata_key> keys{metadata_key("param"), metadata_key("step")};
  const auto found = all.facets(keys, {.of_objects = true});
  BOOST_REQUIRE(found.facets.size() == 2U);
  BOOST_TEST(text(found.facets[0]) == "param: 10u=2 2t=2 msl=1 missing=0");
  BOOST_TEST(text(found.facets[1]) == "step: 0=1 6=2 12=2 missing=0");
  const auto of_messages = all.facets(keys);
  BOOST_TEST(text(of_messages.facets[1]) == "step: 0=1 6=1 12=1 missing=1");
  const auto none = all.facets(keys, {.where = selection("step>100")});
  BOOST_TEST(text(none.facets[0]) == "param: missing=0");
}

BOOST_FIXTURE_TEST_CASE(groups_have_equal_values, forecasts) {
  const std::vector<metadata_key> keys{metadata_key("param")};
  const auto found = all.group(keys, {.of_objects = true, .sort = {{metadata_key("step")}}});
  BOOST_REQUIRE(found.groups.size() == 3U);
  BOOST_TEST(found.groups[0].values[0].value() == "10u");
  BOOST_TEST(text(found.groups[0].addresses) == "1:1:0 0:0:1");
  BOOST_TEST(text(found.groups[1].addresses) == "0:1:0 0:0:0");
  const auto of_messages = all.group(keys);
  BOOST_TEST(!of_messages.groups.back().values[0]);
  BOOST_TEST(text(of_messages.groups.back().addresses) == "1:0");
  BOOST_TEST(all.group(keys, {.limit = 1}).groups.size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(indexes_change_no_answer, forecasts) {
  index(a);
  const collection indexed({{a}, {b}}),
      scanned({{a}, {b}}, {.open = {.damage = tgmap::on_damage::skip, .index = tgmap::index_use::none}});
  BOOST_TEST(indexed.archive(0).index_status().is_current);
  BOOST_TEST(!scanned.archive(0).index_status().is_used);
  const std::vector<metadata_key> keys{metadata_key("param"), metadata_key("step")};
  for (const char* where : {"", "step>=6", "param=10u", "param!=2t", "has step", "step=12 and param=2t"})
    for (const bool of_objects : {false, true})
      for (const std::vector<tgmap::sort_column>& sort :
           {std::vector<tgmap::sort_column>(), {{metadata_key("step"), true}}, {{keys[0]}, {keys[1]}}}) {
        const tgmap::collection_query wanted{
            .where = *where == '\0' ? selection() : selection(where), .of_objects = of_objects, .sort = sort};
        BOOST_TEST(text(indexed.find(wanted).addresses) == text(scanned.find(wanted).addresses), where);
        const auto left = indexed.facets(keys, wanted), right = scanned.facets(keys, wanted);
        for (std::size_t k = 0; k < keys.size(); ++k) BOOST_TEST(text(left.facets[k]) == text(right.facets[k]), where);
      }
}

BOOST_FIXTURE_TEST_CASE(a_stop_request_ends_a_query, forecasts) {
  std::stop_source stop;
  stop.request_stop();
  const tgmap::collection_query wanted{.stop = stop.get_token()};
  const std::vector<metadata_key> keys{metadata_key("param")};
  const auto is_canceled = [](const tgmap::failure& why) { return why.code == std::errc::operation_canceled; };
  tgmap::failure why;
  BOOST_TEST((all.find(wanted, why).addresses.empty() && is_canceled(why)));
  BOOST_TEST((all.facets(keys, wanted, why).failures.empty() && is_canceled(why)));
  BOOST_TEST((all.group(keys, wanted, why).groups.empty() && is_canceled(why)));
  static_cast<void>(all.visit(
      wanted, [](const auto&, auto&) { return true; }, why));
  BOOST_TEST(is_canceled(why));
}

BOOST_AUTO_TEST_SUITE_END()
