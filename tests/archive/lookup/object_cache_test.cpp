// SPDX-License-Identifier: Apache-2.0
// The parts of objects are returned from the cache unchanged, or not at all.
#include "archive/lookup/object_cache.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <thread>
#include <vector>

#include "archive/lookup/find_objects.hpp"
#include "archive/scan/message_table.hpp"

using tgmap::message_position;
using tgmap::detail::element_layout;
using tgmap::detail::message_record;
using tgmap::detail::message_table;
using tgmap::detail::object_cache;
using tgmap::detail::object_parts;
using tgmap::detail::object_sink;
using tgmap::detail::segments;

BOOST_AUTO_TEST_SUITE(object_cache_test)

namespace {

constexpr std::uint64_t large = std::uint64_t{1} << 40;

message_position message_of(std::size_t i) { return message_table::entry::of(i * 4096, 4096, 3, false).position(i); }
message_position unnumbered(std::uint64_t at) {
  return message_table::entry::of(at, 4096, 3, false).position(std::nullopt);
}

object_parts plain(std::uint64_t at, std::uint64_t length, std::uint64_t descriptor, unsigned version = 3) {
  const std::uint64_t tail = version == 2 ? 12 : 20;
  return {.offset = at,
          .length = length,
          .descriptor_offset = descriptor,
          .descriptor_length = length - tail - descriptor,
          .region_offset = 16,
          .region_length = descriptor - 16,
          .payload_length = descriptor - 16,
          .type = static_cast<std::uint16_t>(version == 2 ? 4 : 9),
          .version = 1,
          .flags = 3};
}

/// Makes the parts of an object with the descriptor before payload and masks.
object_parts descriptor_first(std::uint64_t at, std::uint64_t length, std::uint64_t descriptor, std::uint64_t masks) {
  const std::uint64_t region = length - 20 - 16 - descriptor;
  return {.offset = at,
          .length = length,
          .descriptor_offset = 16,
          .descriptor_length = descriptor,
          .region_offset = 16 + descriptor,
          .region_length = region,
          .payload_length = region - masks,
          .type = 9,
          .version = 1,
          .flags = 2};
}

/// Checks that the parts of object `j` of `count` are returned unchanged.
bool remembers(const message_position& message, std::uint64_t j, std::uint64_t count, const object_parts& facts) {
  object_cache memory(large);
  object_parts out;
  BOOST_TEST(!memory.find(message, j, out));
  memory.add(message, j, count, facts);
  if (!memory.find(message, j, out)) return false;
  BOOST_TEST((out == facts));
  for (std::uint64_t other = 0; other < count + 2; ++other)
    BOOST_TEST(memory.find(message, other, out) == (other == j));
  BOOST_TEST(!memory.find(message_of(6), j, out));
  BOOST_TEST(!memory.find(message_of(1 << 20), j, out));
  BOOST_TEST(!memory.find(unnumbered(77), j, out));
  return true;
}

element_layout layout_of(std::uint64_t extent) {
  element_layout out{.type = tgmap::dtype::float32, .c_order = true, .size_bytes = extent * 4};
  const std::uint64_t shape[] = {extent};
  const std::int64_t strides[] = {1};
  BOOST_REQUIRE(out.dimensions.set(shape, strides));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_are_returned_unchanged) {
  for (const auto& message : {message_of(7), unnumbered(4096)})
    for (const std::uint64_t count : {1u, 2u, 16u})
      for (const std::uint64_t j : {std::uint64_t{0}, count - 1})
        for (const unsigned version : {2u, 3u})
          for (const std::uint64_t at : {std::uint64_t{24}, std::uint64_t{400}, std::uint64_t{1} << 43})
            for (const std::uint64_t length : {std::uint64_t{100}, std::uint64_t{592}, (std::uint64_t{1} << 40) - 1})
              for (const std::uint64_t descriptor : {std::uint64_t{16}, length / 2, length - 20})
                BOOST_TEST(remembers(message, j, count, plain(at, length, descriptor, version)) ==
                           (length - descriptor - (version == 2 ? 12 : 20) < std::uint64_t{1} << 24));
}

BOOST_AUTO_TEST_CASE(parts_with_masks_and_descriptors_first_are_returned_unchanged) {
  for (const std::uint64_t masks : {0u, 8u, 500u})
    for (const std::uint64_t count : {1u, 3u}) {
      BOOST_TEST(remembers(message_of(7), 0, count, descriptor_first(24, 1000, 200, masks)));
      object_parts last = plain(24, 1000, 800);
      last.payload_length -= masks;
      BOOST_TEST(remembers(message_of(7), count - 1, count, last));
    }
}

BOOST_AUTO_TEST_CASE(values_that_do_not_fit_are_not_cached) {
  const auto kept = [](auto change) {
    object_parts facts = plain(400, 592, 300);
    change(facts);
    return remembers(message_of(7), 0, 1, facts) && remembers(message_of(7), 1, 2, facts);
  };
  BOOST_TEST(kept([](object_parts&) {}));
  BOOST_TEST(kept([](object_parts& f) { f.offset = 401; }));
  BOOST_TEST(!kept([](object_parts& f) { f.offset = std::uint64_t{1} << 44; }));
  BOOST_TEST(!kept([](object_parts& f) { f.length = std::uint64_t{1} << 40; }));
  BOOST_TEST(!kept([](object_parts& f) { f.descriptor_offset += 1 << 20; }));
  BOOST_TEST(!kept([](object_parts& f) { --f.descriptor_length; }));
  BOOST_TEST(!kept([](object_parts& f) { f.region_offset = 200; }));
  BOOST_TEST(!kept([](object_parts& f) { --f.region_length; }));
  BOOST_TEST(!kept([](object_parts& f) { f.payload_length = std::uint64_t{1} << 40; }));
  BOOST_TEST(!kept([](object_parts& f) { f.type = 17; }));
  BOOST_TEST(!kept([](object_parts& f) { f.version = 2; }));
  BOOST_TEST(!kept([](object_parts& f) { f.flags = 16; }));
  BOOST_TEST(!kept([](object_parts& f) { f.descriptor_length += 4; }), "a tail of another length");
}

BOOST_AUTO_TEST_CASE(one_object_of_a_small_message_takes_eight_bytes) {
  object_parts facts = plain(400, 592, 300);
  BOOST_TEST(object_cache::pack(facts).has_value());
  facts.offset = 401;
  BOOST_TEST(!object_cache::pack(facts));
  BOOST_TEST(!object_cache::pack(plain(1 << 16, 592, 300)));
  BOOST_TEST(!object_cache::pack(plain(400, 1 << 20, (1 << 20) - 200)));
  BOOST_TEST(!object_cache::pack(plain(400, 5000, 500)), "a long descriptor");
  BOOST_TEST(!object_cache::pack(descriptor_first(24, 1000, 200, 8)));
  object_cache memory(large);
  object_parts out;
  memory.add(message_of(3), 0, 1, plain(400, 592, 300));
  BOOST_TEST(memory.find_single(3, out));
  BOOST_TEST((memory.find(message_of(3)) == nullptr));
  memory.add(message_of(4), 0, 2, plain(400, 592, 300));
  BOOST_TEST(!memory.find_single(4, out));
  BOOST_REQUIRE((memory.find(message_of(4)) != nullptr));
  BOOST_TEST(memory.find(message_of(4))->objects.size() == 2u);
  BOOST_TEST(sizeof(memory.find(message_of(4))->objects[0]) == 24u);
}

BOOST_AUTO_TEST_CASE(layouts_of_elements_are_remembered_with_their_objects) {
  object_cache memory(large);
  object_parts out;
  for (const auto& message : {message_of(1), message_of(2), unnumbered(4096)}) {
    const std::uint64_t count = message.index() == std::optional<std::uint64_t>(1) ? 1 : 3, j = count - 1;
    memory.add_layout(message, j, layout_of(9));  // an object that is not cached
    BOOST_TEST(!memory.find(message, j, out));
    memory.add(message, j, count, plain(400, 592, 300));
    BOOST_REQUIRE(memory.find(message, j, out));
    BOOST_TEST((out.elements == nullptr));
    memory.add_layout(message, j, layout_of(9));
    BOOST_REQUIRE(memory.find(message, j, out));
    BOOST_REQUIRE((out.elements != nullptr));
    BOOST_TEST(out.elements->size_bytes == 36u);
    memory.add_layout(message, j, layout_of(10));  // stored layouts do not change
    BOOST_REQUIRE(memory.find(message, j, out));
    BOOST_TEST(out.elements->size_bytes == 36u);
    object_parts facts = plain(400, 592, 300);
    facts.elements = out.elements;
    BOOST_TEST((out == facts));
  }
}

BOOST_AUTO_TEST_CASE(a_later_record_replaces_earlier_ones) {
  object_cache memory(large);
  for (const auto& message : {message_of(1), unnumbered(4096)}) {
    object_parts out;
    memory.add(message, 0, 1, plain(400, 592, 300));
    BOOST_TEST(memory.find(message, 0, out));
    for (const std::uint64_t preceder : {1000u, 2000u}) {
      auto fresh = std::make_unique<message_record>();
      for (std::uint64_t j = 0; j < 3; ++j)
        fresh->objects.emplace_back(tgmap::detail::object_place{.offset = 24 + 600 * j, .length = 592, .preceder = 0});
      fresh->preceders.emplace_back(1, preceder);
      const message_record* const record = memory.add(message, std::move(fresh));
      BOOST_REQUIRE((record != nullptr));
      BOOST_TEST((memory.find(message) == record));
      BOOST_TEST(!memory.find(message, 0, out));
      BOOST_TEST(record->place(1).offset == 624u);
      BOOST_TEST(record->place(1).length == 592u);
      BOOST_TEST(record->place(0).preceder == 0u);
      BOOST_TEST(record->place(1).preceder == preceder);
      BOOST_TEST(record->place(2).preceder == 0u);
      memory.add(message, 2, 3, plain(1224, 592, 300));
      BOOST_TEST(memory.find(message, 2, out));
      BOOST_TEST(record->place(2).offset == 1224u);
    }
  }
}

BOOST_AUTO_TEST_CASE(places_in_metadata_are_returned_unchanged) {
  object_cache memory(large);
  const object_cache::metadata_places places{
      .body_offset = 40, .body_size = 65535, .extra = 32767, .first_entry = 12, .entry = 300, .free_keys = true};
  const object_cache::metadata_places last{.body_offset = 65528, .body_size = 9, .has_one_object = true};
  memory.add_metadata(message_of(4), 0, last);
  BOOST_TEST(memory.find_metadata(message_of(4), 0)->body_offset == 65528u);
  BOOST_TEST(memory.find_metadata(message_of(4), 0)->has_one_object);
  BOOST_TEST(!memory.find_metadata(message_of(4), 0)->free_keys);
  BOOST_TEST(!memory.find_metadata(message_of(5), 0).has_value());
  memory.add(message_of(5), 1, 3, plain(400, 592, 300));
  memory.add_metadata(message_of(5), 1, places);
  const auto found = memory.find_metadata(message_of(5), 1);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->body_offset == 40u);
  BOOST_TEST(found->body_size == 65535u);
  BOOST_TEST(found->extra == 32767u);
  BOOST_TEST(found->entry == 300u);
  BOOST_TEST(found->free_keys);
  BOOST_TEST(!found->has_one_object);
  BOOST_TEST(memory.find_metadata(message_of(5), 0)->entry == 12u);
  BOOST_TEST(memory.find_metadata(message_of(5), object_sink::none)->entry == 0u);
  BOOST_TEST(!memory.find_metadata(message_of(5), 2), "an object that was not asked for");
  BOOST_TEST(!memory.find_metadata(message_of(5), 3));
  memory.add(message_of(5), 2, 3, plain(400, 592, 300));
  memory.add_metadata(message_of(5), 2, {.body_offset = 40, .body_size = 65535, .extra = 32767, .first_entry = 12});
  BOOST_REQUIRE(memory.find_metadata(message_of(5), 2).has_value());
  BOOST_TEST(memory.find_metadata(message_of(5), 2)->entry == 0u, "without an entry");
  BOOST_TEST(memory.find_metadata(message_of(5), 1)->entry == 300u);
}

BOOST_AUTO_TEST_CASE(places_that_do_not_fit_are_not_cached) {
  const auto kept = [](object_cache::metadata_places places, const message_position& message = message_of(0)) {
    object_cache memory(large);
    memory.add_metadata(message, 0, places);
    return memory.find_metadata(message, 0).has_value();
  };
  BOOST_TEST(kept({.body_offset = 40, .body_size = 100}));
  BOOST_TEST(!kept({.body_offset = 1 << 16, .body_size = 100}));
  BOOST_TEST(!kept({.body_offset = 44, .body_size = 100}), "frames begin at multiples of 8");
  BOOST_TEST(!kept({.body_offset = 40, .body_size = 1 << 16}));
  BOOST_TEST(!kept({.body_offset = 40, .body_size = 100, .extra = 1 << 15}));
  BOOST_TEST(!kept({.body_offset = 40, .body_size = 100, .first_entry = 1 << 15}));
  BOOST_TEST(!kept({.body_offset = 40, .body_size = 100}, unnumbered(0)));
}

BOOST_AUTO_TEST_CASE(threads_see_complete_parts_or_none) {
  object_cache memory(large);
  std::atomic<unsigned> wrong{0};
  std::vector<element_layout> layouts;
  for (std::uint64_t extent = 0; extent < 7; ++extent) layouts.push_back(layout_of(extent));
  const auto of = [](std::uint64_t i, std::uint64_t j) {
    return plain(i % 1000 * 8, 1000 + i % 50000, 100 + i % 500 + j);
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        object_parts out;
        for (std::uint64_t i = t % 2; i < 20000; ++i) {
          const auto message = i % 5 == 0 ? unnumbered(i % 64 * 4096) : message_of(i);
          const std::uint64_t n = message.index() ? i : i % 64, count = 1 + n % 3, j = n % count;
          const auto is_right = [&] {
            out.elements = nullptr;
            return out == of(n, j);
          };
          if (memory.find(message, j, out) && !is_right()) ++wrong;
          memory.add(message, j, count, of(n, j));
          memory.add_layout(message, j, layouts[n % 7]);
          // If two records are added concurrently, one is dropped. Its object is read again later.
          if (memory.find(message, j, out)) {
            if (out.elements != nullptr && out.elements->size_bytes != n % 7 * 4) ++wrong;
            if (!is_right()) ++wrong;
          }
        }
      });
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(segments_follow_each_other) {
  std::size_t next = 0;
  for (std::size_t s = 0; s < 12; ++s) {
    BOOST_TEST(segments::of(next).segment == s);
    BOOST_TEST(segments::of(next).offset == 0u);
    next += segments::size(s);
    BOOST_TEST(segments::of(next - 1).segment == s);
    BOOST_TEST(segments::of(next - 1).offset == segments::size(s) - 1);
  }
  BOOST_TEST(segments::of(SIZE_MAX / 2).segment < segments::max_segments);
  BOOST_TEST(segments::of(SIZE_MAX / 2).offset < segments::size(segments::of(SIZE_MAX / 2).segment));
}

BOOST_AUTO_TEST_CASE(objects_beyond_the_count_are_not_cached) {
  for (const auto& message : {message_of(7), unnumbered(4096)}) {
    object_cache memory(large);
    object_parts out;
    memory.add(message, 5, 2, plain(400, 592, 300));
    for (const std::uint64_t j : {0u, 1u, 2u, 5u}) BOOST_TEST(!memory.find(message, j, out));
    BOOST_REQUIRE(memory.find(message) != nullptr);
    BOOST_TEST(memory.find(message)->objects.size() == 2u);
    memory.add(message, 1, 2, plain(400, 592, 300));
    BOOST_TEST(memory.find(message, 1, out));
  }
}

BOOST_AUTO_TEST_CASE(many_objects_are_cached_only_in_their_list) {
  object_cache memory(large);
  object_parts out;
  memory.add(message_of(7), 3, tgmap::detail::min_cached_objects, plain(400, 592, 300));
  BOOST_TEST(memory.find(message_of(7)) == nullptr);
  BOOST_TEST(!memory.find(message_of(7), 3, out));
  auto list = std::make_unique<message_record>();
  list->objects.resize(tgmap::detail::min_cached_objects);
  BOOST_REQUIRE(memory.add(message_of(7), std::move(list)) != nullptr);
  memory.add(message_of(7), 3, tgmap::detail::min_cached_objects, plain(400, 592, 300));
  BOOST_REQUIRE(memory.find(message_of(7), 3, out));
  BOOST_TEST((out == plain(400, 592, 300)));
}

BOOST_AUTO_TEST_CASE(layouts_are_cached_with_known_objects_only) {
  object_cache memory(large);
  object_parts out;
  memory.add_layout(message_of(1), 0, layout_of(3));  // of a message without a record
  memory.add(message_of(2), 0, 3, plain(400, 592, 300));
  memory.add_layout(message_of(2), 7, layout_of(3));  // of no object
  memory.add_layout(message_of(2), 1, layout_of(3));  // of an object that is not known yet
  memory.add(message_of(2), 1, 3, plain(1000, 592, 300));
  for (const std::uint64_t j : {0u, 1u}) {
    BOOST_REQUIRE(memory.find(message_of(2), j, out));
    BOOST_TEST((out.elements == nullptr));
  }
  memory.add_layout(message_of(2), 1, layout_of(3));
  BOOST_REQUIRE(memory.find(message_of(2), 1, out));
  BOOST_REQUIRE((out.elements != nullptr));
  BOOST_TEST(out.elements->dimensions.shape()[0] == 3u);
}

BOOST_AUTO_TEST_CASE(a_full_table_of_layouts_adds_none) {
  object_cache memory(0);
  object_parts out;
  for (std::size_t i = 0; i < 40; ++i) {
    memory.add(message_of(i), 0, 1, plain(400, 592, 300));
    memory.add_layout(message_of(i), 0, layout_of(i));
  }
  std::size_t with_layout = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    BOOST_REQUIRE(memory.find(message_of(i), 0, out));
    if (out.elements == nullptr) continue;
    ++with_layout;
    BOOST_TEST(out.elements->dimensions.shape()[0] == i);
  }
  BOOST_TEST(with_layout > 4u);
  BOOST_TEST(with_layout < 16u);
}

BOOST_AUTO_TEST_CASE(places_of_entries_belong_to_known_objects) {
  object_cache memory(large);
  const object_cache::metadata_places places{
      .body_offset = 40, .body_size = 100, .extra = 7, .first_entry = 9, .entry = 11};
  BOOST_TEST(!memory.find_metadata(message_of(3), 0).has_value());
  memory.add_metadata(unnumbered(4096), 0, places);
  BOOST_TEST(!memory.find_metadata(unnumbered(4096), 0).has_value());

  memory.add_metadata(message_of(3), 1, places);  // the message has no record: only the entry of object 0 is stored
  BOOST_REQUIRE(memory.find_metadata(message_of(3), 0).has_value());
  BOOST_TEST(memory.find_metadata(message_of(3), 0)->entry == 9u);
  BOOST_TEST(memory.find_metadata(message_of(3), object_sink::none)->body_size == 100u);
  BOOST_TEST(!memory.find_metadata(message_of(3), 1).has_value());

  memory.add(message_of(3), 1, 3, plain(400, 592, 300));
  BOOST_TEST(!memory.find_metadata(message_of(3), 1).has_value());
  memory.add_metadata(message_of(3), 1, places);
  BOOST_REQUIRE(memory.find_metadata(message_of(3), 1).has_value());
  BOOST_TEST(memory.find_metadata(message_of(3), 1)->entry == 11u);
  memory.add_metadata(message_of(3), 2, places);  // an object that is not known
  BOOST_TEST(!memory.find_metadata(message_of(3), 2).has_value());
  memory.add_metadata(message_of(3), 3, places);  // no object
  BOOST_TEST(!memory.find_metadata(message_of(3), 3).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
