// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <tgmap/tgmap.hpp>

#include "../../process.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(doctor)

BOOST_AUTO_TEST_CASE(text_has_the_sections_of_the_reference) {
  const outcome seen = run({"doctor"});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.err == "");
  BOOST_TEST(seen.out.starts_with("Build\n"));
  const auto features = seen.out.find("\nCompiled-in features\n"), tests = seen.out.find("\nSelf-test\n");
  BOOST_TEST(features < tests);
  BOOST_TEST(tests != std::string::npos);
  BOOST_TEST(seen.out.ends_with("\nStatus: HEALTHY\n"));
  BOOST_TEST(seen.out.find(TGMAP_VERSION_STRING) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(json_keeps_the_keys_of_the_reference) {
  const auto lines = json_lines(run({"doctor", "--json"}).out);
  BOOST_TEST_REQUIRE(lines.size() == 1u);
  const auto& found = lines[0];
  BOOST_TEST(found["build"]["version"] == TGMAP_VERSION_STRING);
  BOOST_TEST(found["build"]["wire_version"] == 3);
  for (const char* key : {"target", "profile", "compiler"}) BOOST_TEST(!found["build"][key].get<std::string>().empty());

  std::set<std::string> names;
  for (const auto& feature : found["features"]) {
    if (feature["kind"] == "codec") continue;
    names.insert(feature["name"].get<std::string>());
    for (const char* key : {"name", "kind", "state", "origin", "used_for"})
      BOOST_TEST(!feature[key].get<std::string>().empty(), feature.dump());
    BOOST_TEST(feature["version"].get<std::string>().empty() == (feature["state"] == "off"), feature.dump());
  }
  for (const char* own : {"fmt", "CLI11", "cairo", "nlohmann-json", "ZeroMQ", "simdjson", "ecCodes"})
    BOOST_TEST(names.contains(own));
  for (const auto& dependency : tgmap::get_build_info().dependencies)
    BOOST_TEST(names.contains(std::string(dependency.name)));

  BOOST_TEST(!found["self_test"].empty());
  for (const auto& test : found["self_test"]) {
    BOOST_TEST(test["outcome"] == "ok", test.dump());
    BOOST_TEST(!test.contains("reason"));
  }
  BOOST_TEST(found["status"] == "HEALTHY");
}

BOOST_AUTO_TEST_CASE(every_codec_is_listed_with_whose_it_is_or_what_brings_it) {
  std::map<std::string, nlohmann::json> found;
  const auto page = json_lines(run({"doctor", "--json"}).out).at(0);
  for (const auto& feature : page["features"])
    if (feature["kind"] == "codec") found[feature["name"].get<std::string>()] = feature;
  const std::string text = run({"doctor"}).out;
  BOOST_TEST(text.find("\nCodecs\n") != std::string::npos);
  BOOST_TEST(found.size() == tgmap::codecs().size());
  for (const auto& codec : tgmap::codecs()) {
    const auto& feature = found[std::string(codec.name)];
    BOOST_TEST_CONTEXT(feature.dump()) {
      BOOST_TEST(feature["state"] == (codec.is_available ? "on" : "off"));
      BOOST_TEST(feature["version"] == std::string(codec.version));
      BOOST_TEST(feature["used_for"] == std::string(codec.used_for));
      const auto origin = feature["origin"].get<std::string>();
      BOOST_TEST((origin.find(codec.is_available ? codec.library : codec.option) != std::string::npos));
      BOOST_TEST((text.find(codec.is_available ? codec.version : codec.option) != std::string::npos));
    }
  }
}

BOOST_AUTO_TEST_CASE(there_is_nothing_to_open) { BOOST_TEST(run({"doctor", "f.tgm"}).status == 2); }

BOOST_AUTO_TEST_SUITE_END()
