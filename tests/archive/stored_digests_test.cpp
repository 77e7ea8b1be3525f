// SPDX-License-Identifier: Apache-2.0
// Stored hashes, right or wrong.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(stored_digests_test)

namespace {

message_spec two_objects(int version) {
  message_spec spec;
  spec.version = version;
  spec.objects = {bytes_object("one"), bytes_object("zwei")};
  return spec;
}

/// Makes a version 2 object whose descriptor has this value under `hash`.
bytes stating(const bytes& hash) {
  message_spec spec = two_objects(2);
  bytes descriptor = descriptor_of(spec.objects[0], 3);  // without a hash
  descriptor[0] = static_cast<char>(descriptor[0] + 1);  // one pair more
  spec.objects[0].descriptor = descriptor + cbor::text("hash") + hash;
  return message(spec);
}

bytes digest(std::string_view type, const bytes& value) {
  return cbor::map({cbor::key("type", cbor::text(type)), cbor::key("value", value)});
}

}  // namespace

BOOST_AUTO_TEST_CASE(version_3_stores_the_hash_in_the_frame) {
  const bytes data = message(two_objects(3));
  const auto archive = open(data);
  for (std::size_t j = 0; j < 2; ++j) {
    const auto object = archive[0][j];
    BOOST_TEST((object.stored_hash() == xxh3(view_of(object.frame().body()))));
    BOOST_TEST((object.stored_hash() == object.frame().stored_hash()));
  }
}

BOOST_AUTO_TEST_CASE(version_2_stores_the_hash_in_the_descriptor) {
  const bytes data = message(two_objects(2));
  const auto archive = open(data);
  BOOST_TEST((archive[0][0].stored_hash() == xxh3("one")));
  BOOST_TEST((archive[0][1].stored_hash() == xxh3("zwei")));
}

BOOST_AUTO_TEST_CASE(an_object_without_a_hash) {
  for (const int version : {2, 3}) {
    message_spec spec = two_objects(version);
    spec.hashes = false;
    const bytes data = message(spec);
    const auto archive = open(data);
    const auto object = archive[0][0];
    BOOST_TEST(!object.stored_hash());
    BOOST_TEST(object.verify() == tgmap::hash_result::absent);
  }
  BOOST_TEST(!tgmap::object().stored_hash());
  BOOST_TEST(!tgmap::frame().stored_hash());
}

BOOST_AUTO_TEST_CASE(an_unreadable_hash_is_unsupported) {
  const bytes right = cbor::text(xxh3_hex("one"));
  for (const bytes& hash :
       {digest("md5", right), digest("xxh3", cbor::text("0123")), digest("xxh3", cbor::integer(1)),
        digest("xxh3", cbor::text("0123456789abcdeg")), digest("xxh3", cbor::text("x123456789abcdef")),
        cbor::map({cbor::key("type", cbor::text("xxh3"))}), cbor::map({cbor::key("value", right)}), cbor::integer(5)}) {
    const bytes data = stating(hash);
    const auto archive = open(data);
    const auto object = archive[0][0];
    BOOST_TEST(!object.stored_hash());
    BOOST_TEST(object.verify() == tgmap::hash_result::unsupported);
  }
  const bytes sound = stating(digest("xxh3", right)), wrong = stating(digest("xxh3", cbor::text("0123456789abcdef")));
  const auto matches = open(sound), differs = open(wrong);
  BOOST_TEST((matches[0][0].stored_hash() == xxh3("one")));
  BOOST_TEST(matches[0][0].verify() == tgmap::hash_result::match);
  BOOST_TEST((differs[0][0].stored_hash() == 0x0123456789abcdefu));
  BOOST_TEST(differs[0][0].verify() == tgmap::hash_result::mismatch);
  const bytes nothing = stating(cbor::null());
  const auto null = open(nothing);
  BOOST_TEST(null[0][0].verify() == tgmap::hash_result::absent);
}

BOOST_AUTO_TEST_CASE(frames_of_version_2_and_of_unknown_types_have_no_hash) {
  message_spec old = two_objects(2);
  old.flags = 0xff;  // with the flag that announces hashes in version 3
  old.header_frames = {{.type = 12, .body = "0123456789", .flags = 2}};
  message_spec spec = two_objects(3);
  spec.header_frames = {{.type = 12, .body = "0123456789", .flags = 2}};
  for (const bytes& data : {message(old), message(spec)}) {
    const auto archive = open(data);
    auto frames = archive[0].frames();
    for (const auto& frame : frames) {
      if (frame.is_known() && archive[0].version() == 3) continue;
      BOOST_TEST(!frame.stored_hash());
      BOOST_TEST(frame.verify() == tgmap::hash_result::absent);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_hash_list_is_returned_as_written) {
  for (const auto how : {writing::buffered, writing::streamed})
    for (const int version : {2, 3}) {
      message_spec spec = two_objects(version);
      spec.writing = how;
      const bytes data = message(spec);
      const auto archive = open(data);
      const auto list = archive[0].hash_list();
      BOOST_REQUIRE(list.has_value());
      BOOST_TEST(list->find("hashes")->size() == 2u);
      BOOST_TEST(list->find(version == 2 ? "hash_type" : "algorithm")->text() == "xxh3");
    }
}

BOOST_AUTO_TEST_CASE(a_message_without_a_hash_list) {
  message_spec spec = two_objects(3);
  spec.hash_frames = false;
  const bytes data = message(spec);
  const auto archive = open(data);
  BOOST_TEST(!archive[0].hash_list());
  TGMAP_THROWS(tgmap::message().hash_list(), tgmap::errc::no_archive);

  spec.header_frames = {{.type = 3, .body = cbor::array({})}};  // not a map
  const bytes broken = message(spec);
  const auto other = open(broken);
  TGMAP_THROWS(other[0].hash_list(), tgmap::errc::bad_cbor);
}

BOOST_AUTO_TEST_SUITE_END()
