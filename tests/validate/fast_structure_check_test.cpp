// SPDX-License-Identifier: Apache-2.0
// The fast check passes only messages in which the other checks find nothing: compares both for changed bytes.
#include <boost/test/unit_test.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>

#include "../corruption/victims.hpp"
#include "validate/check_messages.hpp"
#include "validate/fast_structure_check.hpp"

using namespace tgmap_test;
using tgmap::validation_mode;
using namespace tgmap::validation;

BOOST_AUTO_TEST_SUITE(fast_structure_check)

namespace {

constexpr validation_mode modes[] = {validation_mode::quick, validation_mode::standard, validation_mode::checksum,
                                     validation_mode::full};

std::string text_of(tgmap::optional_index number) { return number ? std::to_string(*number) : "-"; }

std::string text_of(const message_result& result, const std::vector<tgmap::finding>& findings) {
  std::string out = std::to_string(result.objects) + " objects, " + std::to_string(result.errors) + " errors, " +
                    std::to_string(result.warnings) + " warnings, " + std::to_string(result.not_decoded) +
                    " not decoded" + (result.hash_verified ? ", verified\n" : "\n");
  for (std::size_t i = result.first_finding; i < result.first_finding + result.finding_count; ++i) {
    const tgmap::finding& f = findings[i];
    out += std::string(to_string_view(f.severity)) + " " + std::string(to_string_view(f.code)) + " " +
           std::to_string(f.offset) + " " + text_of(f.message) + " " + text_of(f.object) + " " + f.text + "\n";
  }
  return out;
}

std::string check_with_fast_path(const tgmap::archive& archive, std::size_t count,
                                 const tgmap::validate_options& options) {
  static worker_memory memory;
  const batch_result found = check_batch(memory, archive, {0, count}, options);
  BOOST_TEST(!found.why);
  std::string out;
  for (const message_result& each : found.results) out += text_of(each, found.findings);
  return out;
}

std::string check_without_fast_path(const tgmap::archive& archive, std::size_t count,
                                    const tgmap::validate_options& options) {
  static worker_memory memory;
  memory.bytes.set_archive(archive, true);
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    const tgmap::message m = archive[i];
    std::vector<tgmap::finding> findings;
    message_result result;
    tgmap::failure why;
    if (!m.is_incomplete()) {
      why = memory.bytes.open(m, m.offset() + m.length());
      result = check_message(memory, m, i, false, options, archive.options(), findings, why);
    }
    BOOST_TEST(!why);
    out += text_of(result, findings);
  }
  return out;
}

fast_result check(const bytes& data, bool compare_hashes, message_parts& parts) {
  for (;;) {
    const fast_result out = fast_check_structure(span_of(data), compare_hashes, parts);
    if (out != fast_result::no_room) return out;
    parts.reserve_more();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_messages_pass) {
  for (const bool compare_hashes : {false, true})
    for (const std::size_t objects : {0u, 1u, 3u, 100u}) {
      message_spec spec;
      for (std::size_t i = 0; i < objects; ++i) spec.objects.push_back(bytes_object(payload_of(i, 10 + i)));
      message_parts parts;
      const bytes data = message(spec);
      BOOST_TEST((check(data, compare_hashes, parts) == fast_result::sound));
      BOOST_TEST(parts.objects.size() == objects);
      BOOST_TEST(parts.hashes_match == compare_hashes);
      for (std::size_t size = 0; size < data.size(); ++size)
        BOOST_TEST_REQUIRE((check(data.substr(0, size), compare_hashes, parts) == fast_result::undecided));
    }
}

BOOST_AUTO_TEST_CASE(any_changed_byte_has_the_findings_of_all_checks) {
  case_sampler cases(7);
  for (const victim& each : victims())
    for (std::size_t i = 0; i < each.data.size(); ++i)
      for (const int change : {1, 2, 0x80, 0xff}) {
        if (!cases.takes_next()) continue;
        bytes changed = each.data;
        changed[i] = static_cast<char>(changed[i] ^ change);
        const auto archive = tgmap::archive::from_memory(span_of(changed), {.damage = tgmap::on_damage::skip});
        const std::size_t count = archive.size();
        for (const validation_mode mode : modes) {
          const tgmap::validate_options options{.mode = mode, .check_canonical = change == 2};
          const std::string fast = check_with_fast_path(archive, count, options);
          const std::string full = check_without_fast_path(archive, count, options);
          BOOST_TEST_REQUIRE(fast == full, each.name << ": byte " << i << " changed by " << change);
        }
      }
}

BOOST_AUTO_TEST_SUITE_END()
