// SPDX-License-Identifier: Apache-2.0
#include "edit/compare/element_verification.hpp"

#include <boost/test/unit_test.hpp>
#include <support/selection_samples.hpp>

BOOST_AUTO_TEST_SUITE(element_verifications)

using namespace tgmap_test;
using tgmap::edit::verification;
using kind = tgmap::edit::verification_fault::kind;

namespace {

bytes one_message(const std::vector<bytes>& objects) {
  message_spec how;
  for (const bytes& each : objects) how.objects.push_back(bytes_object(each));
  return message(how);
}

verification verify(const bytes& before, const bytes& after) {
  return tgmap::edit::verify_elements(tgmap::archive::from_memory(span_of(before)),
                                      tgmap::archive::from_memory(span_of(after)), [](std::uint64_t) {});
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_archives) {
  const bytes all = one_message({"abcd", "efgh"}) + one_message({"ijkl"});
  std::uint64_t last = 0;
  const auto from = tgmap::archive::from_memory(span_of(all));
  const verification found = tgmap::edit::verify_elements(from, from, [&](std::uint64_t done) { last = done; });
  BOOST_TEST(!found.fault.has_value());
  BOOST_TEST(found.equal == 3u);
  BOOST_TEST(last == from[1].offset());
}

BOOST_AUTO_TEST_CASE(each_difference_has_its_place) {
  const bytes first = one_message({"abcd", "efgh"}), second = one_message({"ijkl"});
  const auto elements = verify(first + second, one_message({"abcd", "efXX"}) + second);
  BOOST_TEST((elements.fault.value().what == kind::elements));
  BOOST_TEST(elements.fault->object == 1u);
  BOOST_TEST(elements.fault->differing == 2u);
  BOOST_TEST(elements.fault->elements == 4u);
  BOOST_TEST(elements.equal == 1u);
  BOOST_TEST((verify(first, one_message({"abcd", "efg"})).fault.value().what == kind::type));
  const auto objects = verify(first, one_message({"abcd"}));
  BOOST_TEST((objects.fault.value().what == kind::objects));
  BOOST_TEST(objects.fault->before == 2u);
  BOOST_TEST(objects.fault->after == 1u);
  const auto missing = verify(first + second, first);
  BOOST_TEST((missing.fault.value().what == kind::missing));
  BOOST_TEST((missing.fault->message.index() == 1u));
  BOOST_TEST((verify(first, first + second).fault.value().what == kind::unexpected));
}

BOOST_AUTO_TEST_SUITE_END()
