// SPDX-License-Identifier: Apache-2.0
// Where the parts of a message are, and which lengths, offsets and orders readers take, specification §2.
#include "wire/message_layout.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

using namespace tgmap::wire;

BOOST_AUTO_TEST_SUITE(message_layout_test)

namespace {

constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();

static_assert(min_message_size(1) == 48 && min_message_size(2) == 40 && min_message_size(3) == 48);

}  // namespace

BOOST_AUTO_TEST_CASE(messages_of_versions_2_and_3_consist_of_frames) {
  for (const unsigned version : {0u, 1u, 4u, 65535u}) BOOST_TEST(!has_frames(version));
  BOOST_TEST(has_frames(2));
  BOOST_TEST(has_frames(3));
}

BOOST_AUTO_TEST_CASE(lengths_of_messages_are_bounded_on_both_sides) {
  BOOST_TEST(!is_message_length(39, 2, 100));
  BOOST_TEST(is_message_length(40, 2, 40));
  BOOST_TEST(!is_message_length(47, 3, 100));
  BOOST_TEST(is_message_length(48, 3, 48));
  BOOST_TEST(!is_message_length(49, 3, 48));
  BOOST_TEST(!is_message_length(huge, 3, 48));
  BOOST_TEST(!is_message_length(0, 3, 48));
}

BOOST_AUTO_TEST_CASE(frames_end_at_the_postamble) {
  BOOST_TEST(frames_end(40, 2) == 24u);
  BOOST_TEST(frames_end(48, 3) == 24u);
  BOOST_TEST(frames_end(1000, 3) == 976u);
}

BOOST_AUTO_TEST_CASE(a_postamble_states_the_length_or_zero) {
  BOOST_TEST(agrees_with_length(0, 48));
  BOOST_TEST(agrees_with_length(48, 48));
  BOOST_TEST(!agrees_with_length(49, 48));
}

BOOST_AUTO_TEST_CASE(footers_begin_among_the_frames) {
  BOOST_TEST(!is_footer_offset(23, 100));
  BOOST_TEST(is_footer_offset(24, 100));
  BOOST_TEST(is_footer_offset(100, 100));
  BOOST_TEST(!is_footer_offset(101, 100));
}

BOOST_AUTO_TEST_CASE(lengths_of_frames_are_bounded_on_both_sides) {
  // Version 2: header and ENDF; version 3: header, hash, ENDF; objects also state the offset of their descriptor.
  BOOST_TEST(!is_frame_length(19, header_index_frame, 2, 100));
  BOOST_TEST(is_frame_length(20, header_index_frame, 2, 20));
  BOOST_TEST(!is_frame_length(27, header_index_frame, 3, 100));
  BOOST_TEST(is_frame_length(28, header_index_frame, 3, 28));
  BOOST_TEST(!is_frame_length(35, object_frame, 3, 100));
  BOOST_TEST(is_frame_length(36, object_frame, 3, 36));
  BOOST_TEST(!is_frame_length(37, object_frame, 3, 36));
  BOOST_TEST(!is_frame_length(huge, object_frame, 3, 36));
}

BOOST_AUTO_TEST_CASE(bodies_are_between_header_and_tail) {
  BOOST_TEST(body_end(100, header_index_frame, 2) == 96u);
  BOOST_TEST(body_end(100, object_frame, 2) == 88u);
  BOOST_TEST(body_end(100, header_index_frame, 3) == 88u);
  BOOST_TEST(body_end(100, object_frame, 3) == 80u);
  BOOST_TEST(body_size(100, object_frame, 3) == 64u);
  BOOST_TEST(body_size(20, header_index_frame, 2) == 0u);
}

BOOST_AUTO_TEST_CASE(frames_are_aligned_from_the_frame_before) {
  BOOST_TEST(next_frame(24, 40) == 64u);
  BOOST_TEST(next_frame(24, 41) == 72u);
  BOOST_TEST(next_frame(27, 41) == 75u);
}

BOOST_AUTO_TEST_CASE(descriptors_that_come_first_begin_the_body) {
  BOOST_TEST(is_descriptor_offset(16, 0, 80));
  BOOST_TEST(!is_descriptor_offset(17, 0, 80));
  BOOST_TEST(is_descriptor_offset(16, cbor_after_payload_flag, 80));
  BOOST_TEST(is_descriptor_offset(17, cbor_after_payload_flag, 80));
  BOOST_TEST(is_descriptor_offset(80, cbor_after_payload_flag, 80));
  BOOST_TEST(!is_descriptor_offset(81, cbor_after_payload_flag, 80));
  BOOST_TEST(!is_descriptor_offset(15, cbor_after_payload_flag, 80));
  BOOST_TEST(!is_descriptor_offset(15, 0, 80));
}

BOOST_AUTO_TEST_CASE(phases_do_not_go_back) {
  frame_order order;
  BOOST_TEST(!order.goes_back(phase::header));
  order.add(object_frame, phase::body);
  BOOST_TEST(order.goes_back(phase::header));
  BOOST_TEST(!order.goes_back(phase::body));
  BOOST_TEST(!order.goes_back(phase::unknown));
  order.add(77, phase::unknown);
  BOOST_TEST((order.reached() == phase::body));
  order.add(footer_index_frame, phase::footer);
  BOOST_TEST(order.goes_back(phase::body));
  order.add(object_frame, phase::body);  // a fault that is passed over
  BOOST_TEST((order.reached() == phase::footer));
}

BOOST_AUTO_TEST_CASE(an_object_follows_a_preceder) {
  frame_order order;
  BOOST_TEST(!order.lacks_object(footer_index_frame, 3));
  order.add(preceder_frame, phase::body);
  BOOST_TEST(order.is_after_preceder());
  BOOST_TEST(order.lacks_object(preceder_frame, 3));
  BOOST_TEST(order.lacks_object(footer_index_frame, 3));
  BOOST_TEST(order.lacks_object(old_object_frame, 3));
  BOOST_TEST(!order.lacks_object(old_object_frame, 2));
  BOOST_TEST(!order.lacks_object(object_frame, 3));
  order.add(object_frame, phase::body);
  BOOST_TEST(!order.is_after_preceder());
}

BOOST_AUTO_TEST_SUITE_END()
