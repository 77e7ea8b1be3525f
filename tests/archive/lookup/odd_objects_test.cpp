// SPDX-License-Identifier: Apache-2.0
// Unusual objects, and frames that an index wrongly lists as objects.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(odd_objects_test)

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

BOOST_AUTO_TEST_CASE(an_endless_descriptor_before_the_payload_is_damage) {
  for (const std::size_t payload : {24u, 5'000u}) {
    message_spec spec = leading(0, payload);
    spec.objects[0].descriptor = cbor::head(2, 100'000);  // claims bytes far beyond the frame
    in_every_mode(message(spec), [](const tgmap::archive& archive) {
      tgmap::failure why;
      (void)archive[0].at(0, why);
      TGMAP_FAILED(why, errc::bad_cbor);
      BOOST_TEST(why.object == 0);
    });
  }
}

BOOST_AUTO_TEST_CASE(an_index_of_other_frames_is_an_error) {
  for (const std::size_t size : {24u, 5'000u}) {
    message_spec spec;
    spec.objects = {bytes_object(payload_of(0, size)), bytes_object(payload_of(1, size))};
    built_message built = build(spec);
    put_u16(built.data, built.objects[1] + 2, 77);
    const auto archive = open(built.data);
    tgmap::failure why;
    const auto check_failure = [&] {
      TGMAP_FAILED(why, errc::not_an_object);
      BOOST_TEST(why.offset == built.objects[1]);
      BOOST_TEST(why.object == 1);
      BOOST_TEST(why.found == 77u);
    };
    BOOST_TEST(archive[0].size(why) == 0u);
    check_failure();
    (void)archive[0].at(1, why);
    check_failure();
    (void)archive[0].at(0, why);
    TGMAP_SUCCEEDED(why);
  }
}

// The lengths come from the frames (§3.1).
BOOST_AUTO_TEST_CASE(an_empty_index_of_an_early_stream_is_an_error) {
  message_spec spec;
  spec.version = 2;
  spec.writing = writing::streamed;
  spec.objects = {bytes_object(payload_of(0)), bytes_object(payload_of(1))};
  const built_message built = build(spec);
  const auto refused = [&](std::size_t at, std::uint16_t number, errc code) {
    bytes data = built.data;
    fix_length(data);  // otherwise the message would end there
    put_u16(data, at, number);
    const auto archive = open(data);
    tgmap::failure why;
    (void)archive[0].at(1, why);
    TGMAP_FAILED(why, code);
    BOOST_TEST(why.offset == built.objects[1]);
  };
  refused(built.objects[1] + 2, 77, errc::not_an_object);
  refused(built.objects[1], 0x5858, errc::not_a_frame);
}

BOOST_AUTO_TEST_CASE(a_wrong_descriptor_first_flag_is_an_error) {
  message_spec spec;
  spec.objects = {bytes_object(payload_of(0))};
  built_message built = build(spec);
  const std::size_t flags = built.objects[0] + 6;
  put_u16(built.data, flags, static_cast<std::uint16_t>(get(built.data, flags, 2) & ~1u));
  in_every_mode(built.data, [&](const tgmap::archive& archive) {
    tgmap::failure why;
    (void)archive[0].at(0, why);
    TGMAP_FAILED(why, errc::bad_descriptor_offset);
    BOOST_TEST(why.expected == 16u);
    BOOST_TEST(why.found == 16u + 24u);
  });
}

BOOST_AUTO_TEST_SUITE_END()
