// SPDX-License-Identifier: Apache-2.0
// A wrong length in an index could hide frames: it is an error, and the walk finds the frames.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>

#include "../answers.hpp"

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(hidden_frames_test)

namespace {

/// Makes `objects` objects of at least `size` bytes. Metadata in the footer has another "x" than metadata in the
/// header.
message_spec spec_of(std::size_t objects, std::size_t size, int version, where index, where metadata) {
  message_spec spec;
  spec.version = version;
  spec.index = index;
  spec.metadata = metadata;
  for (unsigned n = 0; n < objects; ++n) {
    spec.objects.push_back(bytes_object(payload_of(n, size + 3 * n)));
    spec.base.push_back(cbor::map({cbor::key("n", cbor::unsigned_integer(n))}));
  }
  const auto saying = [&](const char* x) {
    std::vector<cbor::pair> top{cbor::key("base", cbor::array(spec.base)),
                                cbor::key("_extra_", cbor::map({cbor::key("x", cbor::text(x))}))};
    if (version == 2) top.push_back(cbor::key("version", cbor::integer(2)));
    return cbor::map(top);
  };
  spec.header_metadata = saying("header");
  spec.footer_metadata = saying("footer");
  return spec;
}

/// Each version, index in header, footer and both, metadata in the header and in both; small and large objects.
template <class F>
void of_every_make(std::size_t objects, F&& body) {
  for (const int version : {2, 3})
    for (const where index : {where::header, where::footer, where::both})
      for (const where metadata : {where::header, where::both})
        for (const std::size_t size : {std::size_t{24}, std::size_t{30'000}})
          BOOST_TEST_CONTEXT("version " << version << ", index " << static_cast<int>(index) << ", metadata "
                                        << static_cast<int>(metadata) << ", " << size << " bytes")
  body(spec_of(objects, size, version, index, metadata));
}

/// The object that a wrong index is wrong about. The changes are plain functions.
std::size_t lied = 0;
std::uint64_t by = 0;

void omit(index_spec& index, std::size_t which) {
  const auto at = static_cast<std::ptrdiff_t>(which);
  index.offsets.erase(index.offsets.begin() + at);
  index.lengths.erase(index.lengths.begin() + at);
  if (index.count) --*index.count;
}

/// Makes the object before cover the omitted one up to its last byte, which ends as frames do.
void cover(index_spec& index) {
  index.lengths.at(lied - 1) = index.offsets.at(lied) + index.lengths.at(lied) - index.offsets.at(lied - 1);
  omit(index, lied);
}

/// The same, up to the beginning of the next object.
void cover_up_to_next(index_spec& index) {
  index.lengths.at(lied - 1) = index.offsets.at(lied + 1) - index.offsets.at(lied - 1);
  omit(index, lied);
}

/// Checks that each kind of lookup agrees with the walk or fails, in any order of calls.
std::size_t check_one_answer(const bytes& data) {
  const auto by_walk = answers_of(tgmap::archive::from_memory(span_of(data), {.lookup = tgmap::object_lookup::walk}));
  std::size_t errors = 0;
  for (const bool backwards : {false, true})
    in_every_mode(
        data, [&](const tgmap::archive& archive) { errors += check_answers(answers_of(archive, backwards), by_walk); });
  return errors;
}

tgmap::failure size_failure(const bytes& data) {
  const auto archive = tgmap::archive::from_memory(span_of(data));
  tgmap::failure why;
  (void)archive[0].size(why);
  return why;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_messages_have_one_answer_and_no_error) {
  of_every_make(4, [](const message_spec& spec) {
    const bytes data = message(spec);
    TGMAP_SUCCEEDED(size_failure(data));
    BOOST_TEST(check_one_answer(data) == 2u * 6 * 2 * 3);  // four of six objects are affected
  });
}

BOOST_AUTO_TEST_CASE(a_length_that_covers_an_object) {
  of_every_make(4, [](message_spec spec) {
    for (lied = 1; lied < 4; ++lied)
      for (const auto lie : {cover, cover_up_to_next}) {
        if (lie == cover_up_to_next && lied == 3) continue;
        spec.lie = lie;
        const bytes data = message(spec);
        const tgmap::failure why = size_failure(data);
        TGMAP_FAILED(why, errc::index_length_mismatch);
        BOOST_TEST(why.object == static_cast<std::int64_t>(lied) - 1);
        BOOST_TEST(why.expected > why.found);
        BOOST_TEST(check_one_answer(data) > 0u);
      }
  });
}

BOOST_AUTO_TEST_CASE(an_omitted_object_between_listed_ones) {
  of_every_make(3, [](message_spec spec) {
    for (lied = 0; lied < 3; ++lied) {
      spec.lie = [](index_spec& index) { omit(index, lied); };
      const bytes data = message(spec);
      TGMAP_FAILED(size_failure(data), errc::index_incomplete);
      BOOST_TEST(check_one_answer(data) > 0u);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_length_that_differs_from_the_frame) {
  of_every_make(3, [](message_spec spec) {
    for (lied = 0; lied < 3; ++lied)
      for (const std::uint64_t change : {std::uint64_t{8}, ~std::uint64_t{7}, std::uint64_t{1}}) {
        by = change;
        spec.lie = [](index_spec& index) { index.lengths.at(lied) += by; };
        const bytes data = message(spec);
        BOOST_TEST(size_failure(data));
        BOOST_TEST(check_one_answer(data) > 0u);
      }
  });
}

BOOST_AUTO_TEST_CASE(an_offset_near_the_frame) {
  of_every_make(3, [](message_spec spec) {
    for (lied = 0; lied < 3; ++lied)
      for (const std::uint64_t change : {std::uint64_t{8}, ~std::uint64_t{7}}) {
        by = change;
        spec.lie = [](index_spec& index) { index.offsets.at(lied) += by; };
        const bytes data = message(spec);
        BOOST_TEST(size_failure(data));
        BOOST_TEST(check_one_answer(data) > 0u);
      }
  });
}

// Up to the end of the metadata in the footer, which ends as frames do.
BOOST_AUTO_TEST_CASE(a_length_that_covers_the_metadata_of_the_footer) {
  of_every_make(3, [](message_spec spec) {
    if (spec.metadata != where::both) return;
    const built_message sound = build(spec);
    for (const auto& frame : sound.frames)
      if (frame.type == 7) by = frame.offset + frame.length - sound.objects.back();
    spec.lie = [](index_spec& index) { index.lengths.back() = by; };
    const bytes data = message(spec);
    const tgmap::failure why = size_failure(data);
    TGMAP_FAILED(why, errc::index_length_mismatch);
    BOOST_TEST(why.object == 2);
    BOOST_TEST(check_one_answer(data) > 0u);
  });
}

BOOST_AUTO_TEST_CASE(the_index_in_use_is_compared_if_two_differ) {
  for (const bool header_lies : {true, false}) {
    message_spec spec = spec_of(3, 24, 3, header_lies ? where::footer : where::header, where::both);
    const built_message sound = build(spec);
    frame_spec other{.type = static_cast<std::uint16_t>(header_lies ? 2 : 6)};
    for (int round = 0; round < 4; ++round) {  // an index in the header moves the objects that it lists
      const built_message moved = build(spec);
      index_spec index{moved.objects, {}};
      for (const auto at : moved.objects) index.lengths.push_back(get_u64(moved.data, at + 8));
      lied = 1;
      cover(index);
      other.body = cbor::map(
          {cbor::key("lengths", cbor::numbers(index.lengths)), cbor::key("offsets", cbor::numbers(index.offsets))});
      (header_lies ? spec.header_frames : spec.footer_frames) = {other};
    }
    const bytes data = message(spec);
    if (header_lies)
      TGMAP_FAILED(size_failure(data), errc::index_length_mismatch);
    else
      TGMAP_SUCCEEDED(size_failure(data));
    check_one_answer(data);
  }
}

// In a short message all of many objects are compared; in a long one the last, and each object that is accessed.
BOOST_AUTO_TEST_CASE(many_objects_are_compared_at_the_end_and_on_access) {
  for (const where index : {where::header, where::footer}) {
    message_spec spec = spec_of(40, 24, 3, index, where::both);
    lied = 20;
    spec.lie = cover;
    TGMAP_FAILED(size_failure(message(spec)), errc::index_length_mismatch);

    spec = spec_of(40, 10'000, 3, index, where::both);
    spec.lie = [](index_spec& changed_index) { changed_index.lengths.back() += 8; };
    const tgmap::failure why = size_failure(message(spec));
    TGMAP_FAILED(why, errc::index_length_mismatch);
    BOOST_TEST(why.expected == why.found + 8);
    BOOST_TEST(why.object == 39);

    spec.lie = cover;
    in_every_mode(message(spec), [](const tgmap::archive& archive) {
      const bool walked = archive[0].size() == 40;
      tgmap::failure refused;
      (void)archive[0].at(19, refused);
      BOOST_TEST(static_cast<bool>(refused) == !walked);
      if (walked) return;
      TGMAP_FAILED(refused, errc::index_length_mismatch);
      BOOST_TEST(refused.object == 19);
    });
  }
}

BOOST_AUTO_TEST_CASE(files_with_wrong_structure) {
  const auto shared = shared_data_or_skip("3 files whose index lies");
  if (!shared) return;
  for (const auto& [name, lies] : {std::pair{"lie0.tgm", false}, {"lie8.tgm", true}, {"hidden.tgm", true}}) {
    const auto path = *shared / "data" / "hostile" / name;
    if (!std::filesystem::exists(path)) {
      say_skipped(name, "not among the shared data");
      continue;
    }
    const bytes data = read_file(path);
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(static_cast<bool>(size_failure(data)) == lies);
      check_one_answer(data);
      tgmap::failure why;
      const auto archive = tgmap::archive::from_memory(span_of(data));
      const tgmap::message_summary keys = archive[0].summary(why);
      BOOST_TEST(static_cast<bool>(why) == lies);
      if (!lies) BOOST_TEST(keys.first_object_metadata.find("param").value().text() == "msl");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
