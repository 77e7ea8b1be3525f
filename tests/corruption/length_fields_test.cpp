// SPDX-License-Identifier: Apache-2.0
// All eight-byte fields replaced by numbers that are critical for lengths and offsets.
#include "check.hpp"
#include "victims.hpp"

#include <boost/test/unit_test.hpp>
#include <support/rounds.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(length_fields_test)

BOOST_AUTO_TEST_CASE(every_number_that_overflows_is_survived) {
  case_sampler cases(31);
  for (const auto& [name, data] : victims()) BOOST_TEST_CONTEXT(name) {
      damage_check check(data);
      for (std::size_t at = 0; at + 8 <= data.size(); ++at) {
        const std::uint64_t was = get_u64(data, at);
        for (const std::uint64_t n : {~std::uint64_t{0}, ~std::uint64_t{0} - at, std::uint64_t{1} << 63,
                                      std::uint64_t{data.size()}, data.size() - at, was + 8, was - 8}) {
          if (!cases.takes_next()) continue;
          bytes changed = data;
          put_u64(changed, at, n);
          const auto fault = check.find_fault(changed);
          BOOST_TEST(fault.empty(), "the number at " << at << " is " << n << ": " << fault);
        }
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
