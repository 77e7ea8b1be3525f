// SPDX-License-Identifier: Apache-2.0
// Keys of fields: stated ones of small files, those of the whole message, and those that ecCodes' tools print.
#include "bridge/grib/keys/key_reader.hpp"

#include <boost/test/unit_test.hpp>
#include <support/shared_data.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <thread>

#include "bridge/grib/eccodes/eccodes_library.hpp"
#include "bridge/grib/keys/field_message.hpp"
#include "bridge/grib/keys/namespace_keys.hpp"
#include "grib_files.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge::grib;
using tgmap::cbor_value;

BOOST_AUTO_TEST_SUITE(key_reader_test)

namespace {

const std::vector<std::string> all_namespaces{"ls", "geography", "time", "vertical", "parameter"};

std::string printed(const cbor_value& value) { return tgmap::key_result(value.view()).text(); }

std::string key_file(std::string_view name) {
  return read_file(test_data() / "grib/keys" / (std::string(name) + ".grib"));
}

/// Returns the keys of the first field of a file.
cbor_value keys_of(const std::string& data, key_reader& reader) {
  cbor_value out;
  each_field(data, [&](const field& each) {
    failure why;
    out = reader.read(each, why);
    BOOST_TEST(!why, why.text());
  });
  return out;
}

cbor_value keys_of_file(std::string_view name, const std::vector<std::string>& namespaces = {}) {
  key_reader reader({.namespaces = namespaces});
  return keys_of(key_file(name), reader);
}

cbor_value area(double north, double west, double south, double east) {
  return cbor_value::array({north, west, south, east});
}

/// Returns the namespaces that ecCodes reads from a message.
std::string namespaces_of(const std::vector<std::byte>& message) {
  const eccodes_library& library = *eccodes_library::get();
  const eccodes_call call(library);
  const eccodes_handle handle(library,
                              library.codes_handle_new_from_message_copy(nullptr, message.data(), message.size()));
  BOOST_REQUIRE(handle);
  const handle_reader reader(library, handle.get());
  std::string out = "mars " + printed(map_of(reader.read_namespace("mars")));
  for (const std::string& each : all_namespaces) {
    named_keys keys = reader.read_namespace(each.c_str());
    std::erase_if(keys, [](const auto& key) { return key.first.starts_with("bitmap"); });
    out += '\n' + each + ' ' + printed(map_of(keys));
  }
  return out + '\n' + reader.read_text("shortName");
}

/// Compares the keys of a message without data with those of the whole one, for each field of a file.
std::size_t compare_with_whole(const std::filesystem::path& file) {
  std::size_t count = 0;
  each_field(read_file(file), [&](const field& each) {
    BOOST_TEST_CONTEXT(file.filename().string()) {
      failure why;
      const auto empty = message_without_data(each, why);
      BOOST_TEST(!why, why.text());
      BOOST_TEST(empty.size() <= whole_message(each, why).size() + 80);
      BOOST_TEST(namespaces_of(empty) == namespaces_of(whole_message(each, why)));
      ++count;
    }
  });
  return count;
}

/// Returns the names and values that a tool prints as JSON, one a line: `"step": 12,`. Numbers of times have zeros in
/// front, `"0000"`.
std::map<std::string, std::string> printed_by_tool(const std::filesystem::path& file) {
  std::map<std::string, std::string> out;
  std::istringstream lines(output_of("grib_ls -j -m " + file.string()));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find("\": ");
    const std::size_t begin = line.find('"');
    if (colon == line.npos || begin == colon) continue;
    std::string value = line.substr(colon + 3);
    if (value.ends_with(',')) value.pop_back();
    if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
    out[line.substr(begin + 1, colon - begin - 1)] = value;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(keys_have_their_own_types) {
  if (!has_eccodes()) return;
  BOOST_TEST(printed(keys_of_file("member_1")) ==
             printed(cbor_value::map({{"name", "2t"},
                                      {"mars", cbor_value::map({{"domain", "g"},
                                                                {"levtype", "pl"},
                                                                {"levelist", 850},
                                                                {"date", 20070323},
                                                                {"time", 1200},
                                                                {"step", 12},
                                                                {"param", "167.128"},
                                                                {"class", "od"},
                                                                {"type", "pf"},
                                                                {"stream", "enfo"},
                                                                {"expver", "0001"},
                                                                {"number", 5},
                                                                {"grid", "regular_ll"},
                                                                {"area", area(60, 0, 0, 30)}})}})));
  const cbor_value member = keys_of_file("member_2");
  BOOST_TEST((member == cbor_value::map({{"name", "t"},
                                         {"mars", cbor_value::map({{"domain", "g"},
                                                                   {"levtype", "pl"},
                                                                   {"levelist", 850},
                                                                   {"date", 20070323},
                                                                   {"time", 1200},
                                                                   {"step", 12},
                                                                   {"param", 130},
                                                                   {"class", "od"},
                                                                   {"type", "pf"},
                                                                   {"stream", "enfo"},
                                                                   {"expver", "0001"},
                                                                   {"number", 5},
                                                                   {"grid", "regular_ll"},
                                                                   {"area", area(60, 0, 0, 30)}})}})),
             printed(member));
}

BOOST_AUTO_TEST_CASE(single_keys_of_each_kind_of_field) {
  if (!has_eccodes()) return;
  const auto check = [](std::string_view file, std::string_view path, const std::string& expected) {
    BOOST_TEST_CONTEXT(file << ' ' << path) {
      const cbor_value keys = keys_of_file(file);
      const auto found = keys.view().at_path(path);
      BOOST_TEST((found ? tgmap::key_result(*found).text() : "absent") == expected);
    }
  };
  check("control_1", "mars.number", "0");
  check("control_2", "mars.number", "0");
  check("monthly_1", "mars.number", "absent");
  check("monthly_1", "mars.stream", "moda");
  check("monthly_1", "mars.step", "absent");
  check("monthly_2", "mars.stream", "moda");
  check("waves_1", "mars.direction", "3");
  check("waves_1", "mars.frequency", "7");
  check("waves_1", "mars.param", "251.140");
  check("waves_1", "name", "2dfd");
  check("accumulated_2", "mars.step", "12");
  check("accumulated_2", "name", "tp");
  check("experiment_2", "mars.expver", "hx1q");
  check("experiment_2", "mars.class", "rd");
  check("globe_2", "mars.area", "[90,-180,-90,170]");
  check("globe_2", "mars.grid", "regular_ll");
  check("upwards_2", "mars.area", "absent");
  check("upwards_2", "grib.geography.jScansPositively", "1");
  check("upwards_2", "grib.geography.iScansNegatively", "absent");
  check("columns_2", "mars.area", "absent");
  check("columns_2", "grib.geography.jPointsAreConsecutive", "1");
  check("gaussian_1", "mars.grid", "N32");
  check("gaussian_1", "mars.area", "absent");
  check("gaussian_2", "mars.grid", "F32");
  check("rotated_2", "mars.grid", "rotated_ll");
  check("rotated_2", "mars.area", "absent");
  check("rotated_2", "grib", "absent");
}

BOOST_AUTO_TEST_CASE(namespaces_are_stored_on_request) {
  if (!has_eccodes()) return;
  const cbor_value keys = keys_of_file("accumulated_2", {"time", "parameter", "geography", "ls"});
  const auto text = [&](std::string_view path) {
    const auto found = keys.view().at_path(path);
    return found ? tgmap::key_result(*found).text() : "absent";
  };
  BOOST_TEST(text("grib.time.stepRange") == "6-12");
  BOOST_TEST(text("grib.time.validityDate") == "20070324");
  BOOST_TEST(text("grib.parameter.units") == "kg m**-2");
  BOOST_TEST(text("grib.geography.Ni") == "16");
  BOOST_TEST(text("grib.ls.packingType") == "grid_simple");
  BOOST_TEST(text("grib.vertical") == "absent");
}

BOOST_AUTO_TEST_CASE(packing_and_bitmap_are_those_of_the_field) {
  if (!has_eccodes()) return;
  key_reader reader({.namespaces = {"ls", "geography"}});
  const auto check = [&](std::string_view file, std::string_view packing, std::string_view has_bitmap) {
    const cbor_value keys = keys_of(read_file(test_data() / "grib" / file), reader);
    BOOST_TEST_CONTEXT(file) {
      BOOST_TEST(tgmap::key_result(*keys.view().at_path("grib.ls.packingType")).text() == packing);
      const auto bits = keys.view().at_path("grib.geography.bitmapPresent");  // not of all releases of ecCodes
      if (bits) BOOST_TEST(tgmap::key_result(*bits).text() == has_bitmap);
    }
  };
  check("simple_16.grib", "grid_simple", "0");
  check("simple_bitmap.grib", "grid_simple", "1");
  check("ccsds_16.grib", "grid_ccsds", "0");
  check("jpeg.grib", "grid_jpeg", "0");
  BOOST_TEST(reader.calls() == 3u);  // the first two differ in the bitmap only
}

BOOST_AUTO_TEST_CASE(equal_sections_need_one_call) {
  if (!has_eccodes()) return;
  std::string data;
  for (int k = 0; k < 50; ++k) data += key_file("member_1") + key_file("member_2") + key_file("control_2");
  key_reader reader;
  std::size_t fields = 0;
  each_field(data, [&](const field& each) {
    failure why;
    BOOST_TEST((reader.read(each, why).view().at_path("mars.date")).has_value());
    ++fields;
  });
  BOOST_TEST(fields == 150u);
  BOOST_TEST(reader.calls() == 3u);

  key_reader parallel;
  std::vector<std::thread> threads;
  std::atomic<std::size_t> differences = 0;
  const cbor_value expected = keys_of_file("member_2");
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      using namespace tgmap::bridge::grib;
      const std::string one = key_file("member_2");
      failure why;
      field_reader fields_of(std::as_bytes(std::span(one)), 0, why);
      field each;
      if (!fields_of.next(each, why)) ++differences;
      for (int n = 0; n < 100; ++n)
        if (!(parallel.read(each, why) == expected) || why) ++differences;
    });
  for (std::thread& each : threads) each.join();
  BOOST_TEST(differences == 0u);
  BOOST_TEST(parallel.calls() == 1u);
}

BOOST_AUTO_TEST_CASE(the_cache_is_bounded) {
  if (!has_eccodes()) return;
  key_reader two({.max_cached_fields = 2});
  for (const char* each : {"member_1", "member_2", "member_1", "control_1", "member_1", "member_2"})
    keys_of(key_file(each), two);
  BOOST_TEST(two.calls() == 4u);  // member_2 was forgotten for control_1, member_1 was used in between
  key_reader none({.max_cached_bytes = 0});
  keys_of(key_file("member_1"), none);
  keys_of(key_file("member_1"), none);
  BOOST_TEST(none.calls() == 2u);
}

BOOST_AUTO_TEST_CASE(a_message_without_data_has_the_keys_of_the_whole_one) {
  if (!has_eccodes()) return;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test_data() / "grib"))
    if (entry.path().extension() == ".grib") count += compare_with_whole(entry.path());
  BOOST_TEST(count > 40u);
  if (!has_eccodes_tools()) return;
  for (const auto& entry : std::filesystem::directory_iterator(samples_folder()))
    if (read_file(entry.path()).starts_with("GRIB")) count += compare_with_whole(entry.path());
  BOOST_TEST(count > 100u);
}

BOOST_AUTO_TEST_CASE(keys_of_mars_are_those_of_the_tools) {
  if (!has_eccodes_tools()) return;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data() / "grib/keys")) {
    if (entry.path().extension() != ".grib") continue;
    BOOST_TEST_CONTEXT(entry.path().filename().string()) {
      const cbor_value keys = keys_of_file(entry.path().stem().string());
      std::map<std::string, std::string> found;
      keys.view().at_path("mars")->visit([&](const tgmap::cbor_view& key, const tgmap::cbor_view& value) {
        found[key.text()] = tgmap::key_result(value).text();
        return true;
      });
      std::map<std::string, std::string> expected = printed_by_tool(entry.path());
      for (const char* added : {"grid", "area"}) found.erase(added);
      if (found["type"] == "cf") found.erase("number");
      if (found["type"].empty()) found.erase("type");
      BOOST_TEST(!expected.empty());
      BOOST_TEST((found == expected));
      ++count;
    }
  }
  BOOST_TEST(count == 15u);
}

BOOST_AUTO_TEST_CASE(hostile_sections_are_errors_or_keys) {
  if (!has_eccodes()) return;
  // ecCodes ends the process for the first of these, and never ends for the others.
  const auto read = [](std::string data, std::size_t at, std::string_view bytes) {
    data.replace(at, bytes.size(), bytes);
    failure why;
    key_reader reader({.namespaces = all_namespaces});
    field_reader fields(std::as_bytes(std::span(data)), 0, why);
    field each;
    while (fields.next(each, why)) {
      failure here;
      reader.read(each, here);
      BOOST_TEST((!here || here.code.category() == tgmap::bridge::category()), here.text());
    }
    return reader.calls();
  };
  using namespace std::string_view_literals;
  const std::string levels = read_file(test_data() / "grib/edition_1_levels.grib");
  const std::string reduced = read_file(test_data() / "grib/reduced_gaussian.grib");
  const std::string simple = read_file(test_data() / "grib/simple_16.grib");
  BOOST_TEST(read(reduced, 123, "\xFF"sv) == 1u);                 // the number of latitudes
  BOOST_TEST(read(simple, 126, "\xFF"sv) == 1u);                  // the unit of the step
  BOOST_TEST(read(simple, 126, "\x03\x7F\xFF\xFF\xFF"sv) == 1u);  // months
  std::size_t calls = 0;
  for (std::size_t at = 8; at < 60; ++at) calls += read(levels, at, "\xFF"sv);
  BOOST_TEST(calls > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
