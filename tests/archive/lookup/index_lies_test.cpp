// SPDX-License-Identifier: Apache-2.0
// A wrong index is an error. A walk over the frames does not need the index.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/samples.hpp>
#include <vector>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(index_lies_test)

namespace {

message_spec three(int version) {
  message_spec spec;
  spec.version = version;
  for (unsigned n = 0; n < 3; ++n) spec.objects.push_back(bytes_object(payload_of(n, 20 + n)));
  spec.objects[1].preceder = cbor::map({cbor::key("n", cbor::integer(1))});
  return spec;
}

/// Returns the first failure of asking for everything.
tgmap::failure first_failure(const tgmap::message& m) {
  tgmap::failure why;
  const std::size_t count = m.size(why);
  for (std::size_t j = 0; j < count && !why; ++j) {
    const auto object = m.at(j, why);
    if (!why && view_of(object.payload()) != payload_of(static_cast<unsigned>(j), 20 + j))
      BOOST_ERROR("object " << j << " is another one");
  }
  if (!why && count != 3) BOOST_ERROR("found " << count << " objects of 3 and no error");
  return why;
}

using lie = void (*)(index_spec&);

/// Checks the errors for both versions, with the index in header and footer. The walk must succeed.
void check_lie(lie told, std::vector<tgmap::errc> names) {
  for (const int version : {2, 3})
    for (const auto place : {where::header, where::footer}) {
      message_spec spec = three(version);
      spec.index = place;
      spec.lie = told;
      const bytes data = message(spec);
      BOOST_TEST_CONTEXT("version " << version << (place == where::header ? ", header" : ", footer")) {
        const auto archive = tgmap::archive::from_memory(span_of(data));
        const auto why = first_failure(archive[0]);
        bool named = false;
        for (const auto one : names) named = named || why.code == tgmap::make_error_code(one);
        BOOST_TEST(named, "the lie is called \"" << why.text() << "\"");
        BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::corrupt)));
        const auto walking = tgmap::archive::from_memory(span_of(data), {.lookup = tgmap::object_lookup::walk});
        TGMAP_SUCCEEDED(first_failure(walking[0]));
      }
    }
}

}  // namespace

using tgmap::errc;

BOOST_AUTO_TEST_CASE(an_offset_near_a_frame) {
  check_lie([](index_spec& index) { index.offsets.at(1) += 8; },
            {errc::not_a_frame, errc::bad_index_offset, errc::index_incomplete, errc::frame_exceeds_message});
  check_lie([](index_spec& index) { index.offsets.at(0) += 1; },
            {errc::not_a_frame, errc::bad_index_offset, errc::index_incomplete, errc::frame_exceeds_message});
}

BOOST_AUTO_TEST_CASE(an_offset_at_another_frame) {
  check_lie([](index_spec& index) { index.offsets.at(0) = 24; }, {errc::not_an_object, errc::bad_index_offset});
}

BOOST_AUTO_TEST_CASE(an_offset_outside_the_message) {
  check_lie([](index_spec& index) { index.offsets.at(2) = 0; }, {errc::bad_index_offset});
  check_lie([](index_spec& index) { index.offsets.at(2) += 100000; },
            {errc::bad_index_offset, errc::frame_exceeds_message});
  check_lie([](index_spec& index) { index.offsets.at(2) = std::uint64_t{1} << 63; },
            {errc::bad_index_offset, errc::frame_exceeds_message});
  check_lie([](index_spec& index) { index.offsets.at(2) = ~std::uint64_t{0}; },
            {errc::bad_index_offset, errc::frame_exceeds_message});
}

BOOST_AUTO_TEST_CASE(offsets_in_another_order) {
  check_lie([](index_spec& index) { std::swap(index.offsets.at(0), index.offsets.at(1)); },
            {errc::bad_index_offset, errc::index_incomplete});
}

BOOST_AUTO_TEST_CASE(the_same_object_twice) {
  check_lie([](index_spec& index) { index.offsets.at(1) = index.offsets.at(0); }, {errc::bad_index_offset});
}

// A length of 0 covers nothing: the object could be listed again and again without any missing bytes.
BOOST_AUTO_TEST_CASE(the_same_object_many_times_with_zero_lengths) {
  check_lie(
      [](index_spec& index) {
        index.offsets.insert(index.offsets.begin(), 1000, index.offsets[0]);
        index.lengths.insert(index.lengths.begin(), 1000, 0);
        index.count = index.offsets.size();
      },
      {errc::frame_too_short});
}

BOOST_AUTO_TEST_CASE(lengths_below_the_minimum) {
  for (const lie told :
       {lie([](index_spec& index) { index.lengths[2] = 0; }), lie([](index_spec& index) { index.lengths[2] = 27; })})
    check_lie(told, {errc::frame_too_short});
}

BOOST_AUTO_TEST_CASE(an_omitted_object) {
  check_lie(
      [](index_spec& index) {
        index.offsets.pop_back();
        index.lengths.pop_back();
        if (index.count) --*index.count;
      },
      {errc::index_incomplete});
  check_lie(
      [](index_spec& index) {
        index.offsets.erase(index.offsets.begin());
        index.lengths.erase(index.lengths.begin());
        if (index.count) --*index.count;
      },
      {errc::index_incomplete});
  check_lie(
      [](index_spec& index) {
        index.offsets.erase(index.offsets.begin() + 1);
        index.lengths.erase(index.lengths.begin() + 1);
        if (index.count) --*index.count;
      },
      {errc::index_incomplete});
}

BOOST_AUTO_TEST_CASE(an_index_without_any_object) {
  check_lie(
      [](index_spec& index) {
        index.offsets.clear();
        index.lengths.clear();
        if (index.count) index.count = 0;
      },
      {errc::index_incomplete});
}

BOOST_AUTO_TEST_CASE(counts_that_disagree) {
  for (const int version : {2, 3}) {
    message_spec spec = three(version);
    if (version == 2)
      spec.lie = [](index_spec& index) { index.count = 4; };
    else
      spec.lie = [](index_spec& index) { index.lengths.push_back(1); };
    const bytes data = message(spec);
    const auto archive = tgmap::archive::from_memory(span_of(data));
    const auto why = first_failure(archive[0]);
    TGMAP_FAILED(why, errc::index_count_mismatch);
    BOOST_TEST(why.expected + why.found == 7u);
  }
}

BOOST_AUTO_TEST_CASE(a_length_other_than_that_of_the_frame) {
  message_spec spec = three(3);
  spec.lie = [](index_spec& index) { index.lengths.at(2) += 1; };
  const bytes data = message(spec);
  const auto archive = tgmap::archive::from_memory(span_of(data));
  tgmap::failure why;
  (void)archive[0].at(2, why);
  TGMAP_FAILED(why, errc::index_length_mismatch);
  BOOST_TEST(why.expected == why.found + 1);
  BOOST_TEST(why.object == 2);
}

BOOST_AUTO_TEST_CASE(an_index_that_is_not_an_index) {
  for (const auto& body : {cbor::map({}), cbor::map({cbor::key("offsets", cbor::integer(1))}),
                           cbor::map({cbor::key("offsets", cbor::array({cbor::text("x")})),
                                      cbor::key("lengths", cbor::array({cbor::integer(1)}))}),
                           cbor::array({}), cbor::integer(7)}) {
    message_spec spec = three(3);
    spec.index = where::none;
    spec.header_frames = {{.type = 2, .body = body}};
    const bytes data = message(spec);
    const auto archive = tgmap::archive::from_memory(span_of(data));
    TGMAP_FAILED(first_failure(archive[0]), errc::bad_index);
    const auto walking = tgmap::archive::from_memory(span_of(data), {.lookup = tgmap::object_lookup::walk});
    TGMAP_SUCCEEDED(first_failure(walking[0]));
  }
}

BOOST_AUTO_TEST_CASE(an_index_that_is_not_cbor) {
  for (const auto& body : {bytes(), bytes("\xff"), bytes("\x9f"), bytes("\xbb\xff\xff\xff\xff\xff\xff\xff\xff", 9),
                           bytes("\xa1\x67offsets\x9b\x7f\xff\xff\xff\xff\xff\xff\xff", 18)}) {
    message_spec spec = three(3);
    spec.index = where::none;
    spec.header_frames = {{.type = 2, .body = body}};
    const bytes data = message(spec);
    const auto archive = tgmap::archive::from_memory(span_of(data));
    const auto why = first_failure(archive[0]);
    BOOST_TEST(
        (why.code == tgmap::make_error_code(errc::bad_cbor) || why.code == tgmap::make_error_code(errc::bad_index)),
        why.text());
  }
}

BOOST_AUTO_TEST_CASE(a_bad_index_is_reported_with_its_offset) {
  message_spec spec = numbered_spec(1);
  spec.lie = [](index_spec& index) { index.count = 7; };
  const bytes data = numbered(0) + message(spec);
  const auto archive = open(data);
  tgmap::failure why;
  (void)archive[1].size(why);
  TGMAP_FAILED(why, tgmap::errc::index_count_mismatch);
  std::uint64_t place = 0;
  for (auto frames = archive[1].frames(); const auto& frame : frames)
    if (frame.type() == tgmap::frame_type::header_index) place = frame.offset();
  BOOST_TEST(place > archive[1].offset());
  BOOST_TEST(why.offset == place);
}

BOOST_AUTO_TEST_SUITE_END()
