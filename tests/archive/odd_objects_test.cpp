// SPDX-License-Identifier: Apache-2.0
// Objects that few writers make, and what an index takes for an object though it is none.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;
using tgmap::errc;

namespace {

message_spec leading(std::size_t text, std::size_t payload = 5000) {
  message_spec spec;
  spec.objects = {bytes_object(payload_of(1, payload))};
  spec.objects[0].cbor_first = true;
  spec.objects[0].more = {cbor::key("comment", cbor::text(bytes(text, 'c')))};
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_descriptor_of_any_length_may_come_first) {
  for (const std::size_t length : {0u, 300u, 500u, 4'000u, 40'000u})
    for (const std::size_t payload : {0u, 24u, 100'000u})
      in_every_mode(message(leading(length, payload)), [&](const tgmap::archive& archive) {
        const tgmap::object object = archive[0][0];
        BOOST_TEST(view_of(object.payload()) == payload_of(1, payload));
        BOOST_TEST(object.descriptor().entries.find("comment")->text().size() == length);
      });
}

BOOST_AUTO_TEST_CASE(a_descriptor_that_comes_first_and_never_ends_is_damage) {
  for (const std::size_t payload : {24u, 5'000u}) {
    message_spec spec = leading(0, payload);
    spec.objects[0].descriptor = cbor::head(2, 100'000);  // bytes up to far behind the frame
    in_every_mode(message(spec), [](const tgmap::archive& archive) {
      tgmap::failure why;
      (void)archive[0].at(0, why);
      TGMAP_FAILED(why, errc::bad_cbor);
      BOOST_TEST(why.object == 0);
    });
  }
}

BOOST_AUTO_TEST_CASE(an_index_of_frames_that_are_no_objects_is_found_out) {
  for (const std::size_t size : {24u, 5'000u}) {
    message_spec spec;
    spec.objects = {bytes_object(payload_of(0, size)), bytes_object(payload_of(1, size))};
    built_message built = build(spec);
    put_u16(built.data, built.objects[1] + 2, 77);
    const auto archive = open(built.data);
    tgmap::failure why;
    BOOST_TEST(archive[0].size(why) == 2u);
    (void)archive[0].at(1, why);
    TGMAP_FAILED(why, errc::not_an_object);
    BOOST_TEST(why.offset == built.objects[1]);
    BOOST_TEST(why.found == 77u);
    (void)archive[0].at(0, why);
    TGMAP_SUCCEEDED(why);
  }
}
