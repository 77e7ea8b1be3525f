// SPDX-License-Identifier: Apache-2.0
// Memory: what a validation takes, and what becomes of it where there is none.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <tgmap/tgmap.hpp>

#include "../archive/failing_new.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(memory_test)

namespace {

struct nobody : tgmap::validation_visitor {};

bytes several_batches() { return several(0, 3000, 500); }

/// Allocations of one validation by one thread.
long allocations_of(const tgmap::archive& archive, tgmap::validation_mode what) {
  nobody visitor;
  tgmap::failure why;
  fail_allocations_after(-1);
  static_cast<void>(tgmap::validate(archive, {.mode = what, .threads = 1}, visitor, why));
  BOOST_TEST(!why);
  return allocations();
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_messages_take_none) {
  const bytes few = several(0, 100, 500), many = several(0, 1000, 500);
  for (const auto what : {tgmap::validation_mode::quick, tgmap::validation_mode::standard,
                          tgmap::validation_mode::checksum, tgmap::validation_mode::full}) {
    const auto small = tgmap::archive::from_memory(span_of(few)), large = tgmap::archive::from_memory(span_of(many));
    (void)small.size();
    (void)large.size();
    BOOST_TEST(allocations_of(small, what) == allocations_of(large, what), "level " << static_cast<int>(what));
  }
}

BOOST_AUTO_TEST_CASE(without_memory_it_ends_with_an_error) {
  const bytes data = several_batches();
  const auto archive = tgmap::archive::from_memory(span_of(data));
  (void)archive.size();
  for (const unsigned threads : {1u, 3u}) {
    unsigned without = 0, whole = 0;
    for (long n = 0; n < 60; ++n) {
      nobody visitor;
      tgmap::failure why;
      fail_allocations_after(n);
      const auto found = tgmap::validate(archive, {.threads = threads}, visitor, why);
      fail_allocations_after(-1);
      if (why) TGMAP_FAILED(why, tgmap::errc::out_of_memory);
      without += why ? 1 : 0;
      whole += !why && found.messages == 3000 ? 1 : 0;
      BOOST_TEST((why || found.messages == 3000));
    }
    BOOST_TEST(without > 2u);
    BOOST_TEST(whole > 2u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
