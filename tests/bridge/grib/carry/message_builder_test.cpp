// SPDX-License-Identifier: Apache-2.0
// GRIB messages from objects: identical to those that were imported.
#include "bridge/grib/carry/message_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <bridge/grib/carry/carried_files.hpp>
#include <bridge/grib/needs_eccodes.hpp>
#include <bridge/grib/sections/grib_files.hpp>

#include "bridge/grib/packing/aec.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(bridge_message_builder)

namespace {

void take_all(grib::message_builder& builder, bytes& out) {
  std::vector<grib::byte_view> pieces;
  while (builder.take(pieces))
    for (const auto piece : pieces) out += view_of(piece);
}

/// Returns the messages of these objects, one after the other.
bytes built(const std::vector<grib::rebuilt_source>& sources, std::uint64_t split = 0) {
  grib::message_builder builder;
  bytes out;
  for (const auto& each : sources) {
    failure why;
    builder.add(each, why);
    BOOST_TEST_REQUIRE(!why, why.text());
    take_all(builder, out);
  }
  builder.finish();
  take_all(builder, out);
  BOOST_TEST(builder.split_fields() == split);
  return out;
}

struct carried_file {
  bytes content;
  std::vector<grib::carried_field> fields{};

  explicit carried_file(const std::string& name) : content(grib_file(name)) {
    for (const auto& each : fields_of_file(span_of(content))) fields.push_back(carry(each));
  }
  std::vector<grib::rebuilt_source> sources() const {
    std::vector<grib::rebuilt_source> out;
    for (const auto& each : fields) out.push_back(source_of(each));
    return out;
  }
};

bool can_read(const std::string& name) {
  const bool is_decoded = name == "jpeg" || name == "png" || name == "logarithm" || name.ends_with("second_order") ||
                          name.ends_with("matrix") || name.ends_with("spectral");
  if (name.starts_with("ccsds") && !grib::has_aec()) return false;
  return !is_decoded || (find_eccodes() && !name.ends_with("matrix"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_file_comes_back_identical) {
  std::size_t compared = 0;
  for (const auto& name : grib_file_names()) {
    if (!can_read(name)) continue;
    BOOST_TEST_CONTEXT(name) {
      const carried_file file(name);
      BOOST_TEST((built(file.sources()) == file.content));
      ++compared;
    }
  }
  BOOST_TEST(compared >= 38u);
}

BOOST_AUTO_TEST_CASE(objects_of_an_archive_come_back_identical) {
  for (const auto* const name : {"simple_bitmap", "complex_spatial_2", "edition_1_bitmap", "ieee_64"}) {
    const carried_file file(name);
    const auto archive = archive_of(file.fields.at(0));
    const auto opened = tgmap::archive::from_memory(archive);
    const auto object = opened[0][0];
    const auto keys = tgmap::cbor_value::copy(opened[0].base(0));
    BOOST_TEST((built({{.descriptor = object.descriptor().entries,
                        .payload_and_masks = object.payload_and_masks(),
                        .base = keys.view()}}) == file.content),
               name);
  }
}

// Objects that were encoded in another way are decoded, and their values give the integers again.
BOOST_AUTO_TEST_CASE(decoded_values_come_back_identical) {
  for (const auto* const name :
       {"simple_16", "simple_12", "simple_bitmap", "simple_all_missing", "complex_spatial_2", "complex_missing_1",
        "edition_1_bitmap", "ccsds_12", "ccsds_bitmap", "simple_decimal"}) {
    if (!can_read(name)) continue;
    const carried_file file(name);
    const auto archive = archive_of(file.fields.at(0));
    const auto values = values_of(archive);
    std::vector<std::byte> missing((values.size() + 7) / 8);
    bool any = false;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::isnan(values[i])) {
        missing[i / 8] |= static_cast<std::byte>(0x80U >> i % 8);
        any = true;
      }
    auto source = source_of(file.fields.at(0));
    source.payload_and_masks = {};
    source.values = values;
    if (any) source.missing = missing;
    BOOST_TEST((built({source}) == file.content), name);
  }
}

BOOST_AUTO_TEST_CASE(changed_objects_are_refused) {
  const carried_file file("simple_16");
  const auto refused = [&](auto change, errc expected) {
    auto descriptor = file.fields[0].object.descriptor;
    auto source = source_of(file.fields[0]);
    auto values = values_of(archive_of(file.fields[0]));
    change(descriptor, source, values);
    source.descriptor = descriptor.view();
    grib::message_builder builder;
    failure why;
    builder.add(source, why);
    BOOST_TEST((why.code == expected), why.text());
    std::vector<grib::byte_view> pieces;
    BOOST_TEST(!builder.take(pieces));
  };
  using value = tgmap::cbor_value;
  using source = grib::rebuilt_source;
  using numbers = std::vector<double>;
  refused([](value& d, source&, numbers&) { d.set("sp_reference_value", 250.0); }, errc::packing_changed);
  refused([](value& d, source&, numbers&) { d.set("sp_binary_scale_factor", -9); }, errc::packing_changed);
  refused([](value& d, source&, numbers&) { d.set("sp_decimal_scale_factor", 1); }, errc::packing_changed);
  refused([](value& d, source&, numbers&) { d.set("sp_bits_per_value", 32); }, errc::packing_changed);
  refused([](value& d, source&, numbers&) { d.set("sp_bits_per_value", 15); }, errc::bad_sections);
  refused([](value& d, source&, numbers&) { d.set("compression", "zstd"); }, errc::packing_changed);
  refused([](value& d, source&, numbers&) { d.set("shape", value::array({31, 15})); }, errc::shape_changed);
  refused([](value& d, source&, numbers&) { d.set("dtype", "float99"); }, errc::bad_sections);
  refused([](value&, source& s, numbers&) { s.payload_and_masks = s.payload_and_masks.first(10); }, errc::bad_sections);
  refused([](value&, source& s, numbers& v) { v[7] += 1e-5, s.values = v; }, errc::values_changed);
  refused([](value&, source& s, numbers& v) { v[7] = 1e9, s.values = v; }, errc::values_changed);
  refused([](value&, source& s, numbers& v) { v.pop_back(), s.values = v; }, errc::shape_changed);
  const auto none = value::map();
  refused([&](value&, source& s, numbers&) { s.base = none.view(); }, errc::no_sections);
}

BOOST_AUTO_TEST_CASE(fields_of_one_message) {
  const carried_file file("several_fields");
  BOOST_TEST_REQUIRE(file.fields.size() == 4u);
  const auto all = file.sources();
  // Twice the same message, and a message between two of its fields.
  BOOST_TEST((built({all[0], all[1], all[2], all[3], all[0], all[1], all[2], all[3]}) == file.content + file.content));
  const carried_file other("simple_16");
  const bytes mixed = built({all[0], all[1], other.sources()[0], all[2], all[3]}, 4);
  // Each field is a message of its own, with the values that it had.
  const auto fields = fields_of_file(span_of(mixed));
  BOOST_TEST_REQUIRE(fields.size() == 5u);
  const std::size_t order[] = {0, 1, 99, 2, 3};
  for (std::size_t i = 0; i < 5; ++i) {
    BOOST_TEST(fields[i].fields == 1u);
    const auto& expected = order[i] == 99 ? other.fields[0] : file.fields[order[i]];
    BOOST_TEST(crc_of(values_of(archive_of(carry(fields[i])))) == crc_of(values_of(archive_of(expected))));
  }
  BOOST_TEST(fields_of_file(span_of(built({all[1]}, 1))).size() == 1u);
  BOOST_TEST(fields_of_file(span_of(built({all[3], all[2]}, 2))).size() == 2u);
}

namespace {

/// Returns the keys of a field with another byte in a section of `grib_sections`.
tgmap::cbor_value with_changed_section(const grib::carried_field& field, unsigned section, std::size_t at) {
  const auto stored = field.base.view().find("grib_sections")->get<std::span<const std::byte>>().value();
  std::vector<std::byte> changed(stored.begin(), stored.end());
  std::size_t begin = 16;
  const auto length_at = [&](std::size_t from) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < 4; ++i) out = out << 8 | std::to_integer<std::size_t>(changed[from + i]);
    return out;
  };
  while (std::to_integer<unsigned>(changed.at(begin + 4)) != section) begin += length_at(begin);
  changed.at(begin + at) ^= std::byte{1};
  tgmap::cbor_value out = field.base;
  out.set("grib_sections", tgmap::cbor_value::bytes(changed));
  return out;
}

}  // namespace

// Selecting one parameter of many messages gives fields of several messages with the numbers that one message would
// have.
BOOST_AUTO_TEST_CASE(fields_of_other_messages_are_not_joined) {
  const carried_file file("several_fields");
  const auto all = file.sources();
  std::size_t tried = 0;
  for (std::size_t i = 1; i < 4; ++i)
    for (const unsigned section : {1U, 2U, 3U}) {
      if (section > 1 && (fields_of_file(span_of(file.content))[i].first_section <= section)) continue;
      if (fields_of_file(span_of(file.content))[i].sections[section].empty()) continue;
      const auto base = with_changed_section(file.fields[i], section, section == 3 ? 60 : 8);
      auto mixed = all;
      mixed[i].base = base.view();
      const auto fields = fields_of_file(span_of(built({mixed[0], mixed[1], mixed[2], mixed[3]}, 4)));
      BOOST_TEST_REQUIRE(fields.size() == 4u);
      for (const auto& each : fields) BOOST_TEST(each.fields == 1u);
      ++tried;
    }
  BOOST_TEST(tried >= 4u);
}

BOOST_AUTO_TEST_CASE(unusual_szip_needs_values) {
  const carried_file file("ccsds_16");
  const auto needs = [&](const char* key, std::uint64_t number) {
    auto descriptor = file.fields.at(0).object.descriptor;
    descriptor.set(key, number);
    return grib::needs_values(descriptor.view());
  };
  if (!grib::has_aec()) return;
  BOOST_TEST(!needs("szip_flags", 8));
  for (const unsigned flags : {12U, 10U, 9U, 40U, 136U}) BOOST_TEST(needs("szip_flags", flags), flags);
  for (const std::uint64_t size : {0ULL, 4ULL, 24ULL, 128ULL, 65536ULL, 0xFFFFFFFFULL})
    BOOST_TEST(needs("szip_block_size", size), size);
  for (const std::uint64_t rsi : {0ULL, 4097ULL, 65536ULL}) BOOST_TEST(needs("szip_rsi", rsi), rsi);
}

BOOST_AUTO_TEST_CASE(damaged_keys) {
  std::size_t refused = 0, taken = 0;
  for (const auto* const name : {"simple_16", "simple_bitmap", "complex_spatial_2", "complex_missing_2",
                                 "edition_1_bitmap", "edition_1_ieee", "several_fields", "ccsds_12"}) {
    if (!can_read(name)) continue;
    const carried_file file(name);
    const auto& field = file.fields.back();
    for (const char* key : {"grib_sections", "grib_rest", "grib_data"}) {
      const auto stored = field.base.view().find(key);
      if (!stored) continue;
      const auto original = stored->get<std::span<const std::byte>>().value();
      const auto attempt = [&](std::span<const std::byte> changed) {
        auto base = field.base;
        base.set(key, tgmap::cbor_value::bytes(changed));
        auto source = source_of(field);
        source.base = base.view();
        grib::message_builder builder;
        failure why;
        builder.add(source, why);
        bytes out;
        take_all(builder, out);
        builder.finish();
        take_all(builder, out);
        ++(why ? refused : taken);
      };
      for (std::size_t size = 0; size < std::min<std::size_t>(original.size(), 400); ++size)
        attempt(original.first(size));
      std::vector<std::byte> changed(original.begin(), original.end());
      for (std::size_t i = 0; i < std::min<std::size_t>(changed.size(), 400); ++i)
        for (const unsigned change : {0x01U, 0x80U, 0xFFU}) {
          changed[i] ^= static_cast<std::byte>(change);
          attempt(changed);
          changed[i] ^= static_cast<std::byte>(change);
        }
    }
  }
  BOOST_TEST_MESSAGE(refused << " damaged keys were refused, " << taken << " were taken");
  BOOST_TEST(refused > 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
