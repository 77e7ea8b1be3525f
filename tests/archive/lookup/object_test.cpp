// SPDX-License-Identifier: Apache-2.0
// Payload and region, whole and in parts.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(object_test)

BOOST_AUTO_TEST_CASE(any_part_of_a_payload_can_be_copied) {
  in_every_mode(numbered(1, 3, 50), [](const tgmap::archive& archive) {
    const auto object = archive[0][0];
    for (std::size_t from = 0; from <= 50; ++from)
      for (const std::size_t count : {std::size_t{0}, std::size_t{1}, 50 - from}) {
        if (from + count > 50) continue;
        bytes out(count, '?');
        object.read(from, std::as_writable_bytes(std::span(out)));
        BOOST_TEST(out == payload_of(1, 50).substr(from, count));
      }
  });
}

BOOST_AUTO_TEST_CASE(reads_end_at_the_payload) {
  message_spec spec = numbered_spec(1);
  spec.objects[0].dtype = "float32";
  spec.objects[0].shape = {6};
  spec.objects[0].masks = {{.blob = "masks are no payload"}};
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    const auto object = archive[0][0];
    bytes out(25, '?');
    const auto into = std::as_writable_bytes(std::span(out));
    tgmap::failure why;
    object.read(0, into, why);
    TGMAP_FAILED(why, errc::read_past_end);
    object.read(23, into.subspan(0, 2), why);
    TGMAP_FAILED(why, errc::read_past_end);
    object.read(~std::uint64_t{0}, into.subspan(0, 1), why);
    TGMAP_FAILED(why, errc::read_past_end);
    object.read(25, {}, why);
    TGMAP_FAILED(why, errc::read_past_end);
    object.read(0, into.subspan(0, 24), why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST(out.substr(0, 24) == payload_of(1));
  });
}

BOOST_AUTO_TEST_CASE(a_descriptor_before_the_payload_changes_only_offsets) {
  for (const int version : {2, 3})
    for (const bool first : {false, true}) {
      message_spec spec = numbered_spec(1, version);
      spec.objects[0].cbor_first = first;
      const auto built = build(spec);
      in_every_mode(built.data, [&](const tgmap::archive& archive) {
        const auto object = archive[0][0];
        BOOST_TEST(sound(archive[0]));
        BOOST_TEST(object.payload_offset() == built.data.find(payload_of(1)));
        BOOST_TEST((object.payload_offset() == built.objects[0] + 16) == !first);
        BOOST_TEST(object.descriptor().element_count == 24u);
        BOOST_TEST(object.verify() == tgmap::hash_result::match);
      });
    }
}

BOOST_AUTO_TEST_CASE(an_empty_payload_is_empty) {
  message_spec spec;
  spec.objects = {bytes_object("")};
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    const auto object = archive[0][0];
    BOOST_TEST(object.payload_size() == 0u);
    BOOST_TEST(object.payload().empty());
    BOOST_TEST(object.descriptor().element_count == 0u);
    const auto view = object.view<std::uint8_t>();
    BOOST_TEST(view.size() == 0u);
    BOOST_TEST(view.data() == nullptr);
    object.read(0, {});
  });
}

BOOST_AUTO_TEST_CASE(failures_name_message_and_object) {
  message_spec spec = numbered_spec(1);
  spec.objects.push_back(bytes_object("second"));
  spec.objects.back().dtype = "nothing";
  const bytes data = numbered(0) + message(spec);
  in_every_mode(data, [](const tgmap::archive& archive) {
    tgmap::failure why;
    (void)archive[1][1].descriptor(why);
    TGMAP_FAILED(why, errc::unknown_dtype);
    BOOST_TEST(why.message == 1);
    BOOST_TEST(why.object == 1);
    BOOST_TEST(why.offset >= archive[1][1].frame().offset());
    BOOST_TEST(why.offset < archive.size_bytes());
    BOOST_TEST(why.text().find("message 1") != std::string::npos);
    BOOST_TEST(why.text().find("object 1") != std::string::npos);
  });
}

BOOST_AUTO_TEST_SUITE_END()
