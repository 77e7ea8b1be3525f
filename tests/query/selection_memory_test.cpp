// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/process/failing_new.hpp>
#include <support/selection_samples.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(selection_memory)

namespace {

template <class F>
long allocations_of(F&& body) {
  fail_allocations_after(-1);
  body();
  return allocations();
}

}  // namespace

BOOST_AUTO_TEST_CASE(matching_does_not_allocate) {
  const bytes data = six_messages() + two_named_objects();
  const auto archive = open(data);
  archive.scan();
  for (const char* text :
       {"mars.param=2t/10u and mars.step=0..24 and source!=other", "mars.levelist=\"[500,850]\"", "x<2 or has nothing",
        "not (ok=false) and mars.step>=6", "dtype=float32 and shape[0]=2 and shape=\"[2,3]\" and @offset>0",
        "hash!=0 and @index_location=header", "extra.title=two and unit=K", "mars.class>a", "x=1.5",
        "mars.step=0/to/24/by/6 and x!=0/to/1/by/0.25"}) {
    const tgmap::selection wanted(text);
    int found = 0;
    for (std::size_t i = 0; i < archive.size(); ++i) found += wanted.matches(archive[i]) ? 1 : 0;  // fills the caches
    BOOST_TEST(allocations_of([&] {
                 for (std::size_t i = 0; i < archive.size(); ++i) found -= wanted.matches(archive[i]) ? 1 : 0;
               }) == 0,
               text);
    BOOST_TEST(found == 0);
  }
}

BOOST_AUTO_TEST_CASE(parsing_without_memory) {
  for (const auto syntax : {tgmap::selection_syntax::full, tgmap::selection_syntax::single_clause})
    for (long n = 0;; ++n) {
      tgmap::failure why;
      fail_allocations_after(n);
      const auto wanted = tgmap::selection::parse("a key that is longer than small strings=1/2", syntax, why);
      fail_allocations_after(-1);
      if (!why) {
        BOOST_TEST(!wanted.selects_all());
        break;
      }
      TGMAP_FAILED(why, errc::out_of_memory);
      BOOST_TEST(wanted.selects_all());
      BOOST_TEST_REQUIRE(n < 1000);
    }
}

BOOST_AUTO_TEST_CASE(keys_without_memory) {
  tgmap::failure why;
  fail_allocations_after(0);
  const auto key = tgmap::metadata_key::parse("a key that is longer than small strings", why);
  fail_allocations_after(-1);
  TGMAP_FAILED(why, errc::out_of_memory);
  BOOST_TEST(key.text() == "");
}

BOOST_AUTO_TEST_CASE(matching_without_memory) {
  const bytes data =
      with_keys({cbor::key("k", cbor::text_in_pieces({"a text that is longer ", "than small strings"}))});
  const auto archive = open(data);
  const tgmap::selection wanted("k=\"a text that is longer than small strings\"");
  BOOST_TEST(wanted.matches(archive[0]));
  tgmap::failure why;
  fail_allocations_after(0);
  const bool found = wanted.matches(archive[0], why);
  fail_allocations_after(-1);
  BOOST_TEST(!found);
  TGMAP_FAILED(why, errc::out_of_memory);
}

BOOST_AUTO_TEST_SUITE_END()
