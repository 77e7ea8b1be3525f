// SPDX-License-Identifier: Apache-2.0
// What the reference's validation says of its own files.
#include <boost/test/unit_test.hpp>
#include <support/shared_data.hpp>

#include "../golden/manifest_file.hpp"
#include "collected.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(reference)

namespace {

/// What the reference says of a message that is right. Releases 0.17 to 0.20 left the flag of their digests clear,
/// which the reference since 0.21 takes for a missing digest, and its digests verify (format, section 4).
words wanted_of(const nlohmann::json& message, bool& excused) {
  words out;
  for (const auto& each : message.at("validate")) out.insert(each.get<std::string>());
  excused = out.erase("error: hash_verification_error") != 0;
  return out;
}

struct count {
  std::size_t files = 0, messages = 0, excused = 0;
  std::size_t repeating = 0;  ///< messages with a key that comes twice, of which the reference says nothing
};

void hold(const nlohmann::json& one, const std::filesystem::path& directory, count& seen) {
  const tgmap::archive archive(directory / one.at("file").get<std::string>(), {.damage = tgmap::on_damage::skip});
  const auto found = check(archive);
  ++seen.files;
  for (const auto& message : one.at("messages")) {
    if (message.at("wire") != 3 || !message.contains("validate")) continue;  // the reference reads no version 2
    const auto verdict = std::find_if(found.messages.begin(), found.messages.end(), [&](const auto& each) {
      return each.offset == message.at("offset").get<std::uint64_t>();
    });
    BOOST_TEST_REQUIRE((verdict != found.messages.end()));
    collected only;
    only.messages.push_back(*verdict);
    bool excused = false;
    const words wanted = wanted_of(message, excused);
    words said = only.said();
    const bool repeats = said.erase("error: duplicate_key") != 0;
    BOOST_TEST(said == wanted, boost::test_tools::per_element());
    if (excused) BOOST_TEST(verdict->hash_verified == !repeats);
    seen.repeating += repeats;
    ++seen.messages;
    seen.excused += excused;
  }
}

count hold_all(const std::filesystem::path& directory) {
  count seen;
  for (const auto& one : manifest_of(directory)) BOOST_TEST_CONTEXT(one.at("file")) {
      hold(one, directory, seen);
    }
  BOOST_TEST_MESSAGE(seen.files << " files, " << seen.messages << " messages, " << seen.excused
                                << " of 0.17 to 0.20 where the reference is wrong");
  return seen;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_shared_reference_files) {
  const auto shared = shared_data_or_skip("the reference's validation of its own files");
  if (!shared) return;
  const count seen = hold_all(*shared / "data" / "tgm" / "reference");
  BOOST_TEST(seen.files >= 581u);
  BOOST_TEST(seen.messages >= 1500u);
  BOOST_TEST(seen.repeating == 6u);
}

BOOST_AUTO_TEST_CASE(all_objects_of_the_reference_can_be_decoded) {
  const auto shared = shared_data_or_skip("level full on the reference's own files");
  if (!shared) return;
  const auto directory = *shared / "data" / "tgm" / "reference";
  std::size_t objects = 0, not_decoded = 0, lost = 0;
  for (const auto& one : manifest_of(directory)) BOOST_TEST_CONTEXT(one.at("file")) {
      const tgmap::archive archive(directory / one.at("file").get<std::string>(), {.damage = tgmap::on_damage::skip});
      const auto found = check(archive, {.mode = tgmap::validation_mode::full});
      objects += found.result.objects;
      not_decoded += found.result.objects_not_decoded;
      for (const auto& message : found.messages)
        for (const auto& each : message.findings) {
          const auto name = tgmap::to_string_view(each.code);
          BOOST_TEST(
              (name != "pipeline_config_failed" && name != "decode_object_failed" && name != "decoded_size_mismatch"),
              each.text);
          if (each.code != tgmap::finding_code::decode_pipeline_failed) continue;
          BOOST_TEST(each.text.find("compression szip") != std::string::npos, each.text);
          ++lost;
        }
    }
  BOOST_TEST_MESSAGE(objects << " objects, " << not_decoded << " that this build cannot decode, " << lost
                             << " streams that libaec itself cannot read again");
  BOOST_TEST(objects >= 5000u);
  BOOST_TEST(lost <= 8u);
  BOOST_TEST(not_decoded < objects / 10);
}

BOOST_AUTO_TEST_CASE(passages_are_the_gaps_of_the_manifest) {
  for (const auto& one : manifest_of(test_data())) {
    const tgmap::archive archive(test_data() / one.at("file").get<std::string>(), {.damage = tgmap::on_damage::skip});
    std::vector<std::pair<std::uint64_t, std::uint64_t>> wanted, found;
    for (const auto& gap : one.at("gaps")) wanted.emplace_back(gap.at(0), gap.at(1));
    for (const auto& each : check(archive).passages) found.emplace_back(each.offset, each.offset + each.length);
    BOOST_TEST((found == wanted), one.at("file"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
