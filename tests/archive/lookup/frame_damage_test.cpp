// SPDX-License-Identifier: Apache-2.0
// Damage inside a message of known length: each kind has its error and offset.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(frame_damage_test)

namespace {

message_spec plain(int version) {
  message_spec spec = numbered_spec(1, version);
  spec.objects.push_back(bytes_object("second object"));
  return spec;
}

/// Returns the failure of a walk over the frames, and checks that size() with object_lookup::walk returns the same.
tgmap::failure walk_failure(const bytes& data) {
  tgmap::failure met;
  in_every_mode(data, [&](const tgmap::archive& archive) {
    const auto m = archive[0];
    tgmap::failure why;
    tgmap::frame frame;
    auto range = m.frames(why);
    TGMAP_SUCCEEDED(why);
    while (range.next(frame, why)) {
    }
    met = why;
    BOOST_TEST(why.offset < archive.size_bytes());
    BOOST_TEST(!range.next(frame, why));
    if (archive.options().lookup == tgmap::object_lookup::walk) {
      (void)m.size(why);
      BOOST_TEST(why.code == met.code);
      BOOST_TEST(why.message == 0);
    }
  });
  return met;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_frame_too_short_for_its_type) {
  for (const int version : {2, 3}) {
    auto built = build(plain(version));
    const auto at = built.objects[0];
    const std::uint64_t min_length = version == 2 ? 28 : 36;
    put_u64(built.data, at + 8, min_length - 1);
    const auto why = walk_failure(built.data);
    TGMAP_FAILED(why, errc::frame_too_short);
    BOOST_TEST(why.expected == min_length);
    BOOST_TEST(why.found == min_length - 1);
    BOOST_TEST(why.offset >= at);
    BOOST_TEST(why.offset < at + 16);
  }
}

BOOST_AUTO_TEST_CASE(a_frame_longer_than_its_message) {
  for (const int version : {2, 3})
    for (const std::uint64_t length : {std::uint64_t{100000}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
      auto built = build(plain(version));
      put_u64(built.data, built.objects[1] + 8, length);
      const auto why = walk_failure(built.data);
      TGMAP_FAILED(why, errc::frame_exceeds_message);
      BOOST_TEST(why.expected == length);
    }
}

BOOST_AUTO_TEST_CASE(a_frame_without_its_end) {
  for (const int version : {2, 3}) {
    auto built = build(plain(version));
    const auto& last = built.frames.back();
    built.data[last.offset + last.length - 1] = 'x';
    TGMAP_FAILED(walk_failure(built.data), errc::missing_frame_end);
  }
}

BOOST_AUTO_TEST_CASE(frames_that_go_backwards) {
  for (const int version : {2, 3}) {
    message_spec spec = plain(version);
    for (const std::uint16_t type : {std::uint16_t{1}, std::uint16_t{7}}) {  // header or footer between two objects
      spec.frames_before[1] = {{.type = type, .body = cbor::map({})}};
      const bytes data = message(spec);
      const auto archive = open(data, {.lookup = tgmap::object_lookup::walk});
      TGMAP_THROWS(archive[0].size(), errc::frame_out_of_order);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_preceder_that_no_object_follows) {
  const bytes entry = cbor::map({cbor::key("base", cbor::array({cbor::map({})}))});
  for (const int version : {2, 3})
    for (const std::size_t before : {0u, 2u}) {
      message_spec spec = plain(version);
      spec.index = where::none;
      spec.frames_before[before] = {{.type = 8, .body = entry}};
      if (before == 0) spec.frames_before[before].push_back({.type = 8, .body = entry});
      const bytes data = message(spec);
      const auto archive = open(data, {.lookup = tgmap::object_lookup::walk});
      TGMAP_THROWS(archive[0].size(), errc::orphan_preceder);
    }
}

BOOST_AUTO_TEST_CASE(a_message_without_metadata) {
  for (const int version : {2, 3}) {
    message_spec spec = plain(version);
    spec.metadata = where::none;
    in_every_mode(message(spec), [](const tgmap::archive& archive) {
      tgmap::failure why;
      (void)archive[0].metadata(why);
      TGMAP_FAILED(why, errc::no_metadata);
      (void)archive[0].provenance(why);
      TGMAP_FAILED(why, errc::no_metadata);
      (void)archive[0].base(0, why);
      TGMAP_FAILED(why, errc::no_metadata);
      BOOST_TEST(archive[0].size() == 2u);
      BOOST_TEST(view_of(archive[0][1].payload()) == "second object");
    });
  }
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_frame) {
  for (const int version : {2, 3}) {
    auto built = build(plain(version));
    built.data[built.objects[1]] = 'x';
    const auto walking = open(built.data, {.lookup = tgmap::object_lookup::walk});
    tgmap::failure why;
    // A frame that is not recognised is padding that no frame follows, or a missing object: never silence.
    const std::size_t found = walking[0].size(why);
    BOOST_TEST((why || found == 1u));
    const auto indexed = open(built.data);
    (void)indexed[0].at(1, why);
    TGMAP_FAILED(why, errc::not_a_frame);
    BOOST_TEST(why.object == 1);
  }
}

BOOST_AUTO_TEST_CASE(a_descriptor_offset_outside_its_frame) {
  for (const int version : {2, 3})
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{15}, std::uint64_t{5000}, ~std::uint64_t{0}}) {
      auto built = build(plain(version));
      const auto at = built.objects[0], length = get_u64(built.data, at + 8);
      put_u64(built.data, at + length - (version == 2 ? 12 : 20), offset);
      in_every_mode(built.data, [&](const tgmap::archive& archive) {
        tgmap::failure why;
        (void)archive[0].at(0, why);
        TGMAP_FAILED(why, errc::bad_descriptor_offset);
        BOOST_TEST(why.found == offset);
        BOOST_TEST(why.object == 0);
        BOOST_TEST(view_of(archive[0][1].payload()) == "second object");
      });
    }
}

BOOST_AUTO_TEST_SUITE_END()
