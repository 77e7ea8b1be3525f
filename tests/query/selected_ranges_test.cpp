// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(selected_ranges)

namespace {

std::string found(const tgmap::archive& in, std::string_view wanted) {
  std::string out;
  for (const tgmap::selected_message& each : in.find(tgmap::selection(wanted))) {
    BOOST_TEST((each.message.index() == each.index));
    out += (out.empty() ? "" : " ") + std::to_string(each.index);
  }
  return out;
}

std::string found_objects(const tgmap::archive& in, const tgmap::selection& wanted) {
  std::string out;
  for (const tgmap::selected_object& each : in.objects(wanted)) {
    BOOST_TEST((each.message.index() == each.message_index));
    BOOST_TEST(each.object.index() == each.index);
    out += (out.empty() ? "" : " ") + std::to_string(each.message_index) + ":" + std::to_string(each.index);
  }
  return out;
}

std::string found_objects(const tgmap::archive& in, std::string_view wanted) {
  return found_objects(in, tgmap::selection(wanted));
}

/// Returns a message whose metadata is no map, so that its keys cannot be read.
bytes without_keys() { return message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::integer(7)}); }

}  // namespace

BOOST_AUTO_TEST_CASE(messages_that_match_are_found_in_order) {
  const bytes data = six_messages();
  const auto archive = open(data);
  BOOST_TEST(found(archive, "mars.param=2t") == "0 2 4");
  BOOST_TEST(found(archive, "mars.param=10u and mars.step=6..12") == "3 5");
  BOOST_TEST(found(archive, "mars.param=none") == "");
  std::size_t all = 0;
  for (const auto& each : archive.find(tgmap::selection())) all += each.index;
  BOOST_TEST(all == 15u);
}

BOOST_AUTO_TEST_CASE(objects_that_match_are_found_in_order) {
  const bytes data = two_named_objects() + six_messages() + version_1_message({payload_of(1)}) + two_named_objects();
  const auto archive = open(data);
  BOOST_TEST(found_objects(archive, "name=b") == "0:1 8:1");
  BOOST_TEST(found_objects(archive, "name=a/10u") == "0:0 2:0 4:0 6:0 8:0");
  BOOST_TEST(found_objects(archive, tgmap::selection()) == "0:0 0:1 1:0 2:0 3:0 4:0 5:0 6:0 8:0 8:1");
}

BOOST_AUTO_TEST_CASE(scan_is_lazy) {
  bytes data;
  for (int i = 0; i < 500; ++i) data += six_messages();
  const auto archive = open(data);
  auto range = archive.find(tgmap::selection("mars.param=2t"));
  BOOST_TEST(archive.scan_progress().messages == 0u);
  tgmap::selected_message one;
  tgmap::failure why;
  BOOST_TEST(range.next(one, why));
  BOOST_TEST(one.index == 0u);
  BOOST_TEST(range.next(one, why));
  BOOST_TEST(one.index == 2u);
  BOOST_TEST(archive.scan_progress().messages < 1000u);
}

BOOST_AUTO_TEST_CASE(unreadable_message_does_not_end_a_range) {
  const bytes data = two_named_objects() + without_keys() + two_named_objects();
  const auto archive = open(data);
  auto messages = archive.find(tgmap::selection("title=two"));
  tgmap::selected_message one;
  tgmap::failure why;
  BOOST_TEST(messages.next(one, why));
  BOOST_TEST(!messages.next(one, why));
  BOOST_TEST(static_cast<bool>(why));
  BOOST_TEST(why.message == 1u);
  BOOST_TEST(messages.next(one, why));
  BOOST_TEST(!why);
  BOOST_TEST(one.index == 2u);
  BOOST_TEST(!messages.next(one, why));
  BOOST_TEST(!why);
  BOOST_CHECK_THROW(found(archive, "title=two"), tgmap::error);

  auto objects = archive.objects(tgmap::selection("name=b"));
  tgmap::selected_object at;
  BOOST_TEST(objects.next(at, why));
  BOOST_TEST(!objects.next(at, why));
  BOOST_TEST(static_cast<bool>(why));
  BOOST_TEST(objects.next(at, why));
  BOOST_TEST(at.message_index == 2u);
  BOOST_TEST(!objects.next(at, why));
  BOOST_TEST(!why);
}

BOOST_AUTO_TEST_CASE(gap_is_reported_by_every_call) {
  const bytes data = two_named_objects() + bytes(100, '#') + two_named_objects();
  const auto archive = open(data);
  auto range = archive.objects(tgmap::selection());
  tgmap::selected_object one;
  tgmap::failure why;
  BOOST_TEST(range.next(one, why));
  BOOST_TEST(range.next(one, why));
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(!range.next(one, why));
    TGMAP_FAILED(why, errc::damaged);
  }
}

BOOST_AUTO_TEST_CASE(without_an_archive_nothing_is_found) {
  tgmap::selected_message one;
  tgmap::selected_object other;
  tgmap::failure why;
  BOOST_TEST(!tgmap::selected_messages().next(one, why));
  TGMAP_FAILED(why, errc::no_archive);
  BOOST_TEST(!tgmap::selected_objects().next(other, why));
  TGMAP_FAILED(why, errc::no_archive);
}

BOOST_AUTO_TEST_SUITE_END()
