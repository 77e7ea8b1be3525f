// SPDX-License-Identifier: Apache-2.0
// Every byte changed, one at a time.
#include "check.hpp"
#include "victims.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <support/rounds.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(byte_changes_test)

namespace {

/// Values that lead to other branches than the original one.
std::set<unsigned char> values_for(unsigned char was) {
  std::set<unsigned char> out;
  for (const unsigned v : {was ^ 1u, was ^ 0x80u, was ^ 0xffu, 0u, 255u, was + 1u})
    out.insert(static_cast<unsigned char>(v));
  out.erase(was);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_changed_byte_is_survived) {
  case_sampler cases(31);
  std::size_t checked = 0, unnoticed = 0;
  for (const auto& [name, data] : victims()) BOOST_TEST_CONTEXT(name) {
      damage_check check(data);
      for (std::size_t at = 0; at < data.size(); ++at)
        for (const auto value : values_for(static_cast<unsigned char>(data[at]))) {
          if (!cases.takes_next()) continue;
          bytes changed = data;
          changed[at] = static_cast<char>(value);
          const auto fault = check.find_fault(changed);
          BOOST_TEST(fault.empty(), "byte " << at << " is " << unsigned{value} << ": " << fault);
        }
      checked += check.checked();
      unnoticed += check.unnoticed();
    }
  BOOST_TEST_MESSAGE(checked << " changes, " << unnoticed << " of them touch nothing that is checked");
  BOOST_TEST(unnoticed < checked / 2);
}

BOOST_AUTO_TEST_CASE(every_value_of_every_byte_of_the_smallest_is_survived) {
  case_sampler cases(31);
  for (const auto& [name, data] : {victims()[0], victims()[5]}) BOOST_TEST_CONTEXT(name) {
      damage_check check(data);
      for (std::size_t at = 0; at < data.size(); ++at)
        for (unsigned value = 0; value < 256; ++value) {
          if (!cases.takes_next()) continue;
          bytes changed = data;
          changed[at] = static_cast<char>(value);
          const auto fault = check.find_fault(changed);
          BOOST_TEST(fault.empty(), "byte " << at << " is " << value << ": " << fault);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
