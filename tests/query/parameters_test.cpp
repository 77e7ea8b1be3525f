// SPDX-License-Identifier: Apache-2.0
// Parameters of ECMWF's database, and selections by any of their names, with an index and without.
#include <tgmap/query/parameters.hpp>

#include <boost/test/unit_test.hpp>
#include <support/selection_samples.hpp>

#include "../index/indexed.hpp"
#include "selection_answers.hpp"

using namespace tgmap_test;
using tgmap::find_parameter;
using tgmap::find_parameters;
using tgmap::parameter_synonyms;
using tgmap::selection;

BOOST_AUTO_TEST_SUITE(parameters_test)

namespace {

using texts = std::vector<std::string>;

std::vector<unsigned> ids_of(std::string_view text) {
  std::vector<unsigned> out;
  for (const tgmap::parameter& each : find_parameters(text)) out.push_back(each.id);
  return out;
}

/// Returns messages whose `mars.param`, `param` and `other` are one spelling of a parameter each.
bytes spellings() {
  const std::vector<bytes> stored{
      cbor::integer(167),     // 0
      cbor::text("167.128"),  // 1
      cbor::text("2t"),       // 2
      cbor::text("167"),      // 3
      cbor::real(167.0),      // 4
      cbor::integer(168),     // 5
      cbor::text("168.128"),  // 6
      cbor::text("2d"),       // 7
      cbor::text("167.160"),  // 8: a table of its own with the same parameter
      cbor::text("11.2"),     // 9: a table of the WMO
      cbor::integer(228),     // 10
      cbor::integer(228228),  // 11
      cbor::text("tp"),       // 12
      cbor::text("228.228"),  // 13
      cbor::text("none"),     // 14
      cbor::text("2T"),       // 15
  };
  bytes out;
  for (const bytes& each : stored)
    out += with_keys(
        {cbor::key("mars", cbor::map({cbor::key("param", each)})), cbor::key("param", each), cbor::key("other", each)});
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_parameter_has_names_and_units) {
  const auto found = find_parameter(167);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->id == 167u);
  BOOST_TEST(found->short_name == "2t");
  BOOST_TEST(found->variable == "t2m");
  BOOST_TEST(found->units == "K");
  BOOST_TEST(found->standard_name.empty());

  BOOST_TEST(find_parameter(151)->short_name == "msl");
  BOOST_TEST(find_parameter(151)->variable == "msl");
  BOOST_TEST(find_parameter(151)->units == "Pa");
  BOOST_TEST(find_parameter(151)->standard_name == "air_pressure_at_mean_sea_level");
  BOOST_TEST(find_parameter(130)->standard_name == "air_temperature");
  BOOST_TEST(find_parameter(1)->short_name == "strf");
  BOOST_TEST(find_parameter(140229)->short_name == "swh");
  BOOST_TEST(find_parameter(228228)->units == "kg m**-2");
}

BOOST_AUTO_TEST_CASE(numbers_without_a_parameter_have_none) {
  for (const std::uint64_t id :
       {std::uint64_t(0), std::uint64_t(80), std::uint64_t(999'999'999), UINT64_MAX, (std::uint64_t(1) << 32) + 167})
    BOOST_TEST(!find_parameter(id));
}

BOOST_AUTO_TEST_CASE(texts_name_parameters) {
  using ids = std::vector<unsigned>;
  BOOST_TEST(ids_of("2t") == ids{167});
  BOOST_TEST(ids_of("167") == ids{167});
  BOOST_TEST(ids_of("167.128") == ids{167});
  BOOST_TEST(ids_of("167.160") == ids{167});
  BOOST_TEST(ids_of("229.140") == ids{140229});
  BOOST_TEST(ids_of("52.162") == ids{134});
  BOOST_TEST((ids_of("tp") == ids{228, 228228}));
  BOOST_TEST(ids_of("228") == ids{228});
  BOOST_TEST(ids_of("z") == ids{129});
  for (const std::string_view none : {"",
                                      "~",
                                      "2T",
                                      "0167",
                                      "167.",
                                      ".128",
                                      "167.0128",
                                      "0167.128",
                                      "167.128.",
                                      "11.2",
                                      "167.127",
                                      "167.256",
                                      "256.128",
                                      "-167",
                                      "+167",
                                      "167 ",
                                      "99999999999999999999",
                                      "4294967463",
                                      "1e2",
                                      "167.128.1"})
    BOOST_TEST(ids_of(none).empty(), none);
  BOOST_TEST(ids_of(std::string_view("2t\0", 3)).empty());
}

BOOST_AUTO_TEST_CASE(synonyms_are_the_other_names) {
  BOOST_TEST((parameter_synonyms("2t") == texts{"167", "167.128", "167.160", "167.180", "167.190"}));
  BOOST_TEST((parameter_synonyms("swh") == texts{"140229", "229.140", "3100"}));
  BOOST_TEST((parameter_synonyms("229.140") == texts{"140229", "swh"}));
  BOOST_TEST((parameter_synonyms("228228") == texts{"228.228", "tp"}));
  BOOST_TEST(parameter_synonyms("nothing").empty());
}

BOOST_AUTO_TEST_CASE(selections_find_a_parameter_by_any_of_its_names) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", spellings());
  const auto check = [&](const char* wanted, const std::string& expected, const tgmap::archive& in) {
    BOOST_TEST_CONTEXT(wanted) {
      BOOST_TEST(found_messages(in, selection(wanted)) == expected);
      const std::string of_objects = found_objects(in, selection(wanted));
      BOOST_TEST(static_cast<std::size_t>(std::ranges::count(of_objects, ' ')) ==
                 static_cast<std::size_t>(std::ranges::count(expected, ' ')));
    }
  };
  const auto check_all = [&](const tgmap::archive& in) {
    const std::string all_of_2t = "0 1 2 3 4 8 ";
    for (const char* wanted : {"mars.param=2t", "mars.param=\"2t\"", "mars.param=167", "mars.param=\"167\"",
                               "mars.param=167.128", "mars.param=167.0", "mars.param=0167", "param=2t", "param == 2t",
                               "not mars.param!=2t", "mars.param=nothing/2t"})
      check(wanted, all_of_2t, in);
    check("mars.param!=2t", "5 6 7 9 10 11 12 13 14 15 ", in);
    check("mars.param!=2t/168", "9 10 11 12 13 14 15 ", in);
    check("mars.param=2t/2d and not param=168.128", all_of_2t, in);
    check("mars.param=tp", "10 11 12 13 ", in);
    check("mars.param=228", "10 12 ", in);
    check("mars.param=228228", "11 12 13 ", in);
    check("mars.param=11.2", "9 ", in);
    check("mars.param=t", "", in);
    check("mars.param=2T", "15 ", in);
    // Ranges, orders and patterns compare what is stored, and so do other keys.
    check("mars.param=167..168", "0 1 3 4 5 8 ", in);
    check("mars.param~^2t$", "2 ", in);
    check("other=2t", "2 ", in);
    check("other=167", "0 3 4 ", in);
  };
  check_all(tgmap::archive(file, {.index = tgmap::index_use::none}));
  write_index(file);
  const tgmap::archive with(file);
  BOOST_TEST(tgmap::indexed_selection::of_messages(with, selection("mars.param=2t")).count(tgmap::index_answer::yes) ==
             6u);
  check_all(with);
}

BOOST_AUTO_TEST_CASE(clauses_of_the_reference_compare_text) {
  const selection wanted("mars.param=2t", tgmap::selection_syntax::single_clause);
  const bytes data = spellings();
  BOOST_TEST(found_messages(open(data), wanted) == "2 ");
}

BOOST_AUTO_TEST_CASE(the_text_of_a_selection_stays) {
  BOOST_TEST(selection("mars.param=2t/167").text() == "mars.param=2t/167");
}

BOOST_AUTO_TEST_SUITE_END()
