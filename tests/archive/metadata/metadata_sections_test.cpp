// SPDX-License-Identifier: Apache-2.0
// The sections of metadata frames in all dialects of §5.
#include "archive/metadata/metadata_sections.hpp"

#include <support/samples.hpp>

#include "read_metadata.hpp"

using namespace tgmap_test;
using tgmap::cbor_kind;
using tgmap::errc;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(metadata_sections_test)

BOOST_AUTO_TEST_CASE(the_sections_of_version_3) {
  loaded_message t(cbor::map({cbor::key("base", cbor::array({text_map("a", "0"), text_map("a", "1")})),
                              cbor::key("_extra_", text_map("e", "x")), cbor::key("_reserved_", text_map("r", "y")),
                              cbor::key("free", cbor::integer(1))}));
  TGMAP_SUCCEEDED(t.why);
  BOOST_TEST(t.sections.top.size() == 4u);
  BOOST_TEST(t.sections.extra.find("e")->text() == "x");
  BOOST_TEST(t.sections.reserved.find("r")->text() == "y");
  BOOST_TEST(t.sections.common.kind() == cbor_kind::null);
  BOOST_TEST(t.sections.hidden_top == inner::hide_sections);
  tgmap::cbor_view entry;
  TGMAP_SUCCEEDED(t.entry(1, entry));
  BOOST_TEST(entry.find("a")->text() == "1");
}

BOOST_AUTO_TEST_CASE(fewer_entries_are_padded_and_more_are_refused) {
  loaded_message few(cbor::map({cbor::key("base", cbor::array({text_map("a", "0")}))}));
  tgmap::cbor_view entry;
  TGMAP_SUCCEEDED(few.entry(1, entry));
  BOOST_TEST(entry.kind() == cbor_kind::null);
  loaded_message none(cbor::map({}));
  TGMAP_SUCCEEDED(none.entry(0, entry));
  BOOST_TEST(entry.kind() == cbor_kind::null);
  loaded_message many(cbor::map({cbor::key("base", cbor::array({cbor::map({}), cbor::map({}), cbor::map({})}))}));
  TGMAP_SUCCEEDED(many.why);
  const failure why = many.entry(0, entry);
  TGMAP_FAILED(why, errc::base_count_mismatch);
  BOOST_TEST(why.expected == 2u);
  BOOST_TEST(why.found == 3u);
}

BOOST_AUTO_TEST_CASE(sections_and_entries_are_of_their_kind) {
  for (const bytes& wrong : {cbor::map({}), cbor::integer(1), cbor::text("x")})
    TGMAP_FAILED(loaded_message(cbor::map({cbor::key("base", wrong)})).why, errc::wrong_kind);
  for (const bytes& wrong : {cbor::integer(1), cbor::text("x"), cbor::array({})}) {
    loaded_message t(cbor::map({cbor::key("base", cbor::array({cbor::map({}), wrong}))}));
    tgmap::cbor_view entry;
    TGMAP_SUCCEEDED(t.entry(0, entry));
    const failure why = t.entry(1, entry);
    TGMAP_FAILED(why, errc::wrong_kind);
    BOOST_TEST(why.expected == static_cast<std::uint64_t>(cbor_kind::map));
  }
}

BOOST_AUTO_TEST_CASE(frames_that_are_no_metadata_are_refused) {
  for (const bytes& body : {bytes(), cbor::integer(1), cbor::array({}), bytes("\xa1"),
                            cbor::map({{cbor::integer(1), cbor::null()}}), cbor::map({cbor::key("a", "\xe0")})}) {
    loaded_message t(body);
    TGMAP_FAILED(t.why, errc::bad_cbor);
    BOOST_TEST(t.why.offset == t.in.message.offset() + 24 + 16);
  }
  TGMAP_FAILED(loaded_message(cbor::map({cbor::key("a", cbor::nested(256, cbor::null()))})).why, errc::cbor_too_deep);
  TGMAP_SUCCEEDED(loaded_message(cbor::map({cbor::key("a", cbor::nested(255, cbor::null()))})).why);
  loaded_message limited(text_map("a", "long text"), 3, 2,
                         {.lookup = tgmap::object_lookup::walk, .max_metadata_bytes = 10});
  TGMAP_FAILED(limited.why, errc::metadata_limit);
}

BOOST_AUTO_TEST_CASE(dialects_of_version_2_are_distinguished) {
  const auto hidden = [](const std::vector<cbor::pair>& keys) { return loaded_message(cbor::map(keys), 2).sections; };
  const auto version = cbor::key("version", cbor::integer(2));
  const auto entries = cbor::array({text_map("a", "0"), text_map("a", "1")});

  // The current dialect: base.
  loaded_message modern(cbor::map({version, cbor::key("base", entries), cbor::key("payload", entries)}), 2);
  BOOST_TEST(modern.sections.hidden_top == (inner::hide_version | inner::hide_sections));
  BOOST_TEST(modern.entry(1).find("a")->text() == "1");

  // 0.4 and 0.5: payload is an array.
  loaded_message fourth(cbor::map({version, cbor::key("payload", entries), cbor::key("common", text_map("c", "x")),
                                   cbor::key("reserved", text_map("r", "y"))}),
                        2);
  TGMAP_SUCCEEDED(fourth.why);
  BOOST_TEST(fourth.sections.common.find("c")->text() == "x");
  BOOST_TEST(fourth.sections.reserved.find("r")->text() == "y");
  BOOST_TEST((fourth.sections.hidden_top & inner::hide_old_payload) != 0);
  BOOST_TEST((fourth.sections.hidden_top & inner::hide_old_reserved) != 0);
  BOOST_TEST((fourth.sections.hidden_entry & inner::hide_tensor) != 0);
  tgmap::cbor_view entry;
  TGMAP_SUCCEEDED(fourth.entry(1, entry));
  BOOST_TEST(entry.find("a")->text() == "1");

  // 0.2 and 0.3: payload is a map, and stays visible.
  loaded_message second(
      cbor::map({version, cbor::key("payload", text_map("p", "x")), cbor::key("reserved", text_map("r", "y"))}), 2);
  BOOST_TEST(second.entry(0).kind() == cbor_kind::null);
  BOOST_TEST((second.sections.hidden_top & inner::hide_old_payload) == 0);
  BOOST_TEST((second.sections.hidden_top & inner::hide_old_reserved) != 0);

  // 0.1: flat; the names of later sections are ordinary keys.
  const auto flat = hidden({version, cbor::key("mars", text_map("a", "b")), cbor::key("reserved", cbor::integer(1))});
  BOOST_TEST((flat.hidden_top & inner::hide_old_reserved) == 0);
  BOOST_TEST((flat.hidden_top & inner::hide_version) != 0);
}

BOOST_AUTO_TEST_CASE(old_sections_mean_nothing_in_version_3) {
  loaded_message t(
      cbor::map({cbor::key("payload", cbor::array({cbor::map({})})), cbor::key("version", cbor::integer(3))}), 3);
  TGMAP_SUCCEEDED(t.why);
  BOOST_TEST(t.entry(0).kind() == cbor_kind::null);
  BOOST_TEST(t.sections.hidden_top == inner::hide_sections);
}

BOOST_AUTO_TEST_CASE(the_last_of_repeated_sections_wins) {
  const auto t =
      loaded_message(cbor::map({cbor::key("_extra_", text_map("a", "1")), cbor::key("_extra_", text_map("a", "2"))}));
  BOOST_TEST(t.sections.extra.find("a")->text() == "2");
}

BOOST_AUTO_TEST_CASE(a_message_without_metadata_is_an_error) {
  message_spec spec;
  spec.metadata = where::none;
  const one_message in(message(spec));
  inner::metadata_sections sections;
  TGMAP_FAILED(inner::read_sections(*in.state, in.message, {}, 0, sections), errc::no_metadata);
}

BOOST_AUTO_TEST_CASE(a_preceder_has_exactly_one_entry) {
  const auto preceded = [](const bytes& body) {
    message_spec spec;
    spec.objects = {bytes_object("payload")};
    spec.frames_before[0] = {{.type = 8, .body = body}};
    const auto built = build(spec);
    const one_message in(built.data);
    std::uint64_t at = 0;
    for (const auto& frame : built.frames)
      if (frame.type == 8) at = frame.offset;
    tgmap::cbor_view out;
    const failure why = inner::preceder_entry(*in.state, in.message, at, out);
    if (!why) BOOST_TEST(out.find("a")->text() == "b");
    return why;
  };
  const bytes entry = text_map("a", "b");
  TGMAP_SUCCEEDED(preceded(cbor::map({cbor::key("base", cbor::array({entry}))})));
  TGMAP_SUCCEEDED(preceded(cbor::map({cbor::key("payload", cbor::array({entry}))})));
  for (const auto& [list, count] : {std::pair<bytes, unsigned>{cbor::array({}), 0},
                                    {cbor::array({entry, entry}), 2},
                                    {entry, 0},
                                    {cbor::integer(1), 0}}) {
    const failure why = preceded(cbor::map({cbor::key("base", list)}));
    TGMAP_FAILED(why, errc::bad_preceder);
    BOOST_TEST(why.expected == 1u);
    BOOST_TEST(why.found == count);
  }
  TGMAP_FAILED(preceded(cbor::map({})), errc::bad_preceder);
  TGMAP_FAILED(preceded(cbor::map({cbor::key("base", cbor::array({cbor::integer(1)}))})), errc::wrong_kind);
  TGMAP_FAILED(preceded("\xa1"), errc::bad_cbor);
}

BOOST_AUTO_TEST_CASE(each_section_hides_only_its_own_keys) {
  const std::pair<std::uint16_t, std::vector<std::string_view>> sets[] = {
      {inner::hide_version, {"version"}},
      {inner::hide_sections, {"base", "_extra_", "_reserved_"}},
      {inner::hide_old_reserved, {"reserved"}},
      {inner::hide_old_payload, {"payload", "common"}},
      {inner::hide_tensor, {"ndim", "shape", "strides", "dtype"}},
      {inner::hide_provenance, {"_reserved_"}}};
  std::vector<std::string_view> all{"", "a", "bas", "base2", "mars"};
  for (const auto& set : sets) all.insert(all.end(), set.second.begin(), set.second.end());
  for (unsigned bits = 0; bits < 64; ++bits)
    for (const auto key : all) {
      bool expected = false;
      for (const auto& [bit, keys] : sets)
        expected |= (bits & bit) != 0 && std::find(keys.begin(), keys.end(), key) != keys.end();
      BOOST_REQUIRE(inner::hides(static_cast<std::uint16_t>(bits), key) == expected);
    }
}

BOOST_AUTO_TEST_SUITE_END()
