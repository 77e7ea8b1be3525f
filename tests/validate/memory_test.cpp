// SPDX-License-Identifier: Apache-2.0
// Allocations of a validation, and failed ones.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <tgmap/tgmap.hpp>

#include <support/process/failing_new.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(memory_test)

namespace {

struct no_visitor : tgmap::validation_visitor {};

bytes several_batches() { return several(0, 3000, 500); }

/// Returns the number of allocations of one validation with one thread.
long allocations_of(const tgmap::archive& archive, tgmap::validation_mode mode) {
  no_visitor visitor;
  tgmap::failure why;
  fail_allocations_after(-1);
  static_cast<void>(tgmap::validate(archive, {.mode = mode, .threads = 1}, visitor, why));
  BOOST_TEST(!why);
  return allocations();
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_messages_allocate_nothing) {
  const bytes few = several(0, 100, 500), many = several(0, 1000, 500);
  for (const auto mode : {tgmap::validation_mode::quick, tgmap::validation_mode::standard,
                          tgmap::validation_mode::checksum, tgmap::validation_mode::full}) {
    const auto small = tgmap::archive::from_memory(span_of(few)), large = tgmap::archive::from_memory(span_of(many));
    (void)small.size();
    (void)large.size();
    BOOST_TEST(allocations_of(small, mode) == allocations_of(large, mode), "mode " << static_cast<int>(mode));
  }
}

BOOST_AUTO_TEST_CASE(out_of_memory_is_an_error) {
  const bytes data = several_batches();
  const auto archive = tgmap::archive::from_memory(span_of(data));
  (void)archive.size();
  for (const unsigned threads : {1u, 3u}) {
    unsigned failed = 0, completed = 0;
    for (long n = 0; n < 60; ++n) {
      no_visitor visitor;
      tgmap::failure why;
      fail_allocations_after(n);
      const auto found = tgmap::validate(archive, {.threads = threads}, visitor, why);
      fail_allocations_after(-1);
      if (why) TGMAP_FAILED(why, tgmap::errc::out_of_memory);
      failed += why ? 1 : 0;
      completed += !why && found.messages == 3000 ? 1 : 0;
      BOOST_TEST((why || found.messages == 3000));
    }
    BOOST_TEST(failed > 2u);
    BOOST_TEST(completed > 2u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
