// SPDX-License-Identifier: Apache-2.0
// The places of objects are cached for messages with many objects, or with many frames around few objects.
#include <support/samples.hpp>

#include "../archive_fixture.hpp"
#include "archive/lookup/find_objects.hpp"

using namespace tgmap_test;
using inner::object_place;
using tgmap::failure;
using tgmap::object_lookup;

BOOST_AUTO_TEST_SUITE(message_record_test)

namespace {

message_spec spec_of(unsigned objects) {
  message_spec spec;
  for (unsigned i = 0; i < objects; ++i) spec.objects.push_back(bytes_object(payload_of(i, 5 + 11 * i % 40)));
  return spec;
}

bool same(const object_place& a, const object_place& b) {
  return a.offset == b.offset && a.length == b.length && a.preceder == b.preceder;
}

failure find(const one_message& in, std::uint64_t i, inner::message_structure& structure,
             std::optional<object_place>& place) {
  tgmap::io::window window(in.state->bytes());
  return inner::find_object(*in.state, window, in.message, i, structure, place);
}

bool is_kept(const one_message& in) {
  const auto* const record = in.state->objects().find(in.message);
  return record != nullptr && record->structure != nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(places_of_few_objects_among_many_frames_are_kept) {
  for (const auto lookup : {object_lookup::index, object_lookup::walk})
    for (const std::size_t frames : {inner::min_cached_frames - 8, inner::min_cached_frames}) {
      message_spec spec = spec_of(2);
      spec.frames_before[1].assign(frames, {.type = 77});
      const one_message in(message(spec), {.lookup = lookup});
      for (unsigned round = 0; round < 2; ++round)
        for (std::uint64_t i = 0; i < 3; ++i) {
          inner::message_structure structure;
          std::optional<object_place> place;
          TGMAP_SUCCEEDED(find(in, i, structure, place));
          BOOST_TEST(structure.objects == 2u);
          BOOST_REQUIRE(place.has_value() == (i < 2));
          if (place) BOOST_TEST(place->length == get_u64(in.data, place->offset + 8));
        }
      BOOST_TEST(is_kept(in) == (frames >= inner::min_cached_frames));
    }
}

BOOST_AUTO_TEST_CASE(places_of_messages_with_many_objects_are_kept) {
  for (const unsigned objects : {1u, 16u, 17u, 18u, 200u}) {
    const one_message in(message(spec_of(objects)));
    std::vector<object_place> first(objects);
    for (unsigned round = 0; round < 2; ++round)
      for (unsigned i = 0; i < objects; ++i) {
        inner::message_structure structure;
        std::optional<object_place> place;
        TGMAP_SUCCEEDED(find(in, i, structure, place));
        BOOST_REQUIRE(place.has_value());
        BOOST_REQUIRE(structure.objects == objects);
        BOOST_REQUIRE(structure.header_metadata.has_value());
        if (round == 0) first[i] = *place;
        BOOST_REQUIRE(same(first[i], *place));
      }
    BOOST_TEST(is_kept(in) == (objects >= inner::min_cached_objects));
    inner::message_structure structure;
    std::optional<object_place> place;
    TGMAP_SUCCEEDED(find(in, objects, structure, place));
    BOOST_TEST(!place);
  }
}

BOOST_AUTO_TEST_SUITE_END()
