// SPDX-License-Identifier: Apache-2.0
// The fast path to an object agrees with the general reader, or finds nothing.

#include <algorithm>
#include <functional>
#include <support/samples.hpp>
#include <support/temporary.hpp>

#include "../archive_fixture.hpp"
#include "archive/lookup/common_message.hpp"
#include "archive/lookup/find_objects.hpp"

using namespace tgmap_test;
using inner::object_parts;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(common_message_test)

namespace {

bool quick(const one_message& in, std::uint64_t j, object_parts& out) {
  tgmap::io::window window(in.state->bytes());
  std::uint64_t objects = 0;
  return inner::find_common_object(*in.state, window, in.message, j, out, objects);
}

failure slow(const one_message& in, std::uint64_t j, object_parts& out) {
  tgmap::io::window window(in.state->bytes());
  inner::object_sink sink(j, inner::object_sink::compared::up_to_wanted);
  inner::message_structure structure;
  if (failure why = inner::find_objects(*in.state, window, in.message, structure, sink)) return why;
  if (!sink.found()) return {.code = tgmap::errc::out_of_range};
  return inner::read_object_parts(*in.state, window, in.message, *sink.found(), out);
}

/// Checks that the number of objects by the header agrees with all frames and indexes.
void check_count(const one_message& in) {
  tgmap::io::window window(in.state->bytes());
  inner::common_header header;
  if (!inner::read_common_header(*in.state, window, in.message, 0, UINT64_MAX, header)) return;
  inner::message_structure structure;
  const failure why = inner::find_structure(*in.state, in.message, structure);
  if (why || structure.objects != header.objects)
    BOOST_ERROR("there are " << structure.objects << " objects, not " << header.objects << ": " << why.text());
}

/// Returns how many of the first `objects` the fast path finds; each must equal the result of the general path.
unsigned agreed(const one_message& in, unsigned objects) {
  check_count(in);
  unsigned found = 0;
  for (unsigned j = 0; j < objects; ++j) {
    object_parts by_quick, by_slow;
    if (!quick(in, j, by_quick)) continue;
    ++found;
    const failure why = slow(in, j, by_slow);
    if (why || !(by_quick == by_slow)) BOOST_ERROR("object " << j << " is found where it is not: " << why.text());
  }
  return found;
}

message_spec spec_of(unsigned objects, int version = 3, std::size_t size = 40) {
  message_spec spec;
  spec.version = version;
  for (unsigned n = 0; n < objects; ++n) spec.objects.push_back(bytes_object(payload_of(n, size + n)));
  return spec;
}

/// Returns a message whose header index has the body that `index_of` returns for the true offsets and lengths.
bytes with_index(message_spec spec, const std::function<bytes(const index_spec&)>& index_of) {
  spec.index = where::none;
  for (index_spec table{
           std::vector<std::uint64_t>(spec.objects.size()), std::vector<std::uint64_t>(spec.objects.size()), {}};
       ;) {
    spec.header_frames = {{.type = 2, .body = index_of(table)}};
    const built_message built = build(spec);
    index_spec found;
    for (const auto at : built.objects) {
      found.offsets.push_back(at);
      found.lengths.push_back(get_u64(built.data, static_cast<std::size_t>(at) + 8));
    }
    if (found.offsets == table.offsets && found.lengths == table.lengths) return built.data;
    table = found;
  }
}

bytes metadata_with(const std::vector<cbor::pair>& keys) {
  message_spec spec = spec_of(2);
  spec.header_metadata = cbor::map(keys);
  return message(spec);
}

bytes text_pairs(std::string_view key, std::string_view value) {
  return cbor::map({cbor::key(key, cbor::text(value))});
}

/// Returns true if the class reads the header of the message with its metadata.
bool whole_header(const one_message& in) { return inner::common_message(*in.state, in.message).read(); }

}  // namespace

BOOST_AUTO_TEST_CASE(common_messages_are_read) {
  for (const int version : {2, 3})
    for (const unsigned objects : {1u, 2u, 4u})
      for (const std::size_t size : {0u, 1u, 40u, 600u, 3000u, 100000u})
        BOOST_TEST(agreed(one_message(message(spec_of(objects, version, size))), objects + 2) == objects);
}

BOOST_AUTO_TEST_CASE(other_messages_are_left_to_the_general_reader) {
  const auto knows = [](const message_spec& spec, const tgmap::open_options& options = {}) {
    return agreed(one_message(message(spec), options), static_cast<unsigned>(spec.objects.size()));
  };
  message_spec spec = spec_of(2);
  BOOST_REQUIRE(knows(spec) == 2u);
  BOOST_TEST(knows(spec, {.lookup = tgmap::object_lookup::walk}) == 0u);
  BOOST_TEST(knows(spec, {.max_objects = 1}) == 0u);
  BOOST_TEST(knows(spec, {.max_metadata_bytes = 10}) == 0u);
  BOOST_TEST(knows(spec_of(17)) == 0u);

  for (const where index : {where::none, where::footer, where::both}) {
    message_spec other = spec;
    other.index = index;
    BOOST_TEST(knows(other) == 0u);
  }
  message_spec streamed = spec;
  streamed.writing = writing::streamed;
  BOOST_TEST(knows(streamed) == 0u);
  message_spec preceded = spec;
  preceded.objects[1].preceder = cbor::map({cbor::key("p", cbor::integer(1))});
  BOOST_TEST(knows(preceded) == 0u);
  message_spec masked = spec;
  masked.objects[1].masks = {{.kind = "nan", .blob = "mask"}};
  BOOST_TEST(knows(masked) == 1u);
  message_spec first = spec;
  first.objects[0].cbor_first = true;
  BOOST_TEST(knows(first) == 1u);
  message_spec junk = spec;
  junk.junk_before[1] = bytes(16, 'j');
  BOOST_TEST(knows(junk) == 0u);
}

BOOST_AUTO_TEST_CASE(any_bytes_agree_with_the_general_reader_or_are_left_to_it) {
  for (const int version : {2, 3}) {
    one_message in(message(spec_of(3, version)));
    unsigned nothing = 0;
    for (std::size_t i = 0; i < in.data.size(); ++i)
      for (const int change : {1, 2, 8, 0x20, 0x80, 0xff}) {
        in.data[i] = static_cast<char>(in.data[i] ^ change);
        nothing += agreed(in, 4) < 3 ? 1 : 0;
        in.data[i] = static_cast<char>(in.data[i] ^ change);
      }
    BOOST_TEST(nothing > in.data.size());
    BOOST_TEST(agreed(in, 4) == 3u);
  }
}

BOOST_AUTO_TEST_CASE(unreadable_bytes_are_left_to_the_general_reader) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", message(spec_of(2)));
  failure why;
  auto file = tgmap::io::file::open(path, why);
  const tgmap::open_options options{.io = tgmap::io_mode::read};
  const inner::archive_state state(tgmap::io::source::from_file(std::move(file), options, why), options);
  TGMAP_SUCCEEDED(why);
  tgmap::io::window window(state.bytes());
  const auto found = inner::parse_message_at(window, 0, options);
  object_parts facts;
  for (const std::uintmax_t size : {state.bytes().size() / 2, std::uint64_t{60}, std::uint64_t{0}}) {
    std::filesystem::resize_file(path, size);
    tgmap::io::window fresh(state.bytes());
    std::uint64_t objects = 0;
    BOOST_TEST(!inner::find_common_object(state, fresh, found.message, 1, facts, objects));
  }
}

BOOST_AUTO_TEST_CASE(indexes_of_another_form_are_left_to_the_general_reader) {
  using pairs = std::vector<cbor::pair>;
  const auto offsets = [](const index_spec& t) { return cbor::key("offsets", cbor::numbers(t.offsets)); };
  const auto lengths = [](const index_spec& t) { return cbor::key("lengths", cbor::numbers(t.lengths)); };
  const auto count = [](std::uint64_t n) { return cbor::key("object_count", cbor::unsigned_integer(n)); };
  const auto found = [](const std::function<bytes(const index_spec&)>& index_of) {
    return agreed(one_message(with_index(spec_of(2), index_of)), 2);
  };
  const auto found_by = [&](const std::function<pairs(const index_spec&)>& keys_of) {
    return found([&](const index_spec& t) { return cbor::map(keys_of(t)); });
  };
  BOOST_TEST(found_by([&](auto& t) { return pairs{offsets(t), lengths(t)}; }) == 2u);
  BOOST_TEST(found_by([&](auto& t) { return pairs{count(2), lengths(t), offsets(t)}; }) == 2u);

  BOOST_TEST(found([](auto&) { return bytes(); }) == 0u);
  BOOST_TEST(found([](auto& t) { return cbor::numbers(t.offsets); }) == 0u);
  BOOST_TEST(found([&](auto& t) { return cbor::map_until_break({offsets(t), lengths(t)}); }) == 0u);
  BOOST_TEST(found_by([&](auto& t) { return pairs{offsets(t)}; }) == 0u);
  BOOST_TEST(found_by([&](auto& t) { return pairs{lengths(t)}; }) == 0u);
  BOOST_TEST(found_by([&](auto& t) { return pairs{offsets(t), offsets(t), lengths(t)}; }) == 0u);
  BOOST_TEST(found_by([&](auto& t) { return pairs{offsets(t), lengths(t), lengths(t)}; }) == 0u);
  BOOST_TEST(found_by([&](auto& t) {
               return pairs{offsets(t), lengths(t), cbor::key("other", cbor::numbers({}))};
             }) == 0u);
  BOOST_TEST(found_by([&](auto& t) { return pairs{offsets(t), lengths(t), count(3)}; }) == 0u);
  BOOST_TEST(found_by([&](auto& t) { return pairs{count(2), offsets(t), lengths(t), count(2)}; }) == 0u);
  BOOST_TEST(found_by([&](auto& t) {
               return pairs{offsets(t), lengths(t), cbor::key("object_count", cbor::text("2"))};
             }) == 0u);
  BOOST_TEST(found_by([&](auto& t) { return pairs{offsets(t), {cbor::integer(1), cbor::numbers(t.lengths)}}; }) == 0u);
  BOOST_TEST(found_by([&](auto& t) {
               return pairs{offsets(t), {cbor::text_in_pieces({"len", "gths"}), cbor::numbers(t.lengths)}};
             }) == 0u);
  BOOST_TEST(found_by([&](auto& t) {
               return pairs{offsets(t), cbor::key("lengths", cbor::array({cbor::text("a"), cbor::text("b")}))};
             }) == 0u);
  BOOST_TEST(found_by([&](auto& t) { return pairs{offsets(t), cbor::key("lengths", cbor::text("ab"))}; }) == 0u);
}

BOOST_AUTO_TEST_CASE(forged_lists_are_left_to_the_general_reader) {
  const auto found = [](void (*lie)(index_spec&), int version = 3) {
    message_spec spec = spec_of(3, version);
    spec.lie = lie;
    return agreed(one_message(message(spec)), 3);
  };
  for (const int version : {2, 3}) {
    BOOST_TEST(found([](index_spec&) {}, version) == 3u);
    BOOST_TEST(found([](index_spec& t) { t.lengths[2] = std::uint64_t{1} << 40; }, version) == 0u);
    BOOST_TEST(found([](index_spec& t) { t.lengths[1] = UINT64_MAX; }, version) == 0u);
    BOOST_TEST(found([](index_spec& t) { t.lengths[0] = 0; }, version) == 0u);
    BOOST_TEST(found([](index_spec& t) { t.offsets[1] += 8; }, version) == 0u);
    BOOST_TEST(found(
                   [](index_spec& t) {
                     t.offsets = t.lengths = {};
                     t.count = 0;
                   },
                   version) == 0u);
    BOOST_TEST(found(
                   [](index_spec& t) {
                     t.offsets.pop_back();
                     t.lengths.pop_back();
                     t.count = 2;
                   },
                   version) == 0u);
    BOOST_TEST(found([](index_spec& t) { t.offsets.pop_back(); }, version) == 0u);
    BOOST_TEST(found([](index_spec& t) { t.lengths.pop_back(); }, version) == 0u);
  }
  BOOST_TEST(found([](index_spec& t) { t.count = 4; }, 2) == 0u);
}

BOOST_AUTO_TEST_CASE(long_lists_are_left_to_the_general_reader) {
  for (const unsigned objects : {16u, 17u, 20u}) {
    message_spec spec = spec_of(objects, 3, 4);
    spec.hash_frames = false;  // otherwise the header is too long for the first look
    BOOST_TEST(agreed(one_message(message(spec)), objects) == (objects < inner::min_cached_objects ? objects : 0u));
  }
}

BOOST_AUTO_TEST_CASE(descriptors_may_begin_on_the_page_before) {
  for (std::size_t size = 3300; size < 4200; size += 40)
    BOOST_TEST(agreed(one_message(message(spec_of(2, 3, size))), 2) == 2u, "size " << size);
}

BOOST_AUTO_TEST_CASE(cached_objects_are_not_compared_again) {
  const auto message_with = [](auto lie) {
    message_spec spec = spec_of(3, 3, 100'000);
    spec.lie = lie;
    return message(spec);
  };
  one_message in(message_with(nullptr));
  object_parts second, third;
  BOOST_REQUIRE(slow(in, 1, second).code == std::error_code());
  for (const std::uint64_t off : {0u, 8u}) {  // with another place in the cache, the frame is compared
    object_parts cached = second;
    cached.offset += off;
    one_message fresh(message_with(nullptr));
    fresh.state->objects().add(fresh.message, 1, 3, cached);
    BOOST_TEST(quick(fresh, 2, third));
    BOOST_TEST(slow(in, 2, cached).code == std::error_code());
    BOOST_TEST((third == cached));
  }
  object_parts other_length = second;
  other_length.length -= 8;
  in.state->objects().add(in.message, 1, 3, other_length);
  BOOST_TEST(quick(in, 2, third));
  // A frame that is not the listed one is found, whatever the cache has.
  one_message forged(message_with(nullptr));
  put_u64(forged.data, static_cast<std::size_t>(second.offset) + 8, second.length - 8);
  forged.state->objects().add(forged.message, 1, 3, other_length);
  BOOST_TEST(!quick(forged, 2, third));
}

BOOST_AUTO_TEST_CASE(objects_are_read_only_in_their_listed_place) {
  const built_message built = build(spec_of(2));
  one_message in(built.data);
  const auto& frames = built.frames;
  const auto object = std::ranges::find(frames, 9, &built_message::place::type);
  BOOST_REQUIRE(object != frames.end());
  const auto reads = [&](std::uint64_t at, std::uint64_t length) {
    tgmap::io::window window(in.state->bytes());
    object_parts out;
    return inner::read_common_object(window, in.message, {.offset = at, .length = length, .preceder = 0}, out);
  };
  BOOST_TEST(reads(object->offset, object->length));
  BOOST_TEST(!reads(object->offset, object->length + 8));
  BOOST_TEST(!reads(object->offset + 8, object->length), "there is no frame");
  BOOST_TEST(!reads(frames[0].offset, frames[0].length), "a frame of metadata is no object");
  // The offset of the descriptor is the first number behind the body.
  const auto stated = static_cast<std::size_t>(object->offset + object->length) - 20;
  const std::uint64_t right = get_u64(in.data, stated);
  for (const std::uint64_t wrong :
       {std::uint64_t{0}, std::uint64_t{15}, object->length - 19, object->length, UINT64_MAX}) {
    put_u64(in.data, stated, wrong);
    BOOST_TEST(!reads(object->offset, object->length), "a descriptor at " << wrong);
  }
  put_u64(in.data, stated, object->length - 20);
  BOOST_TEST(!reads(object->offset, object->length), "an empty descriptor");
  put_u64(in.data, stated, right);
  BOOST_TEST(reads(object->offset, object->length));
}

BOOST_AUTO_TEST_CASE(sections_of_the_metadata_are_found) {
  const bytes extra = text_pairs("a", "extra"), reserved = text_pairs("b", "reserved");
  const bytes first = text_pairs("c", "first"), second = text_pairs("d", "second");
  const auto base = [](const std::vector<bytes>& entries) { return cbor::key("base", cbor::array(entries)); };
  one_message in(
      metadata_with({base({first, second}), cbor::key("_extra_", extra), cbor::key("_reserved_", reserved)}));
  inner::common_message common(*in.state, in.message);
  BOOST_REQUIRE(common.read());
  BOOST_TEST(common.objects() == 2u);
  BOOST_TEST(view_of(common.extra()) == extra);
  BOOST_TEST(view_of(common.reserved()) == reserved);
  BOOST_TEST(view_of(common.base(0)) == first);
  BOOST_TEST(view_of(common.base(1)) == second);
  BOOST_TEST(common.has_hash_list());
  object_parts found, wanted;
  BOOST_TEST(common.find(1, found));
  BOOST_TEST(slow(in, 1, wanted).code == std::error_code());
  BOOST_TEST((found == wanted));
  // A descriptor before the start of the frame's body: the header of the message is as before.
  put_u64(in.data, static_cast<std::size_t>(wanted.offset + wanted.length) - 20, 0);
  inner::common_message damaged(*in.state, in.message);
  BOOST_TEST(damaged.read());
  BOOST_TEST(!damaged.find(1, found));
  BOOST_TEST(damaged.find(0, found));
  // A frame that is no object: the index is wrong.
  put_u16(in.data, static_cast<std::size_t>(wanted.offset) + 2, 77);
  BOOST_TEST(!whole_header(in));

  const one_message few(metadata_with({base({first})}));
  inner::common_message shorter(*few.state, few.message);
  BOOST_REQUIRE(shorter.read());
  BOOST_TEST(view_of(shorter.base(0)) == first);
  BOOST_TEST(shorter.base(1).empty());
  BOOST_TEST(shorter.extra().empty());
  BOOST_TEST(shorter.reserved().empty());
}

BOOST_AUTO_TEST_CASE(metadata_of_another_form_is_left_to_the_general_reader) {
  const bytes map = text_pairs("a", "text");
  const cbor::pair base = cbor::key("base", cbor::array({map, map})), extra = cbor::key("_extra_", map),
                   reserved = cbor::key("_reserved_", map);
  const auto reads = [](const std::vector<cbor::pair>& keys) { return whole_header(one_message(metadata_with(keys))); };
  BOOST_TEST(reads({}));
  BOOST_TEST(reads({base, extra, reserved}));
  BOOST_TEST(!reads({base, base}));
  BOOST_TEST(!reads({extra, base, extra}));
  BOOST_TEST(!reads({reserved, reserved}));
  BOOST_TEST(!reads({cbor::key("base", map)}));
  BOOST_TEST(!reads({cbor::key("base", cbor::array({map, map, map}))}));
  BOOST_TEST(!reads({cbor::key("base", cbor::array({map, cbor::integer(1)}))}));
  BOOST_TEST(!reads({cbor::key("base", cbor::array({cbor::null(), map}))}));
  BOOST_TEST(!reads({cbor::key("_extra_", cbor::integer(1))}));
  BOOST_TEST(!reads({cbor::key("_reserved_", cbor::array({}))}));
  BOOST_TEST(!reads({base, cbor::key("free", cbor::integer(1))}));

  const auto reads_body = [](const bytes& body, const tgmap::open_options& options = {}) {
    message_spec spec = spec_of(2);
    spec.header_metadata = body;
    spec.hash_frames = false;
    return whole_header(one_message(message(spec), options));
  };
  BOOST_TEST(!reads_body(""));
  BOOST_TEST(!reads_body(cbor::map_until_break({base})));
  BOOST_TEST(!reads_body(cbor::map({base}).substr(0, 9)));
  const bytes deep = cbor::map({cbor::key("_extra_", cbor::map({cbor::key("a", cbor::nested(2, cbor::integer(1)))}))});
  BOOST_TEST(reads_body(deep));
  BOOST_TEST(!reads_body(deep, {.max_cbor_depth = 3}));
}

BOOST_AUTO_TEST_CASE(only_one_frame_of_metadata_is_read) {
  message_spec spec = spec_of(2);
  BOOST_TEST(whole_header(one_message(message(spec))));
  message_spec twice = spec;
  twice.header_frames = {{.type = 1, .body = cbor::map({})}};
  BOOST_TEST(!whole_header(one_message(message(twice))));
  message_spec none = spec;
  none.metadata = where::none;
  BOOST_TEST(!whole_header(one_message(message(none))));
  BOOST_TEST(!whole_header(one_message(message(spec_of(2, 2)))), "version 2 has other sections");
}

BOOST_AUTO_TEST_CASE(hashes_of_any_frame_count) {
  for (const bool hashes : {false, true}) {
    message_spec spec = spec_of(2);
    spec.hashes = hashes;
    one_message in(message(spec));
    for (const bool flagged_object : {false, true}) {
      inner::common_message common(*in.state, in.message);
      BOOST_REQUIRE(common.read());
      BOOST_TEST(common.has_hash_list() == hashes);
      BOOST_TEST(common.states_hash() == hashes);
      object_parts first;
      BOOST_REQUIRE(common.find(0, first));
      BOOST_TEST(common.states_hash() == (hashes || flagged_object));
      put_u16(in.data, static_cast<std::size_t>(first.offset) + 6, 3);  // the descriptor is last, and there is a hash
    }
  }
}

BOOST_AUTO_TEST_CASE(frames_behind_a_shorter_end_are_left_to_the_general_reader) {
  const temporary_directory temporary;
  const built_message built = build(spec_of(3, 3, 100'000));
  const auto path = temporary.file("a.tgm", built.data);
  failure why;
  const tgmap::open_options options{.io = tgmap::io_mode::read};
  const inner::archive_state state(tgmap::io::source::from_file(tgmap::io::file::open(path, why), options, why),
                                   options);
  TGMAP_SUCCEEDED(why);
  tgmap::io::window window(state.bytes());
  const auto found = inner::parse_message_at(window, 0, options);
  const auto finds = [&](std::uint64_t j) {
    tgmap::io::window fresh(state.bytes());
    std::uint64_t objects = 0;
    object_parts out;
    return inner::find_common_object(state, fresh, found.message, j, out, objects);
  };
  BOOST_TEST(finds(2));
  for (const std::uint64_t size : {built.objects[2] + 8, built.objects[1] + 8, built.objects[1] - 50'000}) {
    std::filesystem::resize_file(path, size);
    BOOST_TEST(!finds(2), "with " << size << " bytes");
  }
}

BOOST_AUTO_TEST_SUITE_END()
