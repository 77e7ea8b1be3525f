// SPDX-License-Identifier: Apache-2.0
// Frames in file order, including unusual ones.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(frames_test)

BOOST_AUTO_TEST_CASE(frames_are_listed_as_they_were_written) {
  for (const int version : {2, 3})
    for (const auto how : {writing::buffered, writing::streamed}) {
      message_spec spec = numbered_spec(1, version);
      spec.objects[0].preceder = cbor::map({});
      spec.objects.push_back(bytes_object("second"));
      spec.writing = how;
      const auto built = build(spec);
      in_every_mode(built.data, [&](const tgmap::archive& archive) {
        std::size_t i = 0;
        for (auto range = archive[0].frames(); const auto& frame : range) {
          BOOST_TEST_REQUIRE(i < built.frames.size());
          const auto& place = built.frames[i++];
          BOOST_TEST(static_cast<unsigned>(frame.type()) == place.type);
          BOOST_TEST(frame.offset() == place.offset);
          BOOST_TEST(frame.length() == place.length);
          const std::size_t tail = (place.type == 4 || place.type == 9 ? 12u : 4u) + (version == 3 ? 8u : 0u);
          BOOST_TEST(view_of(frame.body()) ==
                     std::string_view(built.data).substr(place.offset + 16, place.length - 16 - tail));
          BOOST_TEST(frame.body_offset() == place.offset + 16);
          BOOST_TEST(frame.body_size() == place.length - 16 - tail);
          BOOST_TEST(frame.is_object() == (place.type == 4 || place.type == 9));
          BOOST_TEST(frame.stored_hash().has_value() == (version == 3));
          if (version == 3) BOOST_TEST(*frame.stored_hash() == xxh3(view_of(frame.body())));
          BOOST_TEST(frame.verify() == (version == 3 ? tgmap::hash_result::match : tgmap::hash_result::absent));
        }
        BOOST_TEST(i == built.frames.size());
      });
    }
}

BOOST_AUTO_TEST_CASE(types_of_frames_have_names) {
  const std::string_view names[] = {"unknown",           "header metadata", "header index", "header hashes",
                                    "data object (old)", "footer hashes",   "footer index", "footer metadata",
                                    "preceder metadata", "data object",     "unknown"};
  for (unsigned type = 0; type < std::size(names); ++type)
    BOOST_TEST(to_string_view(static_cast<tgmap::frame_type>(type)) == names[type]);
}

BOOST_AUTO_TEST_CASE(unknown_frames_are_skipped_and_listed) {
  for (const int version : {2, 3}) {
    message_spec spec = numbered_spec(1, version);
    spec.objects.push_back(bytes_object("second"));
    spec.header_frames = {{.type = 77, .body = "future header"}};
    spec.frames_before[0] = {{.type = 10, .body = "future"}};
    spec.frames_before[1] = {{.type = 0xffff, .body = ""}, {.type = 0, .body = "FRFRFR"}};
    spec.frames_before[2] = {{.type = 1000, .body = bytes(100, 'x')}};
    spec.footer_frames = {{.type = 78, .body = "future footer"}};
    for (const auto place : {where::none, where::header, where::footer}) {
      spec.index = place;
      in_every_mode(message(spec), [&](const tgmap::archive& archive) {
        const auto m = archive[0];
        BOOST_TEST(m.size() == 2u);
        BOOST_TEST(sound(m));
        BOOST_TEST(view_of(m[1].payload()) == "second");
        std::size_t unknown = 0;
        for (auto range = m.frames(); const auto& frame : range) {
          if (frame.is_known()) continue;
          ++unknown;
          BOOST_TEST(to_string_view(frame.type()) == "unknown");
        }
        BOOST_TEST(unknown == 6u);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(the_old_object_type_is_unknown_in_version_3) {
  message_spec spec = numbered_spec(1);
  spec.frames_before[0] = {{.type = 4, .body = "not an object here"}};
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    BOOST_TEST(archive[0].size() == 1u);
    BOOST_TEST(sound(archive[0]));
    bool seen = false;
    for (auto range = archive[0].frames(); const auto& frame : range)
      if (frame.type() == tgmap::frame_type::object_v2) {
        seen = true;
        BOOST_TEST(!frame.is_known());
      }
    BOOST_TEST(seen);
  });
}

BOOST_AUTO_TEST_CASE(both_object_types_are_objects_in_version_2) {
  message_spec spec = numbered_spec(1, 2);
  spec.objects.push_back(bytes_object("new type"));
  spec.objects.back().type = 9;
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    BOOST_TEST(archive[0].size() == 2u);
    BOOST_TEST(view_of(archive[0][1].payload()) == "new type");
    BOOST_TEST(archive[0][1].frame().type() == tgmap::frame_type::object);
  });
}

BOOST_AUTO_TEST_CASE(junk_between_frames_is_skipped) {
  for (const int version : {2, 3}) {
    message_spec spec = numbered_spec(1, version);
    spec.objects.push_back(bytes_object("second"));
    spec.junk_before[0] = "junk";
    spec.junk_before[1] = "F R E N D F 39277777";
    spec.index = where::none;
    in_every_mode(message(spec), [](const tgmap::archive& archive) {
      BOOST_TEST(archive[0].size() == 2u);
      BOOST_TEST(sound(archive[0]));
      BOOST_TEST(view_of(archive[0][1].payload()) == "second");
    });
  }
}

BOOST_AUTO_TEST_CASE(version_and_flags_of_frames_are_unchanged) {
  message_spec spec = numbered_spec(1);
  spec.frames_before[0] = {{.type = 99, .body = "x", .flags = 0xf0f0, .version = 513}};
  const bytes data = message(spec);
  const auto archive = open(data);
  bool seen = false;
  for (auto range = archive[0].frames(); const auto& frame : range)
    if (static_cast<unsigned>(frame.type()) == 99) {
      seen = true;
      BOOST_TEST(frame.frame_version() == 513u);
      BOOST_TEST(frame.flags() == 0xf0f2u);
    }
  BOOST_TEST(seen);
}

BOOST_AUTO_TEST_CASE(the_last_metadata_frame_wins) {
  message_spec spec = numbered_spec(1);
  spec.header_frames = {
      {.type = 1, .body = cbor::map({cbor::key("_extra_", cbor::map({cbor::key("which", cbor::integer(2))}))})}};
  const bytes data = message(spec);
  const auto archive = open(data);
  BOOST_TEST((archive[0].metadata().get<std::int64_t>("which") == 2));
}

BOOST_AUTO_TEST_SUITE_END()
