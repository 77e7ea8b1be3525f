// SPDX-License-Identifier: Apache-2.0
// Archives cut at every byte, at the end and at the start.
#include "check.hpp"
#include "victims.hpp"

#include <boost/test/unit_test.hpp>
#include <support/rounds.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(truncation_test)

BOOST_AUTO_TEST_CASE(every_truncation_is_noticed_and_survived) {
  for (const auto& [name, data] : victims()) BOOST_TEST_CONTEXT(name) {
      damage_check check(data);
      BOOST_TEST(check.find_fault(data) == "");
      for (std::size_t kept = 0; kept < data.size(); kept += stride(7)) {
        const auto fault = check.find_fault(data.substr(0, kept));
        BOOST_TEST(fault.empty(), "cut to " << kept << " bytes: " << fault);
      }
    }
}

BOOST_AUTO_TEST_CASE(every_missing_start_is_noticed_and_survived) {
  for (const auto& [name, data] : victims()) BOOST_TEST_CONTEXT(name) {
      damage_check check(data);
      for (std::size_t lost = 1; lost < data.size(); lost += stride(7)) {
        const auto fault = check.find_fault(data.substr(lost));
        BOOST_TEST(fault.empty(), "without the first " << lost << " bytes: " << fault);
      }
    }
}

BOOST_AUTO_TEST_CASE(every_lost_or_inserted_byte_is_survived) {
  for (const auto& [name, data] : victims()) BOOST_TEST_CONTEXT(name) {
      damage_check check(data);
      for (std::size_t at = 0; at < data.size(); at += stride(11)) {
        bytes lost = data, inserted = data;
        lost.erase(at, 1);
        inserted.insert(at, 1, '\0');
        for (const auto& damaged : {lost, inserted}) {
          const auto fault = check.find_fault(damaged);
          BOOST_TEST(fault.empty(), "byte " << at << " lost or inserted: " << fault);
        }
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
