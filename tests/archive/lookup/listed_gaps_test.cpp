// SPDX-License-Identifier: Apache-2.0
// After a frame that an index lists there are few zeros, and then a frame or the end.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/samples.hpp>

#include "../answers.hpp"

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(listed_gaps_test)

namespace {

message_spec spec_of(int version, where index) {
  message_spec spec;
  spec.version = version;
  spec.index = index;
  spec.metadata = where::both;
  for (unsigned n = 0; n < 3; ++n) spec.objects.push_back(bytes_object(payload_of(n, 24 + n)));
  return spec;
}

/// Both versions, both places of the index; a gap before each object, and one after the last.
template <class F>
void of_every_gap(F&& body) {
  for (const int version : {2, 3})
    for (const where index : {where::header, where::footer})
      for (std::size_t gap = 0; gap < 4; ++gap)
        BOOST_TEST_CONTEXT("version " << version << ", index " << static_cast<int>(index) << ", gap " << gap)
  body(spec_of(version, index), gap);
}

tgmap::failure size_failure(const bytes& data, const tgmap::open_options& options = {}) {
  const auto archive = tgmap::archive::from_memory(span_of(data), options);
  tgmap::failure why;
  (void)archive[0].size(why);
  return why;
}

std::size_t check_one_answer(const bytes& data) {
  const auto by_walk = answers_of(tgmap::archive::from_memory(span_of(data), {.lookup = tgmap::object_lookup::walk}));
  std::size_t errors = 0;
  in_every_mode(data, [&](const tgmap::archive& archive) { errors += check_answers(answers_of(archive), by_walk); });
  return errors;
}

/// Returns the end of the frame before a gap.
std::uint64_t end_before(const built_message& in, std::size_t gap) {
  std::uint64_t end = 0;
  const std::uint64_t before = gap < in.objects.size() ? in.objects[gap] : in.objects.back() + 1;
  for (const auto& frame : in.frames)
    if (frame.offset < before) end = frame.offset + frame.length;
  return end;
}

constexpr std::size_t nothing_found = 3 * 3;  // three missing objects, in three questions

}  // namespace

BOOST_AUTO_TEST_CASE(zeros_up_to_4095_are_padding) {
  of_every_gap([](message_spec spec, std::size_t gap) {
    spec.junk_before[gap] = bytes(4000, '\0');  // an index in the header grows with the offsets
    const std::uint64_t end = end_before(build(spec), gap), alignment = (end + 7) / 8 * 8 - end;
    const std::uint64_t max_zeros = (4095 - alignment) / 8 * 8;  // the builder aligns the next frame, too
    for (const std::uint64_t zeros : {std::uint64_t{8}, std::uint64_t{100}, std::uint64_t{3000}, max_zeros}) {
      spec.junk_before[gap] = bytes(zeros, '\0');
      const bytes data = message(spec);
      TGMAP_SUCCEEDED(size_failure(data));
      BOOST_TEST(check_one_answer(data) == 6 * nothing_found);
    }
    spec.junk_before[gap] = bytes(4096 - alignment, '\0');
    const bytes data = message(spec);
    const tgmap::failure why = size_failure(data);
    TGMAP_FAILED(why, errc::padding_too_long);
    BOOST_TEST(why.expected == 4095u);
    BOOST_TEST(why.found >= 4096u);
    BOOST_TEST(check_one_answer(data) > 6 * nothing_found);
  });
}

BOOST_AUTO_TEST_CASE(a_lower_limit_of_padding) {
  message_spec spec = spec_of(3, where::header);
  spec.junk_before[1] = bytes(800, '\0');
  const bytes data = message(spec);
  TGMAP_SUCCEEDED(size_failure(data, {.max_padding = 800}));
  TGMAP_FAILED(size_failure(data, {.max_padding = 700}), errc::padding_too_long);
  TGMAP_SUCCEEDED(size_failure(message(spec_of(3, where::header)), {.max_padding = 0}));
}

BOOST_AUTO_TEST_CASE(a_nonzero_byte_is_not_padding) {
  of_every_gap([](message_spec spec, std::size_t gap) {
    for (const std::size_t size : {8u, 100u, 4000u})
      for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
        spec.junk_before[gap] = bytes(size, '\0');
        spec.junk_before[gap][at] = 'j';
        const built_message built = build(spec);
        const tgmap::failure why = size_failure(built.data);
        TGMAP_FAILED(why, errc::not_a_frame);
        BOOST_TEST(why.expected == end_before(built, gap));
        BOOST_TEST(built.data.at(why.found) == 'j');
        BOOST_TEST(why.offset == why.found);
        BOOST_TEST(check_one_answer(built.data) > 6 * nothing_found);
      }
  });
}

// No reader looks at the bytes up to the next multiple of 8, and no answer depends on them.
BOOST_AUTO_TEST_CASE(bytes_of_the_alignment_do_not_matter) {
  of_every_gap([](const message_spec& spec, std::size_t gap) {
    built_message built = build(spec);
    const std::uint64_t end = end_before(built, gap);
    if (end % 8 == 0) return;
    built.data.at(end) = 'j';
    TGMAP_SUCCEEDED(size_failure(built.data));
    BOOST_TEST(check_one_answer(built.data) == 6 * nothing_found);
  });
}

BOOST_AUTO_TEST_CASE(a_gap_after_a_frame_without_end) {
  of_every_gap([](message_spec spec, std::size_t gap) {
    if (gap == 0) return;  // header frames are walked
    spec.junk_before[gap] = bytes(16, '\0');
    built_message built = build(spec);
    built.data.at(end_before(built, gap) - 1) = 'x';
    const tgmap::failure why = size_failure(built.data);
    TGMAP_FAILED(why, errc::missing_frame_end);
    BOOST_TEST(why.offset == built.objects[gap - 1]);
    BOOST_TEST(why.expected == get_u64(built.data, built.objects[gap - 1] + 8));
    BOOST_TEST(check_one_answer(built.data) > 6 * nothing_found);
  });
}

BOOST_AUTO_TEST_CASE(a_missing_end_is_found_with_the_object) {
  built_message built = build(spec_of(3, where::header));
  built.data.at(end_before(built, 1) - 1) = 'x';
  in_every_mode(built.data, [](const tgmap::archive& archive) {
    tgmap::failure why;
    (void)archive[0].at(0, why);
    TGMAP_FAILED(why, errc::missing_frame_end);
  });
}

// The walk looks for the next frame at the next multiple of 8.
BOOST_AUTO_TEST_CASE(an_object_within_the_alignment_of_the_one_before) {
  for (const bool preceded : {false, true}) {
    message_spec spec = spec_of(3, where::footer);
    if (preceded) spec.objects[1].preceder = cbor::map({cbor::key("p", cbor::text("odd"))});
    built_message built = build(spec);
    const std::uint64_t end = end_before(built, 1), alignment = built.objects[1] - end;
    BOOST_TEST_REQUIRE(alignment > 0u);
    static std::uint64_t moved;
    moved = alignment;
    spec.lie = [](index_spec& index) {
      for (std::size_t j = 1; j < index.offsets.size(); ++j) index.offsets[j] -= moved;
    };
    built = build(spec);
    built.data.erase(end, alignment);
    built.data.insert(built.postamble - alignment, alignment, '\0');
    put_u64(built.data, built.postamble, built.first_footer - alignment);
    fix_length(built.data);
    TGMAP_FAILED(size_failure(built.data), errc::bad_index_offset);
    BOOST_TEST(check_one_answer(built.data) > 6 * nothing_found);
  }
}

BOOST_AUTO_TEST_SUITE_END()
