// SPDX-License-Identifier: Apache-2.0
// Compares findings with those of the reference implementation, for its own files.
#include <boost/test/unit_test.hpp>
#include <support/shared_data.hpp>

#include <support/manifest_file.hpp>
#include "recorded_findings.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(reference)

namespace {

/// Returns the findings of the reference that are right. Releases 0.17 to 0.20 left the flag of hashes clear. The
/// reference since 0.21 reports these hashes as missing, although they match. Spec: §4.
code_set expected_codes(const nlohmann::json& message, bool& excused) {
  code_set out;
  for (const auto& each : message.at("validate")) out.insert(each.get<std::string>());
  excused = out.erase("error: hash_verification_error") != 0;
  return out;
}

struct count {
  std::size_t files = 0, messages = 0, excused = 0;
  std::size_t repeating = 0;  ///< messages with a repeated key, which the reference does not report
  std::size_t in_bytes = 0;   ///< messages with strides in bytes, which the reference does not report either
};

void compare(const nlohmann::json& one, const std::filesystem::path& directory, count& seen) {
  const tgmap::archive archive(directory / one.at("file").get<std::string>(), {.damage = tgmap::on_damage::skip});
  const auto found = check(archive);
  ++seen.files;
  for (const auto& message : one.at("messages")) {
    if (message.at("wire") != 3 || !message.contains("validate")) continue;  // the reference does not read version 2
    const auto recorded_message = std::find_if(found.messages.begin(), found.messages.end(), [&](const auto& each) {
      return each.offset == message.at("offset").get<std::uint64_t>();
    });
    BOOST_TEST_REQUIRE((recorded_message != found.messages.end()));
    recorded_findings only;
    only.messages.push_back(*recorded_message);
    bool excused = false;
    const code_set expected = expected_codes(message, excused);
    code_set codes = only.codes();
    const bool repeats = codes.erase("error: duplicate_key") != 0;
    seen.in_bytes += codes.erase("warning: strides_in_bytes");
    BOOST_TEST(codes == expected, boost::test_tools::per_element());
    if (excused) BOOST_TEST(recorded_message->hash_verified == !repeats);
    seen.repeating += repeats;
    ++seen.messages;
    seen.excused += excused;
  }
}

count compare_all(const std::filesystem::path& directory) {
  count seen;
  for (const auto& one : manifest_of(directory)) BOOST_TEST_CONTEXT(one.at("file")) {
      compare(one, directory, seen);
    }
  BOOST_TEST_MESSAGE(seen.files << " files, " << seen.messages << " messages, " << seen.excused
                                << " of 0.17 to 0.20 where the reference is wrong");
  return seen;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_shared_reference_files) {
  const auto shared = shared_data_or_skip("the reference's validation of its own files");
  if (!shared) return;
  const count seen = compare_all(*shared / "data" / "tgm" / "reference");
  BOOST_TEST(seen.files >= 581u);
  BOOST_TEST(seen.messages >= 1500u);
  BOOST_TEST(seen.repeating == 6u);
  BOOST_TEST(seen.in_bytes == 1u);
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

BOOST_AUTO_TEST_CASE(unclaimed_bytes_are_the_gaps_of_the_manifest) {
  for (const auto& one : manifest_of(test_data())) {
    const tgmap::archive archive(test_data() / one.at("file").get<std::string>(), {.damage = tgmap::on_damage::skip});
    std::vector<std::pair<std::uint64_t, std::uint64_t>> expected, found;
    for (const auto& gap : one.at("gaps")) expected.emplace_back(gap.at(0), gap.at(1));
    for (const auto& each : check(archive).unclaimed) found.emplace_back(each.offset, each.offset + each.length);
    BOOST_TEST((found == expected), one.at("file"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
