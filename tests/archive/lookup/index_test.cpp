// SPDX-License-Identifier: Apache-2.0
// Header index, footer index and frame walk give the same answer.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <vector>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(index_test)

namespace {

message_spec several(int version, unsigned count) {
  message_spec spec;
  spec.version = version;
  for (unsigned n = 0; n < count; ++n) {
    spec.objects.push_back(bytes_object(payload_of(n, 11 + 7 * n % 50)));
    if (n % 3 == 1) spec.objects.back().preceder = cbor::map({cbor::key("n", cbor::unsigned_integer(n))});
    if (n % 4 == 2) spec.objects.back().cbor_first = true;
  }
  return spec;
}

void check_objects(const bytes& data, unsigned count, tgmap::index_location layout) {
  in_every_mode("lead" + data, [&](const tgmap::archive& archive) {
    const auto m = archive.at_offset(4);
    BOOST_TEST(m.index_location() == layout);
    BOOST_TEST_REQUIRE(m.size() == count);
    for (unsigned n = count; n-- > 0;) {
      const auto object = m[n];
      BOOST_TEST(object.index() == n);
      BOOST_TEST(view_of(object.payload()) == payload_of(n, 11 + 7 * n % 50));
      BOOST_TEST(object.frame().offset() + (n % 4 == 2 ? 16 : 0) <= object.payload_offset());
      BOOST_TEST(object.verify() == tgmap::hash_result::match);
    }
    TGMAP_THROWS(m[count], tgmap::errc::out_of_range);
    tgmap::failure why;
    (void)m.at(~std::size_t{0}, why);
    TGMAP_FAILED(why, tgmap::errc::out_of_range);
    BOOST_TEST(why.expected == count);
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(objects_are_found_by_every_layout) {
  const std::vector<std::pair<where, tgmap::index_location>> places = {{where::none, tgmap::index_location::none},
                                                                       {where::header, tgmap::index_location::header},
                                                                       {where::footer, tgmap::index_location::footer},
                                                                       {where::both, tgmap::index_location::both}};
  for (const int version : {2, 3})
    for (const unsigned count : {1u, 2u, 9u})
      for (const auto how : {writing::buffered, writing::streamed, writing::backfilled})
        for (const auto& [place, layout] : places) {
          if (version == 2 && how == writing::backfilled) continue;
          message_spec spec = several(version, count);
          spec.writing = how;
          spec.index = place;
          BOOST_TEST_CONTEXT("version " << version << ", " << count << " objects, layout " << to_string_view(layout))
          check_objects(message(spec), count, layout);
        }
}

BOOST_AUTO_TEST_CASE(many_objects_are_all_found) {
  for (const int version : {2, 3}) check_objects(message(several(version, 3000)), 3000, tgmap::index_location::header);
  message_spec spec = several(3, 3000);
  spec.writing = writing::streamed;
  check_objects(message(spec), 3000, tgmap::index_location::footer);
}

BOOST_AUTO_TEST_CASE(flags_are_hints_only) {
  for (const int version : {2, 3})
    for (const std::uint16_t flags :
         {std::uint16_t{0}, std::uint16_t{0x0f}, std::uint16_t{0xff0f}, std::uint16_t{0x7f}}) {
      message_spec spec = several(version, 4);
      spec.flags = static_cast<std::uint16_t>(version == 3 ? flags | 0x80u : flags);
      check_objects(message(spec), 4, tgmap::index_location::header);
      spec.index = where::footer;
      check_objects(message(spec), 4, tgmap::index_location::footer);
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_first_footer_offset_loses_no_object) {
  for (const int version : {2, 3})
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{24}, std::uint64_t{33}, ~std::uint64_t{0}}) {
      message_spec spec = several(version, 4);
      spec.index = where::footer;
      bytes data = message(spec);
      put_u64(data, data.size() - (version == 2 ? 16 : 24), offset);
      BOOST_TEST_CONTEXT("version " << version << ", footer at " << offset) {
        const auto archive = tgmap::archive::from_memory(span_of(data), {.lookup = tgmap::object_lookup::walk});
        BOOST_TEST(archive[0].size() == 4u);
        BOOST_TEST(view_of(archive[0][3].payload()) == payload_of(3, 32));
      }
    }
}

BOOST_AUTO_TEST_CASE(index_lengths_of_old_streams_are_payload_lengths) {
  message_spec spec = several(2, 3);
  spec.writing = writing::streamed;
  spec.lie = [](index_spec& index) { index.lengths = {11, 18, 25}; };
  check_objects(message(spec), 3, tgmap::index_location::footer);
}

BOOST_AUTO_TEST_CASE(an_index_may_be_written_in_other_ways) {
  message_spec spec = several(3, 2);
  const auto wide = [](std::uint64_t n) { return cbor::wide_head(0, n, 8); };
  spec.index = where::none;
  spec.footer_frames = {{.type = 6}};
  for (int round = 0; round < 2; ++round) {  // a footer does not move the objects that it lists
    const auto laid_out = build(spec);
    std::vector<bytes> offsets, lengths;
    for (const auto at : laid_out.objects) {
      offsets.push_back(wide(at));
      lengths.push_back(wide(get_u64(laid_out.data, at + 8)));
    }
    spec.footer_frames[0].body =
        cbor::map_until_break({cbor::key("other", cbor::array({cbor::text("x"), cbor::null()})),
                               cbor::key("offsets", cbor::array_until_break(offsets)),
                               cbor::key("lengths", cbor::array_until_break(lengths))}) +
        "behind the item";
  }
  check_objects(message(spec), 2, tgmap::index_location::footer);
}

BOOST_AUTO_TEST_SUITE_END()
