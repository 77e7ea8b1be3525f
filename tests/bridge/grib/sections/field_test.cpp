// SPDX-License-Identifier: Apache-2.0
// Sections and fields of messages, as ecCodes finds them, and messages whose sections do not fit.
#include "bridge/grib/sections/field.hpp"

#include <boost/test/unit_test.hpp>
#include <support/guarded.hpp>

#include "grib_files.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge::grib;
using tgmap::failure;
using tgmap::bridge::errc;

namespace {

// Returns the first error of a message, reading all of its fields.
failure message_error(const bytes& message) {
  failure why;
  field_reader reader(span_of(message), 1000, why);
  if (why) {
    BOOST_TEST(reader.size() == 0u);
    field none;
    failure ignored;
    BOOST_TEST(!reader.next(none, ignored));
  }
  return why;
}

// Walks through a message as everybody who imports it does. Views must lie in it.
void walk(std::span<const std::byte> message) {
  failure why;
  field_reader reader(message, 0, why);
  std::size_t count = 0;
  for (field each; reader.next(each, why); ++count) {
    BOOST_REQUIRE(each.number == count);
    for (const byte_view section : each.sections)
      if (!section.empty())
        BOOST_REQUIRE(
            (section.data() >= message.data() && section.data() + section.size() <= message.data() + message.size()));
  }
  BOOST_REQUIRE((why || count == reader.size()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(grib_field)

BOOST_AUTO_TEST_CASE(sections_lie_where_eccodes_finds_them) {
  std::size_t checked = 0;
  std::map<std::string, bytes> files;
  for (const expected_field& row : expected_fields()) {
    BOOST_TEST_CONTEXT(row.file << " field " << row.number) {
      const bytes& content = files.try_emplace(row.file, grib_file(row.file)).first->second;
      const std::vector<field> fields = fields_of(span_of(content));
      BOOST_REQUIRE(row.number < fields.size());
      const field& found = fields[row.number];
      BOOST_TEST(found.edition == row.integer("edition"));
      BOOST_TEST(found.number == row.number);
      BOOST_TEST(found.fields == fields.size());
      BOOST_TEST(found.message.size() == content.size());

      // Between its offset and that of the next, ecCodes has a section. Of several fields it makes messages of their
      // own.
      const unsigned last = found.edition == 2 ? 7 : 4;
      std::int64_t end = row.integer("totalLength") - 4;
      for (unsigned number = last; number > 0; --number) {
        const auto offset = row.integer_if_any("offsetSection" + std::to_string(number));
        const byte_view section = found.sections[number];
        BOOST_TEST(section.empty() == !offset.has_value());
        if (!offset) continue;
        // A bitmap of an earlier field is there in ecCodes' message.
        const bool is_shared = number == 6 && row.file == "several_fields" && row.number == 1;
        const byte_view shown = is_shared ? found.bitmap_section : section;
        BOOST_TEST(static_cast<std::int64_t>(shown.size()) == end - *offset);
        if (fields.size() == 1) BOOST_TEST(section.data() - found.message.data() == *offset);
        end = *offset;
        ++checked;
      }
      BOOST_TEST(view_of(found.sections[found.edition == 2 ? 8 : 5]) == "7777");
      BOOST_TEST(view_of(found.sections[0]) == content.substr(0, found.edition == 2 ? 16 : 8));
    }
  }
  BOOST_TEST(checked > 250u);
}

BOOST_AUTO_TEST_CASE(fields_of_one_message_share_sections) {
  const bytes content = grib_file("several_fields");
  const std::vector<field> fields = fields_of(span_of(content));
  BOOST_REQUIRE(fields.size() == 4u);
  BOOST_TEST(fields[0].first_section == 0u);
  BOOST_TEST(fields[1].first_section == 4u);
  BOOST_TEST(fields[2].first_section == 3u);
  BOOST_TEST(fields[3].first_section == 2u);
  const auto shared = [&](std::size_t a, std::size_t b, unsigned number) {
    return fields[a].sections[number].data() == fields[b].sections[number].data();
  };
  BOOST_TEST((shared(0, 1, 1) && shared(0, 3, 1)));
  BOOST_TEST((shared(0, 1, 3) && !shared(0, 2, 3)));
  BOOST_TEST((!shared(0, 1, 4) && !shared(0, 1, 7)));
  BOOST_TEST((fields[2].sections[2].empty() && !fields[3].sections[2].empty()));

  // The second field uses the bitmap of the first. The third has none, the fourth one of its own.
  BOOST_TEST((fields[0].bitmap_section.data() == fields[0].sections[6].data()));
  BOOST_TEST((fields[1].bitmap_section.data() == fields[0].sections[6].data()));
  BOOST_TEST(fields[1].sections[6].size() == 6u);
  BOOST_TEST(fields[2].bitmap_section.empty());
  BOOST_TEST((fields[3].bitmap_section.data() == fields[3].sections[6].data()));
}

BOOST_AUTO_TEST_CASE(sections_must_come_in_their_order) {
  const bytes good = grib_file("simple_12");  // sections at 16, 37, 109, 143, 164 and 170
  const auto with_number = [&](std::size_t at, unsigned number) {
    bytes changed = good;
    changed[at + 4] = static_cast<char>(number);
    return message_error(changed);
  };
  failure why = with_number(37, 4);
  BOOST_TEST((why.code == errc::section_order && why.expected == 3 && why.found == 4 && why.offset == 1000 + 37));
  why = with_number(37, 2);  // a local section, but then a product
  BOOST_TEST((why.code == errc::section_order && why.expected == 3 && why.found == 4 && why.offset == 1000 + 109));
  why = with_number(164, 7);
  BOOST_TEST((why.code == errc::section_order && why.expected == 6 && why.found == 7));
  why = with_number(170, 255);
  BOOST_TEST((why.code == errc::section_order && why.expected == 7 && why.found == 255));
  BOOST_TEST((with_number(16, 3).code == errc::bad_indicator));
}

BOOST_AUTO_TEST_CASE(lengths_must_fit) {
  const bytes good = grib_file("simple_12");
  const auto with_length = [&](std::size_t at, std::uint64_t length) {
    bytes changed = good;
    put(changed, at, length, 4);
    return message_error(changed);
  };
  failure why = with_length(170, 750);  // the message ends within the section
  BOOST_TEST((why.code == errc::section_too_long && why.expected == 749 && why.found == 750 && why.offset == 1170));
  why = with_length(170, 748);
  BOOST_TEST((why.code == errc::unclaimed_bytes && why.found == 1 && why.offset == 1000 + 918));
  why = with_length(109, 0xFFFFFFFF);
  BOOST_TEST((why.code == errc::section_too_long && why.found == 0xFFFFFFFF));
  why = with_length(37, 13);
  BOOST_TEST((why.code == errc::section_too_short && why.expected == 14 && why.found == 13));
  for (const unsigned length : {0U, 1U, 4U, 5U, 8U})  // no loop without an end
    BOOST_TEST((with_length(109, length).code == errc::section_too_short));
  BOOST_TEST((with_length(16, 20).code == errc::bad_indicator));
  why = with_length(170, 0x37373737);  // "7777" before the end is a length
  BOOST_TEST((why.code == errc::section_too_long));

  bytes longer = good + "7777";
  BOOST_TEST((message_error(longer).code == errc::unclaimed_bytes));
  put(longer, 8, longer.size(), 8);
  why = message_error(longer);
  BOOST_TEST((why.code == errc::unclaimed_bytes && why.found == 4 && why.offset == 1000 + good.size() - 4));
  bytes unended = good;
  unended.back() = '8';
  BOOST_TEST((message_error(unended).code == errc::no_end_marker));
}

BOOST_AUTO_TEST_CASE(a_message_has_a_field) {
  const bytes good = grib_file("simple_12");
  const auto cut_behind = [&](std::size_t end) {
    bytes out = good.substr(0, end) + std::string(good.size() - 4 - end, '\0') + "7777";
    put(out, 16, out.size() - 4 - 16, 4);  // the first section takes everything
    return message_error(out);
  };
  BOOST_TEST((cut_behind(37).code == errc::bad_indicator));
  bytes half = good.substr(0, 170) + "7777";
  put(half, 8, half.size(), 8);
  const failure why = message_error(half);
  BOOST_TEST((why.code == errc::section_order && why.expected == 7 && why.found == 8 && why.offset == 1170));
}

BOOST_AUTO_TEST_CASE(the_bitmap_of_an_earlier_field_must_be_there) {
  bytes first = grib_file("simple_12");
  put_in_section(first, 6, 5, 254, 1);
  const failure why = message_error(first);
  BOOST_TEST((why.code == errc::no_bitmap && why.offset == 1164));
}

BOOST_AUTO_TEST_CASE(lengths_of_edition_1_must_add_up) {
  const bytes good = grib_file("edition_1_bitmap");
  const auto fields = fields_of(span_of(good));
  for (unsigned number = 1; number <= 4; ++number) {
    const auto at = static_cast<std::size_t>(fields[0].sections[number].data() - fields[0].message.data());
    const std::size_t length = fields[0].sections[number].size();
    for (const std::size_t other : {std::size_t{0}, std::size_t{5}, length - 1, length + 1, std::size_t{0xFFFFFF}}) {
      bytes changed = good;
      put(changed, at, other, 3);
      const failure why = message_error(changed);
      BOOST_TEST(why, "section " << number << " of " << other << " bytes");
    }
  }
  bytes without_flags = good;
  put(without_flags, 15, 0, 1);  // neither grid nor bitmap, whose bytes remain
  BOOST_TEST(message_error(without_flags));
}

// Truncated and damaged messages give errors or other fields, and nothing outside of the message is read.
BOOST_AUTO_TEST_CASE(damage_is_survived) {
  for (const char* name : {"several_fields", "edition_1_bitmap", "complex_missing_2"}) {
    const bytes good = grib_file(name);
    guarded_bytes memory(good.size());
    for (std::size_t size = 0; size < good.size(); ++size) {
      failure why;
      const field_reader reader(memory.hold(std::string_view(good).substr(0, size)), 0, why);
      BOOST_TEST((why.code == errc::message_truncated || why.code == errc::no_end_marker),
                 name << " of " << size << " bytes");
    }
    for (std::size_t at = 0; at < good.size(); ++at)
      for (const int flip : {0x01, 0x80, 0xFF}) {
        bytes changed = good;
        changed[at] = static_cast<char>(changed[at] ^ flip);
        walk(memory.hold(changed));
      }
  }
}

// The bytes of a mapping may change between the passes.
BOOST_AUTO_TEST_CASE(lengths_are_checked_again_for_each_field) {
  bytes content = grib_file("several_fields");
  failure why;
  field_reader reader(span_of(content), 0, why);
  BOOST_REQUIRE(!why);
  field each;
  BOOST_REQUIRE(reader.next(each, why));
  const auto end = static_cast<std::size_t>(each.sections[7].data() - each.message.data()) + each.sections[7].size();
  put(content, end, 0xFFFFFF00, 4);
  BOOST_TEST(!reader.next(each, why));
  BOOST_TEST((why.code == errc::section_too_long && why.offset == end));
}

BOOST_AUTO_TEST_SUITE_END()
