// SPDX-License-Identifier: Apache-2.0
// Cached metadata entries of messages with many objects, valid and invalid.
#include "../metadata/read_metadata.hpp"

using namespace tgmap_test;
using tgmap::cbor_kind;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(metadata_record_test)

namespace {

const inner::metadata_record* entries_of(const one_message& in) {
  const auto* const record = in.state->objects().find(in.message);
  return record == nullptr ? nullptr : record->entries.load();
}

}  // namespace

BOOST_AUTO_TEST_CASE(entries_of_messages_with_many_objects_are_cached) {
  for (const unsigned objects : {16u, 17u, 300u}) {
    std::vector<bytes> base;
    for (unsigned i = 0; i < objects; ++i) base.push_back(text_map("a", std::string(i % 50, 'x') + std::to_string(i)));
    loaded_message t(cbor::map({cbor::key("base", objects == 17 ? cbor::array_until_break(base) : cbor::array(base))}),
                     3, objects);
    TGMAP_SUCCEEDED(t.why);
    const auto* kept = entries_of(t.in);
    BOOST_REQUIRE((kept != nullptr) == (objects >= inner::min_cached_objects));
    if (kept != nullptr) BOOST_TEST(kept->list.size() == objects);
    for (unsigned i = 0; i < objects; ++i) {
      tgmap::cbor_view entry;
      TGMAP_SUCCEEDED(t.entry(i, entry));
      BOOST_REQUIRE(entry.find("a")->text().ends_with(std::to_string(i)));
    }
    inner::metadata_sections again;
    TGMAP_SUCCEEDED(inner::read_sections(*t.in.state, t.in.message, t.structure, objects - 1, again));
    BOOST_TEST(again.top.bytes_to_end().data() == t.sections.top.bytes_to_end().data());
    BOOST_TEST(again.entry.bytes_to_end().data() == t.entry(objects - 1).bytes_to_end().data());
  }
}

BOOST_AUTO_TEST_CASE(invalid_entries_are_errors_from_the_cache_too) {
  const std::vector<bytes> sound(20, text_map("a", "1"));
  std::vector<bytes> one_number = sound;
  one_number[7] = cbor::integer(1);
  one_number[8] = cbor::null();
  // Asks twice: the first call reads the frame, the second uses the cache.
  const auto both_times = [](const bytes& body, std::uint64_t object, const auto& check) {
    const one_message in(loaded_message::build(body, 3, 20));
    inner::message_structure structure;
    TGMAP_SUCCEEDED(inner::find_structure(*in.state, in.message, structure));
    for (unsigned round = 0; round < 2; ++round) {
      inner::metadata_sections sections;
      check(inner::read_sections(*in.state, in.message, structure, object, sections), sections);
      BOOST_REQUIRE((entries_of(in) != nullptr));
    }
  };
  const auto base = [](const bytes& item) { return cbor::map({cbor::key("base", item)}); };
  const auto refused = [](errc code, std::uint64_t expected, std::uint64_t found) {
    return [=](const tgmap::failure& why, const inner::metadata_sections&) {
      TGMAP_FAILED(why, code);
      BOOST_TEST(why.expected == expected);
      BOOST_TEST(why.found == found);
    };
  };
  const auto entry_is = [](cbor_kind wanted) {
    return [=](const tgmap::failure& why, const inner::metadata_sections& sections) {
      TGMAP_SUCCEEDED(why);
      BOOST_TEST(sections.entry.kind() == wanted);
    };
  };
  const auto number_of = [](cbor_kind k) { return static_cast<std::uint64_t>(k); };
  both_times(base(cbor::array(one_number)), 7,
             refused(errc::wrong_kind, number_of(cbor_kind::map), number_of(cbor_kind::integer)));
  both_times(base(cbor::array(one_number)), 6, entry_is(cbor_kind::map));
  both_times(base(cbor::array(one_number)), 8, entry_is(cbor_kind::null));
  both_times(base(cbor::array(std::vector<bytes>(21, cbor::null()))), 3, refused(errc::base_count_mismatch, 20, 21));
  both_times(base(cbor::array(std::vector<bytes>(21, cbor::null()))), inner::object_sink::none,
             entry_is(cbor_kind::null));
  both_times(base(cbor::integer(5)), 3,
             refused(errc::wrong_kind, number_of(cbor_kind::array), number_of(cbor_kind::integer)));
  both_times(base(cbor::null()), 3, entry_is(cbor_kind::null));
  both_times(text_map("a", "1"), 3, entry_is(cbor_kind::null));
  both_times(base(cbor::array({})), 3, entry_is(cbor_kind::null));
}

BOOST_AUTO_TEST_SUITE_END()
