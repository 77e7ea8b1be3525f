// SPDX-License-Identifier: Apache-2.0
// Copies of items of archives have the same meaning and the canonical form, checked by an independent decoder and
// checker.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/guarded.hpp>
#include <support/rounds.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

#include "appendix_a.hpp"
#include "cbor/canonical/canonical.hpp"
#include "meaning.hpp"
#include "reference.hpp"
#include "validate/cbor/cbor_check.hpp"

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(cbor_value_copy_test)

namespace {

bytes encoded(const cbor_value& value) { return bytes(view_of(value.encoded())); }

cbor_value copied(std::string_view data, failure& why) {
  return cbor_value::copy(tgmap::cbor_view(span_of(data)), why);
}
bytes copied(std::string_view data) { return encoded(cbor_value::copy(tgmap::cbor_view(span_of(data)))); }

/// Checks the form by the validator.
bool deterministic(std::string_view data) {
  const auto report = tgmap::validation::check_cbor(span_of(data), 256, true);
  return report.state == tgmap::validation::cbor_state::sound && report.size == data.size() &&
         report.not_canonical == nullptr;
}

/// Copies `data` and checks the copy; returns the failure if there is none.
failure require_equal_copy(std::string_view data) {
  failure why;
  const bytes copy = encoded(copied(data, why));
  if (why) {
    BOOST_REQUIRE_EQUAL(to_hex(copy), "f6");
    return why;
  }
  BOOST_REQUIRE_MESSAGE(deterministic(copy), to_hex(data) << " became " << to_hex(copy));
  BOOST_REQUIRE_MESSAGE(tgmap::cbor::is_canonical(span_of(copy)), to_hex(data) << " became " << to_hex(copy));
  const bytes meaning = meaning_of(data), copied_meaning = meaning_of(copy);
  BOOST_REQUIRE_MESSAGE(meaning == copied_meaning, to_hex(data) << " became " << to_hex(copy));
  BOOST_REQUIRE_EQUAL(to_hex(copied(copy)), to_hex(copy));
  return why;
}

constexpr cbor_rules lenient{.max_containers = 256, .all_simple_values = true};

/// Calls `each` for every item that is metadata in an archive.
template <class Each>
void each_metadata(const std::filesystem::path& file, Each&& each) {
  tgmap::failure why;
  const auto archive = tgmap::archive::open(file, {}, why);
  if (why) return;
  for (std::size_t i = 0; i < archive.size(why); ++i) {
    auto frames = archive.at(i, why).frames(why);
    for (tgmap::frame frame; !why && frames.next(frame, why);) {
      const auto type = static_cast<unsigned>(frame.type());
      if (type != 1 && type != 7 && type != 8) continue;
      const auto body = frame.body(why);
      if (!why) each(view_of(body));
    }
  }
}

struct frame_counts {
  unsigned frames = 0, canonical = 0;
};

void check_folder(const std::filesystem::path& folder, frame_counts& seen) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tgm") continue;
    BOOST_TEST_CONTEXT(entry.path().filename()) {
      each_metadata(entry.path(), [&](std::string_view body) {
        const auto length = reference_length(body, {});
        if (!length) return;
        ++seen.frames;
        const std::string_view first = body.substr(0, *length);
        BOOST_TEST(!require_equal_copy(first));
        const bool same = copied(body) == first, canonical = deterministic(first);
        seen.canonical += canonical;
        // The validator takes `undefined` for canonical; a copy has null instead.
        BOOST_TEST((same == canonical || first.find('\xf7') != first.npos));
      });
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_example_of_the_rfc_keeps_its_meaning) {
  unsigned same = 0;
  for (const auto& [hex, allowed] : appendix_a) {
    const bytes data = from_hex(hex);
    BOOST_TEST(!require_equal_copy(data), hex);
    same += copied(data) == data;
  }
  BOOST_TEST(same > 60u);
}

BOOST_AUTO_TEST_CASE(metadata_of_every_sample_keeps_its_bytes_or_its_meaning) {
  frame_counts seen;
  check_folder(test_data(), seen);
  BOOST_TEST(seen.frames > 100u);
  BOOST_TEST(seen.canonical > 100u);
}

BOOST_AUTO_TEST_CASE(metadata_of_the_reference_keeps_its_bytes_or_its_meaning) {
  const auto shared = shared_data_or_skip("copies of the reference's metadata");
  if (!shared) return;
  frame_counts seen;
  check_folder(*shared / "data" / "tgm" / "reference", seen);
  BOOST_TEST(seen.frames > 100u);
  BOOST_TEST(seen.canonical > seen.frames / 2);
  BOOST_TEST(seen.canonical < seen.frames);
}

BOOST_AUTO_TEST_CASE(other_forms_become_canonical) {
  const auto canonical = [](const bytes& data) { return to_hex(copied(data)); };
  BOOST_TEST(canonical(cbor::undefined()) == "f6");
  BOOST_TEST(canonical("\xf0") == "f6");
  BOOST_TEST(canonical("\xf8\xff") == "f6");
  BOOST_TEST(canonical(cbor::wide_head(0, 5, 8)) == "05");
  BOOST_TEST(canonical(cbor::wide_head(1, 255, 4)) == "38ff");
  BOOST_TEST(canonical(cbor::real(0.5)) == "f93800");
  BOOST_TEST(canonical(cbor::single(0.1f)) == to_hex(cbor::single(0.1f)));
  BOOST_TEST(canonical(from_hex("fb7ff8000000000001")) == "f97e00");
  BOOST_TEST(canonical(from_hex("fbfff8000000000000")) == "f97e00");
  BOOST_TEST(canonical(cbor::text_in_pieces({"a", "", "bc"})) == to_hex(cbor::text("abc")));
  BOOST_TEST(canonical(cbor::text_in_pieces({"\xc3", "\xa4"})) == to_hex(cbor::text("\xc3\xa4")));
  BOOST_TEST(canonical(cbor::blob_in_pieces({"\xff", "\x01"})) == "42ff01");
  BOOST_TEST(canonical(cbor::text("a\xff")) == to_hex(cbor::text("a\xef\xbf\xbd")));
  BOOST_TEST(canonical(cbor::wide_head(6, 1, 2) + cbor::wide_head(6, 2, 4) + cbor::real(1)) == "c1c2f93c00");
  BOOST_TEST(canonical(cbor::array_until_break({cbor::integer(1)})) == "8101");
  BOOST_TEST(canonical(cbor::map_until_break({})) == "a0");
}

BOOST_AUTO_TEST_CASE(indefinite_lengths_become_definite) {
  for (const std::size_t count : {0u, 1u, 22u, 23u, 24u, 25u, 255u, 256u, 70000u}) {
    const std::vector<bytes> items(count, cbor::integer(7));
    BOOST_TEST((copied(cbor::array_until_break(items)) == cbor::array(items)), count);
    std::vector<cbor::pair> pairs;
    for (std::size_t i = 0; i < count; ++i) pairs.emplace_back(cbor::unsigned_integer(i), cbor::array_until_break({}));
    std::vector<cbor::pair> expected;
    for (std::size_t i = 0; i < count; ++i) expected.emplace_back(cbor::unsigned_integer(i), cbor::array({}));
    BOOST_TEST((copied(cbor::map_until_break(pairs)) == cbor::map(expected)), count);
    std::reverse(pairs.begin(), pairs.end());
    BOOST_TEST((copied(cbor::map_until_break(pairs)) == cbor::map(expected)), count);
  }
}

BOOST_AUTO_TEST_CASE(the_last_of_equal_keys_wins_in_every_encoding) {
  const bytes data = cbor::map({{cbor::text("b"), cbor::integer(1)},
                                {cbor::text_in_pieces({"b"}), cbor::integer(2)},
                                {cbor::integer(1), cbor::integer(3)},
                                {cbor::wide_head(0, 1, 8), cbor::integer(4)},
                                {cbor::real(1), cbor::integer(5)},
                                {cbor::half(0x3c00), cbor::integer(6)},
                                {cbor::null(), cbor::integer(7)},
                                {cbor::undefined(), cbor::integer(8)},
                                {cbor::map_until_break({{cbor::real(2), cbor::null()}}), cbor::integer(9)},
                                {cbor::map({{cbor::single(2), cbor::undefined()}}), cbor::integer(10)},
                                {cbor::text("a"), cbor::integer(11)}});
  const bytes expected = cbor::map({{cbor::integer(1), cbor::integer(4)},
                                    {cbor::text("a"), cbor::integer(11)},
                                    {cbor::text("b"), cbor::integer(2)},
                                    {cbor::map({{cbor::half(0x4000), cbor::null()}}), cbor::integer(10)},
                                    {cbor::null(), cbor::integer(8)},
                                    {cbor::half(0x3c00), cbor::integer(6)}});
  BOOST_TEST(to_hex(copied(data)) == to_hex(expected));
}

BOOST_AUTO_TEST_CASE(container_keys_are_canonical_before_they_are_compared) {
  // Maps as keys of maps as keys, each in the wrong order.
  bytes key = cbor::text("x");
  for (int depth = 0; depth < 200; ++depth) {
    const bytes turned = cbor::map_until_break({{cbor::text("z"), cbor::real(depth)}, {cbor::text("a"), cbor::null()}});
    key = cbor::map_until_break({{key, turned}, {cbor::text("z"), cbor::real(depth)}, {cbor::text("a"), turned}});
    if (depth % 20 == 0) BOOST_TEST(!require_equal_copy(key));
  }
  BOOST_TEST(!require_equal_copy(key));
}

BOOST_AUTO_TEST_CASE(nesting_is_limited) {
  const auto nested = [](unsigned depth, char open, const char* close) {
    return bytes(depth, open) + "\x01" + (close == nullptr ? bytes() : bytes(depth, *close));
  };
  const char stop = '\xff';
  for (const unsigned depth : {1u, 2u, 23u, 255u, 256u, 257u, 258u, 1023u, 1025u, 100000u}) {
    for (const bytes& data : {nested(depth, '\x81', nullptr), nested(depth, '\x9f', &stop)}) {
      const failure why = require_equal_copy(data);
      BOOST_TEST((why.code == (depth > 256 ? make_error_code(tgmap::errc::cbor_too_deep) : std::error_code())), depth);
      if (!why) BOOST_TEST((copied(data) == nested(depth, '\x81', nullptr)));
    }
  }
  BOOST_CHECK_EXCEPTION(copied(nested(257, '\x81', nullptr)), tgmap::error,
                        [](const auto& e) { return e.code() == tgmap::errc::cbor_too_deep; });
}

BOOST_AUTO_TEST_CASE(unsorted_maps_at_every_level_are_sorted) {
  // The innermost item is large: it must not be moved once for each level, nor lost.
  bytes value = cbor::text(bytes(100000, 'v')), expected = value;
  for (int depth = 0; depth < 255; ++depth) {
    value = cbor::map_until_break({{cbor::text("bb"), value}, {cbor::text("a"), cbor::wide_head(0, 1, 8)}});
    expected = cbor::map({{cbor::text("a"), cbor::integer(1)}, {cbor::text("bb"), expected}});
  }
  BOOST_TEST((copied(value) == expected));
}

BOOST_AUTO_TEST_CASE(tags_are_levels) {
  BOOST_TEST((copied(bytes(256, '\xc1') + cbor::real(1)) == bytes(256, '\xc1') + cbor::half(0x3c00)));
  for (const std::size_t tags : {257, 100000})
    for (const bytes& number : {cbor::half(0x3c00), cbor::real(1)}) {  // canonical, and not canonical
      tgmap::failure why;
      const bytes data = bytes(tags, '\xc1') + number;
      tgmap::cbor_value::copy(tgmap::cbor_view(std::as_bytes(std::span(data))), why);
      BOOST_TEST((why.code == make_error_code(tgmap::errc::cbor_too_deep)));
    }
}

BOOST_AUTO_TEST_CASE(random_items_keep_their_meaning) {
  std::mt19937_64 random(11);
  unsigned changed = 0;
  for (unsigned round = 0; round < rounds(60000u); ++round) {
    const bytes data = random_item(random, 1 + round % 6);
    BOOST_REQUIRE(!require_equal_copy(data));
    changed += copied(data) != data;
  }
  BOOST_TEST(changed > rounds(10000u));
}

BOOST_AUTO_TEST_CASE(random_maps_with_few_keys_keep_their_meaning) {
  std::mt19937_64 random(12);
  for (unsigned round = 0; round < rounds(5000u); ++round) {
    std::vector<cbor::pair> pairs;
    for (std::size_t count = random() % 40; count > 0; --count) {
      // Few different keys, so that many are repeated; every third is a container.
      bytes key = cbor::text(bytes(random() % 3, static_cast<char>('a' + random() % 3)));
      if (random() % 3 == 0) key = cbor::map_until_break({{cbor::text("z"), key}, {key, cbor::real(1)}});
      pairs.emplace_back(key, random_item(random, 2));
    }
    BOOST_REQUIRE(!require_equal_copy(random() % 2 ? cbor::map(pairs) : cbor::map_until_break(pairs)));
  }
}

BOOST_AUTO_TEST_CASE(damaged_items_are_refused_and_others_copied) {
  std::mt19937_64 random(13);
  unsigned accepted = 0, refused = 0;
  guarded_bytes closed(1u << 16);
  for (unsigned round = 0; round < rounds(60000u); ++round) {
    const bytes data = mutated(random_item(random, 1 + round % 4), random);
    if (data.size() > 1u << 16) continue;
    const auto length = reference_length(data, lenient);
    const bytes first = length ? data.substr(0, *length) : data;
    failure why;
    (void)cbor_value::copy(tgmap::cbor_view(closed.hold(data)), why);  // reads nothing after the item
    why = require_equal_copy(first);
    BOOST_REQUIRE_MESSAGE(!why == length.has_value(), to_hex(data));
    if (why) BOOST_REQUIRE((why.code == tgmap::errc::bad_cbor));
    ++(why ? refused : accepted);
  }
  BOOST_TEST(accepted > rounds(5000u));
  BOOST_TEST(refused > rounds(5000u));
}

BOOST_AUTO_TEST_CASE(truncated_items_are_refused) {
  const bytes data =
      cbor::map({{cbor::text("b"), cbor::array_until_break({cbor::real(1), cbor::text_in_pieces({"x"})})},
                 {cbor::text("a"), cbor::map_until_break({cbor::key("k", cbor::tag(4, cbor::null()))})}});
  for (std::size_t size = 0; size < data.size(); ++size) {
    failure why;
    const cbor_value copy = copied(std::string_view(data).substr(0, size), why);
    BOOST_TEST((why.code == tgmap::errc::bad_cbor), size);
    BOOST_TEST((copy == cbor_value()));
  }
  failure why{.code = tgmap::errc::bad_cbor};
  copied(data, why);
  BOOST_TEST(!why);  // and the failure is reset
}

BOOST_AUTO_TEST_CASE(canonical_form_takes_exactly_one_item) {
  const auto formed = [](std::string_view data) {
    const auto span = span_of(data);
    std::vector<std::byte> bytes(span.begin(), span.end());
    const failure why = tgmap::cbor::make_canonical(bytes);
    BOOST_TEST((!why || view_of(bytes) == data));  // unchanged on a failure
    return why.code;
  };
  BOOST_TEST(!formed(cbor::real(1)));
  BOOST_TEST((formed("\x01\x01") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("\xf7\x01") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("\xff") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("\x9f\xc1\xff") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("\xbf\x01\xff") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("\x81\xff") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("\xf8\x14") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("\x5f\x61\x61\xff") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("\x7f\x7f\xff\xff") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("\xbb\xff\xff\xff\xff\xff\xff\xff\xff") == tgmap::errc::bad_cbor));
  BOOST_TEST((formed("\xbb\x80\x00\x00\x00\x00\x00\x00\x00" + bytes(64, '\0')) == tgmap::errc::bad_cbor));
}

BOOST_AUTO_TEST_SUITE_END()
