// SPDX-License-Identifier: Apache-2.0
// Order, lengths, padding and flags of frames.
#include <boost/test/unit_test.hpp>
#include <support/samples.hpp>

#include "recorded_findings.hpp"

using namespace tgmap_test;
using tgmap::finding_code;

BOOST_AUTO_TEST_SUITE(structure_check)

namespace {

message_spec two_objects_spec() {
  message_spec spec;
  spec.objects = {bytes_object("abc"), bytes_object("defgh")};
  return spec;
}

struct sample {
  built_message built = build(two_objects_spec());
  bytes& data = built.data;
  std::uint64_t object(std::size_t i) const { return built.objects.at(i); }
};

constexpr auto quick = tgmap::validation_mode::quick;

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_sound_message_has_no_findings, sample) {
  for (const auto mode :
       {quick, tgmap::validation_mode::standard, tgmap::validation_mode::checksum, tgmap::validation_mode::full}) {
    const auto found = check(data, mode);
    BOOST_TEST(found.codes() == code_set{}, boost::test_tools::per_element());
    BOOST_TEST(found.result.is_sound());
    BOOST_TEST_REQUIRE(found.messages.size() == 1u);
    BOOST_TEST(found.messages[0].objects == 2u);
    BOOST_TEST(found.messages[0].hash_verified == (mode != quick));
  }
}

BOOST_FIXTURE_TEST_CASE(a_frame_without_its_end, sample) {
  const std::uint64_t end = object(1) + get_u64(data, object(1) + 8) - 4;
  data[end] = 'X';
  const auto found = check(data, quick);
  BOOST_TEST(found.only(finding_code::missing_end_marker).offset == end);
  BOOST_TEST(found.only(finding_code::missing_end_marker).text == "missing ENDF marker at offset " +
                                                                      std::to_string(end) + " for frame starting at " +
                                                                      std::to_string(object(1)));
  BOOST_TEST(!found.result.is_sound());
}

BOOST_FIXTURE_TEST_CASE(lengths_of_frames, sample) {
  put_u64(data, object(1) + 8, 20);
  BOOST_TEST(check(data, quick).only(finding_code::frame_too_small).offset == object(1));
  put_u64(data, object(1) + 8, UINT64_MAX);
  BOOST_TEST(check(data, quick).only(finding_code::frame_exceeds_message).offset == object(1));
}

BOOST_FIXTURE_TEST_CASE(types_of_frames, sample) {
  put_u16(data, object(0) + 2, 77);
  const auto found = check(data, quick);
  BOOST_TEST(found.only(finding_code::invalid_frame_header).text ==
             "invalid frame header at offset " + std::to_string(object(0)) + ": unknown frame type 77");
  BOOST_TEST(found.messages[0].objects == 1u);  // the check goes on
}

BOOST_FIXTURE_TEST_CASE(offset_of_the_descriptor, sample) {
  const std::uint64_t tail = object(0) + get_u64(data, object(0) + 8) - 20;
  for (const std::uint64_t wrong : {std::uint64_t{15}, tail - object(0) + 1, UINT64_MAX}) {
    put_u64(data, tail, wrong);
    const auto found = check(data, quick);
    BOOST_TEST(found.only(finding_code::cbor_offset_invalid).object == 0);
    BOOST_TEST(found.only(finding_code::cbor_offset_invalid).offset == object(0));
  }
}

BOOST_AUTO_TEST_CASE(a_malformed_descriptor_before_the_payload) {
  message_spec spec = two_objects_spec();
  spec.objects[1].cbor_first = true;
  auto built = build(spec);
  BOOST_TEST(check(built.data).codes() == code_set{}, boost::test_tools::per_element());
  built.data[built.objects[1] + 16] = '\xff';
  BOOST_TEST(check(built.data, quick).only(finding_code::cbor_before_boundary_unknown).object == 1);
}

BOOST_AUTO_TEST_CASE(frames_out_of_order) {
  message_spec spec = two_objects_spec();
  spec.frames_before[1] = {{.type = 3, .body = cbor::map({})}};
  const auto found = check(message(spec), quick);
  BOOST_TEST(found.only(finding_code::frame_order_violation).text.find("HeaderHash") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(preceders_precede_objects) {
  message_spec spec = two_objects_spec();
  const bytes entry = cbor::map({cbor::key("base", cbor::array({cbor::map({})}))});
  spec.frames_before[1] = {{.type = 8, .body = entry}, {.type = 8, .body = entry}};
  BOOST_TEST(check(message(spec), quick).codes() ==
                 code_set({"error: preceder_not_followed_by_object", "warning: flag_mismatch"}),
             boost::test_tools::per_element());
  spec.frames_before = {{2, {{.type = 8, .body = entry}}}};
  BOOST_TEST(check(message(spec), quick).codes().contains("error: dangling_preceder"));
}

BOOST_AUTO_TEST_CASE(padding_of_frames) {
  message_spec spec = two_objects_spec();
  spec.junk_before[1] = "12345678";
  const auto found = check(message(spec), quick);
  BOOST_TEST(found.codes() == code_set{"warning: non_zero_padding"}, boost::test_tools::per_element());
  BOOST_TEST(found.result.is_sound());
  BOOST_TEST(found.messages[0].objects == 2u);

  spec.junk_before[1] = bytes(100'000, '\0');
  BOOST_TEST(check(message(spec), quick).codes().contains("error: padding_too_long"));

  auto built = build(two_objects_spec());
  const std::uint64_t end = built.objects[0] + get_u64(built.data, built.objects[0] + 8);
  BOOST_TEST_REQUIRE(end % 8 != 0u);
  built.data[end] = 'x';
  BOOST_TEST(check(built.data, quick).only(finding_code::non_zero_padding).offset == end);
}

BOOST_FIXTURE_TEST_CASE(footer_offset, sample) {
  put_u64(data, built.postamble, 25);
  BOOST_TEST(check(data, quick).codes() == code_set{"warning: footer_offset_mismatch"},
             boost::test_tools::per_element());
  put_u64(data, built.postamble, UINT64_MAX);
  BOOST_TEST(check(data, quick).only(finding_code::footer_offset_out_of_range).offset == built.postamble);
}

BOOST_FIXTURE_TEST_CASE(flags_of_the_preamble, sample) {
  put_u16(data, 10, get(data, 10, 2) ^ 8);
  BOOST_TEST(check(data, quick).only(finding_code::flag_mismatch).text ==
             "FOOTER_INDEX flag mismatch: declared vs observed");
}

BOOST_AUTO_TEST_CASE(a_message_needs_metadata) {
  message_spec spec = two_objects_spec();
  spec.metadata = where::none;
  BOOST_TEST(check(message(spec), quick).codes().contains("error: no_metadata_frame"));
}

BOOST_AUTO_TEST_CASE(large_messages) {
  message_spec spec;
  for (int i = 0; i < 40; ++i) spec.objects.push_back(bytes_object(payload_of(i, 3000 + 17 * i)));
  auto built = build(spec);
  BOOST_TEST(check(built.data).codes() == code_set{}, boost::test_tools::per_element());
  const std::uint64_t at = built.objects[33];
  put_u16(built.data, at + 2, 1);
  const auto found = check(built.data, quick);
  BOOST_TEST(found.only(finding_code::frame_order_violation).offset == at);
}

BOOST_AUTO_TEST_CASE(repeated_frames) {
  using enum tgmap::validation_mode;
  // Bodies that are sound of themselves, so that nothing else is found.
  message_spec plain = two_objects_spec();
  plain.hashes = plain.hash_frames = false;
  plain.index = plain.metadata = where::both;
  for (const std::uint16_t type : {1, 2, 6, 7}) {
    const built_message sound = build(plain);
    const auto first = std::ranges::find(sound.frames, type, &built_message::place::type);
    BOOST_TEST_REQUIRE((first != sound.frames.end()));
    const bytes body = sound.data.substr(first->offset + 16, first->length - 16 - 12);
    message_spec spec = plain;
    (type < 4 ? spec.header_frames : spec.footer_frames) = {{.type = type, .body = body}};
    const bool is_metadata = type == 1 || type == 7;
    for (const auto mode : {quick, standard, full}) {
      BOOST_TEST_CONTEXT("type " << type) {
        const built_message built = build(spec);
        const auto found = check(built.data, mode);
        const auto& repeated = found.only(finding_code::repeated_frame);
        BOOST_TEST((repeated.severity == (is_metadata ? tgmap::severity::error : tgmap::severity::warning)));
        BOOST_TEST((repeated.level == tgmap::validation_level::structure));
        std::vector<std::uint64_t> places;
        for (const auto& each : built.frames)
          if (each.type == type) places.push_back(each.offset);
        BOOST_TEST_REQUIRE(places.size() == 2u);
        BOOST_TEST(repeated.offset == places[1]);
        if (mode == quick || type > 2)  // the copy of a header index is wrong, because the objects are behind it
          BOOST_TEST(found.result.is_sound() == !is_metadata);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(repeated_hash_frames) {
  for (const std::uint16_t type : {3, 5}) {
    message_spec spec = two_objects_spec();
    const bytes list = cbor::map({cbor::key("hashes", cbor::array({cbor::text(xxh3_hex("x")), cbor::text("y")}))});
    auto& frames = type == 3 ? spec.header_frames : spec.footer_frames;
    frames.assign(type == 3 ? 1 : 2, {.type = type, .body = list});
    const auto found = check(message(spec), quick);
    BOOST_TEST((found.only(finding_code::repeated_frame).severity == tgmap::severity::warning));
    frames.push_back({.type = type, .body = list});
    BOOST_TEST(check(message(spec), quick).messages.at(0).findings.size() >= 2u);
  }
}

BOOST_AUTO_TEST_CASE(preceders_and_both_places_are_no_repetition) {
  message_spec spec = two_objects_spec();
  spec.objects[0].preceder = spec.objects[1].preceder = cbor::map({});
  spec.index = spec.metadata = where::both;
  spec.writing = writing::streamed;
  BOOST_TEST(check(message(spec), quick).codes() == code_set{}, boost::test_tools::per_element());
  spec.version = 2;
  spec.header_frames = {{.type = 1, .body = cbor::map({cbor::key("version", cbor::integer(2))})}};
  BOOST_TEST(check(message(spec), quick).codes() == code_set{"error: repeated_frame"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
