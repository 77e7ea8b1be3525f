// SPDX-License-Identifier: Apache-2.0
// The places of the objects of a message, by index and by walk.
#include "archive/lookup/message_structure.hpp"

#include <support/samples.hpp>

#include "../archive_fixture.hpp"
#include "archive/lookup/index_lookup.hpp"

using namespace tgmap_test;
using inner::object_place;
using inner::object_sink;
using tgmap::errc;
using tgmap::failure;
using tgmap::object_lookup;

BOOST_AUTO_TEST_SUITE(find_objects_test)

namespace {

struct layout {
  failure why{};
  inner::message_structure structure{};
  std::vector<object_place> list{};
};

layout laid_out(const bytes& data, object_lookup lookup, tgmap::open_options options = {}) {
  options.lookup = lookup;
  const one_message in(data, options);
  layout out;
  tgmap::io::window window(in.state->bytes());
  object_sink counted;
  out.why = inner::find_objects(*in.state, window, in.message, out.structure, counted);
  for (std::uint64_t i = 0; !out.why && i < counted.count(); ++i) {
    inner::message_structure again;
    object_sink picks(i);
    TGMAP_SUCCEEDED(inner::find_objects(*in.state, window, in.message, again, picks));
    out.list.push_back(picks.found().value());
  }
  return out;
}

message_spec spec_of(unsigned objects, int version = 3, writing how = writing::buffered) {
  message_spec spec;
  spec.version = version;
  spec.writing = how;
  for (unsigned i = 0; i < objects; ++i) spec.objects.push_back(bytes_object(payload_of(i, 5 + 11 * i % 40)));
  return spec;
}

bool same(const object_place& a, const object_place& b) {
  return a.offset == b.offset && a.length == b.length && a.preceder == b.preceder;
}

/// Checks that index and walk agree with each other and with the builder.
void check(const message_spec& spec) {
  const auto built = build(spec);
  const layout by_index = laid_out(built.data, object_lookup::index),
               by_walk = laid_out(built.data, object_lookup::walk);
  for (const layout* found : {&by_index, &by_walk}) {
    TGMAP_SUCCEEDED(found->why);
    BOOST_REQUIRE(found->list.size() == built.objects.size());
    BOOST_TEST(found->structure.objects == built.objects.size());
    for (std::size_t i = 0; i < built.objects.size(); ++i) {
      BOOST_TEST(found->list[i].offset == built.objects[i]);
      BOOST_TEST(found->list[i].length == get_u64(built.data, built.objects[i] + 8));
      BOOST_TEST(same(found->list[i], by_walk.list[i]));
      BOOST_TEST((found->list[i].preceder != 0) == spec.objects[i].preceder.has_value());
    }
  }
  const auto noted = [](const std::optional<inner::frame_place>& frame) { return frame ? frame->offset : 0; };
  BOOST_TEST(noted(by_index.structure.header_metadata) == noted(by_walk.structure.header_metadata));
  BOOST_TEST(noted(by_index.structure.footer_metadata) == noted(by_walk.structure.footer_metadata));
  BOOST_TEST(noted(by_index.structure.metadata()) == noted(by_walk.structure.metadata()));
}

void fails(const message_spec& spec, errc by_index, bool walk_fails = false) {
  const bytes data = message(spec);
  TGMAP_FAILED(laid_out(data, object_lookup::index).why, by_index);
  BOOST_TEST(static_cast<bool>(laid_out(data, object_lookup::walk).why) == walk_fails);
}

}  // namespace

BOOST_AUTO_TEST_CASE(index_and_walk_agree_on_all_layouts) {
  for (const int version : {2, 3})
    for (const unsigned objects : {0u, 1u, 2u, 16u, 17u, 60u})
      for (const auto how : {writing::buffered, writing::streamed, writing::backfilled}) {
        if (version == 2 && how == writing::backfilled) continue;
        for (const auto index : {where::none, where::header, where::footer, where::both}) {
          message_spec spec = spec_of(objects, version, how);
          spec.index = index;
          check(spec);
        }
      }
}

BOOST_AUTO_TEST_CASE(index_and_walk_agree_on_preceders_and_unknown_frames) {
  for (const int version : {2, 3}) {
    message_spec spec = spec_of(6, version);
    for (const unsigned i : {0u, 3u, 5u}) spec.objects[i].preceder = cbor::map({cbor::key("i", cbor::integer(i))});
    check(spec);
    spec.frames_before[1] = {{.type = 77, .body = "future"}, {.type = 78}};
    spec.frames_before[3] = {{.type = 79, .body = "before a preceder"}};
    spec.frames_before[6] = {{.type = 80, .body = "behind the last"}};
    check(spec);
    spec.writing = writing::streamed;
    check(spec);
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_index_is_reported) {
  const auto lying = [](void (*lie)(index_spec&)) {
    message_spec spec = spec_of(3);
    spec.lie = lie;
    return spec;
  };
  fails(lying([](index_spec& s) { s.offsets.erase(s.offsets.begin()), s.lengths.erase(s.lengths.begin()); }),
        errc::index_incomplete);
  fails(lying([](index_spec& s) { s.offsets.erase(s.offsets.begin() + 1), s.lengths.erase(s.lengths.begin() + 1); }),
        errc::index_incomplete);
  fails(lying([](index_spec& s) { s.offsets.pop_back(), s.lengths.pop_back(); }), errc::index_incomplete);
  fails(lying([](index_spec& s) { std::swap(s.offsets[0], s.offsets[1]); }), errc::index_incomplete);
  fails(lying([](index_spec& s) { s.offsets[0] = 0; }), errc::bad_index_offset);
  fails(lying([](index_spec& s) { s.offsets[2] = UINT64_MAX; }), errc::bad_index_offset);
  fails(lying([](index_spec& s) { s.offsets[1] = s.offsets[0]; }), errc::bad_index_offset);
  fails(lying([](index_spec& s) { s.lengths[0] = UINT64_MAX; }), errc::bad_index_offset);
  fails(lying([](index_spec& s) { s.lengths.pop_back(); }), errc::index_count_mismatch);
  fails(lying([](index_spec& s) { s.count = 4; }), errc::index_count_mismatch);
}

BOOST_AUTO_TEST_CASE(frames_out_of_order_are_refused_both_ways) {
  message_spec spec = spec_of(2);
  spec.frames_before[1] = {{.type = 1, .body = "\xa0"}};
  fails(spec, errc::frame_out_of_order, true);
  spec.frames_before[1] = {{.type = 7, .body = "\xa0"}};
  fails(spec, errc::frame_out_of_order, true);
  message_spec lone = spec_of(2);
  lone.frames_before[2] = {{.type = 8, .body = "\xa0"}};
  fails(lone, errc::orphan_preceder, true);
  message_spec twice = spec_of(2);
  twice.frames_before[1] = {{.type = 8, .body = "\xa0"}, {.type = 8, .body = "\xa0"}};
  fails(twice, errc::orphan_preceder, true);
}

BOOST_AUTO_TEST_CASE(a_sink_counts_and_stores_objects) {
  for (const std::uint64_t objects : {1u, 5u, 16u, 17u, 18u, 100u})
    for (const std::uint64_t wanted : {std::uint64_t{0}, objects - 1, objects, object_sink::none}) {
      object_sink sink(wanted);
      for (unsigned round = 0; round < 2; ++round) {
        for (std::uint64_t i = 0; i < objects; ++i) sink.add({.offset = 100 + i, .length = i, .preceder = 0});
        BOOST_TEST(sink.count() == objects);
        BOOST_REQUIRE(sink.found().has_value() == (wanted < objects));
        if (sink.found()) BOOST_TEST(sink.found()->offset == 100 + wanted);
        const auto all = sink.take_record(objects < inner::min_cached_objects);
        BOOST_REQUIRE((all != nullptr && all->objects.size() == objects));
        for (std::size_t i = 0; i < objects; ++i) BOOST_REQUIRE(all->place(i).offset == 100 + i);
        sink.restart();
        for (std::uint64_t i = 0; i < objects; ++i) sink.add({.offset = 100 + i, .length = i, .preceder = 0});
        const auto kept = sink.take_record(false);
        BOOST_REQUIRE((kept == nullptr) == (objects < inner::min_cached_objects));
        for (std::size_t i = 0; kept && i < objects; ++i) BOOST_REQUIRE(kept->place(i).offset == 100 + i);
        sink.restart();
        BOOST_TEST(sink.count() == 0u);
        BOOST_TEST(!sink.found());
        BOOST_TEST((sink.take_record(false) == nullptr));
      }
    }
}

BOOST_AUTO_TEST_CASE(a_sink_keeps_preceders_and_values_that_fit) {
  for (const std::uint64_t with : {0u, 3u, 15u, 16u, 39u}) {
    object_sink sink;
    for (std::uint64_t i = 0; i < 40; ++i) sink.add({.offset = 100 + i, .length = i, .preceder = i == with ? 77u : 0u});
    const auto kept = sink.take_record(false);
    BOOST_REQUIRE((kept != nullptr));
    for (std::uint64_t i = 0; i < 40; ++i) BOOST_TEST(kept->place(i).preceder == (i == with ? 77u : 0u));
    sink.restart();
    for (std::uint64_t i = 0; i < 40; ++i)
      sink.add({.offset = 100 + i, .length = i == with ? std::uint64_t{1} << 40 : 5, .preceder = 0});
    BOOST_TEST((sink.take_record(true) == nullptr));
    BOOST_TEST(sink.count() == 40u);
  }
}

BOOST_AUTO_TEST_CASE(the_number_of_objects_is_limited_both_ways) {
  const bytes data = message(spec_of(5));
  for (const auto lookup : {object_lookup::index, object_lookup::walk}) {
    TGMAP_SUCCEEDED(laid_out(data, lookup, {.max_objects = 5}).why);
    TGMAP_FAILED(laid_out(data, lookup, {.max_objects = 4}).why, errc::object_limit);
    TGMAP_FAILED(laid_out(data, lookup, {.max_objects = 0}).why, errc::object_limit);
  }
  TGMAP_FAILED(laid_out(data, object_lookup::index, {.max_metadata_bytes = 10}).why, errc::metadata_limit);
  TGMAP_SUCCEEDED(laid_out(data, object_lookup::walk, {.max_metadata_bytes = 10}).why);
}

BOOST_AUTO_TEST_CASE(version_1_has_no_objects_to_find) {
  TGMAP_FAILED(laid_out(version_1_message({"p"}), object_lookup::index).why, errc::version_1);
}

BOOST_AUTO_TEST_CASE(the_last_of_repeated_frames_is_recorded) {
  inner::message_structure structure;
  for (const std::uint64_t at : {100u, 200u})
    for (std::uint16_t type = 0; type < 12; ++type)
      structure.add_frame({.offset = at + type, .header = {.type = type}});
  BOOST_TEST(structure.header_metadata->offset == 201u);
  BOOST_TEST(structure.header_index->offset == 202u);
  BOOST_TEST(structure.header_hashes->offset == 203u);
  BOOST_TEST(structure.footer_hashes->offset == 205u);
  BOOST_TEST(structure.footer_index->offset == 206u);
  BOOST_TEST(structure.footer_metadata->offset == 207u);
  BOOST_TEST(structure.metadata()->offset == 207u);
  BOOST_TEST(structure.hashes()->offset == 205u);
}

BOOST_AUTO_TEST_CASE(failures_without_a_location_get_one) {
  const tgmap::message_position message({.offset = 64, .index = 3});
  BOOST_TEST(!inner::with_location({}, message, 1));
  const failure bare = inner::with_location({.code = errc::bad_index}, message, 1);
  BOOST_TEST(bare.message == 3);
  BOOST_TEST(bare.object == 1);
  BOOST_TEST(bare.offset == 64u);
  const failure known =
      inner::with_location({.code = errc::bad_index, .offset = 99, .message = 7, .object = 8}, message, 1);
  BOOST_TEST(known.message == 7);
  BOOST_TEST(known.object == 8);
  BOOST_TEST(known.offset == 99u);
}

BOOST_AUTO_TEST_SUITE_END()
