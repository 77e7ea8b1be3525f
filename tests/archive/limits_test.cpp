// SPDX-License-Identifier: Apache-2.0
// Each limit of open_options, reached and exceeded.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(limits_test)

namespace {

message_spec nested_metadata(unsigned depth) {  // the map, `base` and the entry are three containers around it
  message_spec spec = numbered_spec(1);
  spec.base = {cbor::map({cbor::key("deep", cbor::nested(depth - 3, cbor::integer(7)))})};
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(objects_up_to_the_limit) {
  message_spec spec;
  for (unsigned n = 0; n < 3; ++n) spec.objects.push_back(bytes_object(payload_of(n)));
  const bytes data = message(spec);
  in_every_mode(data, [](const tgmap::archive& a) { BOOST_TEST(a[0].size() == 3u); }, {.max_objects = 3});
  in_every_mode(data,
                [](const tgmap::archive& a) {
                  tgmap::failure why;
                  (void)a[0].size(why);
                  TGMAP_FAILED(why, tgmap::errc::object_limit);
                  BOOST_TEST(why.expected == 2u);
                  (void)a[0].at(0, why);
                  TGMAP_FAILED(why, tgmap::errc::object_limit);
                },
                {.max_objects = 2});
}

BOOST_AUTO_TEST_CASE(metadata_up_to_the_limit) {
  const bytes data = numbered(1);
  const auto archive = open(data);
  auto frames = archive[0].frames();
  const auto body = frames.begin()->body().size();
  in_every_mode(data, [](const tgmap::archive& a) { BOOST_TEST(number_of(a[0]) == 1u); }, {.max_metadata_bytes = 4096});
  in_every_mode(data,
                [](const tgmap::archive& a) {
                  tgmap::failure why;
                  (void)a[0].metadata(why);
                  TGMAP_FAILED(why, tgmap::errc::metadata_limit);
                  BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::limit)));
                },
                {.max_metadata_bytes = body - 1});
}

BOOST_AUTO_TEST_CASE(descriptors_up_to_the_limit) {
  message_spec spec = numbered_spec(1);
  spec.objects[0].more = {cbor::key("long", cbor::text(bytes(500, 'x')))};
  spec.index = where::none;
  spec.hash_frames = false;
  const bytes data = message(spec);
  in_every_mode(data,
                [](const tgmap::archive& a) {
                  tgmap::failure why;
                  const auto object = a[0].at(0, why);
                  if (!why) (void)object.descriptor(why);
                  TGMAP_FAILED(why, tgmap::errc::metadata_limit);
                  BOOST_TEST(number_of(a[0]) == 1u);
                },
                {.max_metadata_bytes = 300});
}

BOOST_AUTO_TEST_CASE(an_index_up_to_the_limit) {
  message_spec spec;
  for (unsigned n = 0; n < 60; ++n) spec.objects.push_back(bytes_object("x"));
  const bytes data = message(spec);
  const auto archive = open(data, {.max_metadata_bytes = 200});
  TGMAP_THROWS(archive[0].size(), tgmap::errc::metadata_limit);
  const auto walking = open(data, {.lookup = tgmap::object_lookup::walk, .max_metadata_bytes = 200});
  BOOST_TEST(walking[0].size() == 60u);
}

BOOST_AUTO_TEST_CASE(nesting_up_to_the_limit) {
  for (const std::uint32_t limit : {10u, 256u}) {
    const bytes fits = message(nested_metadata(limit)), deeper = message(nested_metadata(limit + 1));
    in_every_mode(fits, [](const tgmap::archive& a) { BOOST_TEST(a[0].base(0).find("deep").has_value()); },
                  {.max_cbor_depth = limit});
    in_every_mode(deeper,
                  [&](const tgmap::archive& a) {
                    tgmap::failure why;
                    (void)a[0].base(0, why);
                    TGMAP_FAILED(why, tgmap::errc::cbor_too_deep);
                    BOOST_TEST(why.expected == limit);
                  },
                  {.max_cbor_depth = limit});
  }
}

BOOST_AUTO_TEST_CASE(very_deep_nesting_needs_no_stack) {
  message_spec spec = numbered_spec(1);
  spec.base = {cbor::map({cbor::key("deep", cbor::nested(1000000, cbor::integer(7)))})};
  const bytes data = message(spec);
  tgmap::failure why;
  const auto usual = open(data);
  (void)usual[0].base(0, why);
  TGMAP_FAILED(why, tgmap::errc::cbor_too_deep);
  TGMAP_THROWS(open(data, {.max_cbor_depth = 2000000}), tgmap::errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(padding_up_to_the_limit) {
  message_spec spec = numbered_spec(1);
  spec.junk_before[0] = bytes(1000, '#');
  const bytes data = message(spec);
  const auto walk = tgmap::object_lookup::walk;
  const auto lenient = open(data, {.lookup = walk, .max_padding = 2000});
  BOOST_TEST(sound(lenient[0]));
  tgmap::failure why;
  const auto strict = open(data, {.lookup = walk, .max_padding = 900});
  (void)strict[0].size(why);
  TGMAP_FAILED(why, tgmap::errc::padding_too_long);
  BOOST_TEST(why.expected == 900u);
}

BOOST_AUTO_TEST_CASE(endless_padding_is_searched_up_to_the_limit) {
  message_spec spec = numbered_spec(1);
  spec.junk_before[0] = bytes(std::size_t{1} << 17, '\0');
  const bytes data = message(spec);
  const auto archive = open(data, {.lookup = tgmap::object_lookup::walk});
  TGMAP_THROWS(archive[0].size(), tgmap::errc::padding_too_long);
}

BOOST_AUTO_TEST_CASE(an_index_of_exactly_the_limit) {
  const bytes data = numbered(1);
  std::uint64_t size = 0;
  const auto unlimited = tgmap::archive::from_memory(span_of(data));
  for (auto frames = unlimited[0].frames(); const auto& frame : frames)
    if (frame.type() == tgmap::frame_type::header_index) size = frame.body().size();
  BOOST_REQUIRE(size > 0u);
  const auto fits = tgmap::archive::from_memory(span_of(data), {.max_metadata_bytes = size});
  BOOST_TEST(fits[0].size() == 1u);
  const auto exceeds = tgmap::archive::from_memory(span_of(data), {.max_metadata_bytes = size - 1});
  TGMAP_THROWS(exceeds[0].size(), tgmap::errc::metadata_limit);
}

BOOST_AUTO_TEST_SUITE_END()
