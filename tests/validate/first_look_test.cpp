// SPDX-License-Identifier: Apache-2.0
// What a first look passes over, the checks would not have found anything in; byte by byte, changed in every way that
// matters.
#include <boost/test/unit_test.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>

#include "../corruption/victims.hpp"
#include "validate/check_batch.hpp"
#include "validate/first_look.hpp"

using namespace tgmap_test;
using tgmap::validation_mode;
using namespace tgmap::checks;

BOOST_AUTO_TEST_SUITE(first_looks)

namespace {

constexpr validation_mode levels[] = {validation_mode::quick, validation_mode::standard, validation_mode::checksum,
                                      validation_mode::full};

std::string text_of(tgmap::optional_index number) { return number ? std::to_string(*number) : "-"; }

std::string text_of(const message_report& report, const std::vector<tgmap::finding>& findings) {
  std::string out = std::to_string(report.objects) + " objects, " + std::to_string(report.errors) + " errors, " +
                    std::to_string(report.warnings) + " warnings, " + std::to_string(report.not_decoded) +
                    " not decoded" + (report.hash_verified ? ", verified\n" : "\n");
  for (std::size_t i = report.first; i < report.first + report.count; ++i) {
    const tgmap::finding& f = findings[i];
    out += std::string(to_string_view(f.severity)) + " " + std::string(to_string_view(f.code)) + " " +
           std::to_string(f.offset) + " " + text_of(f.message) + " " + text_of(f.object) + " " + f.text + "\n";
  }
  return out;
}

std::string by_batches(const tgmap::archive& archive, std::size_t count, const tgmap::validate_options& options) {
  static workshop tools;
  const batch found = check_batch(tools, archive, {0, count}, options);
  BOOST_TEST(!found.why);
  std::string out;
  for (const message_report& each : found.reports) out += text_of(each, found.findings);
  return out;
}

std::string without_a_first_look(const tgmap::archive& archive, std::size_t count,
                                 const tgmap::validate_options& options) {
  static workshop tools;
  tools.raw.begin(archive, true);
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    const tgmap::message m = archive[i];
    std::vector<tgmap::finding> findings;
    message_report report;
    tgmap::failure why;
    if (!m.is_incomplete()) {
      why = tools.raw.open(m, m.offset() + m.length());
      report = check_message(tools, m, i, false, options, archive.options(), findings, why);
    }
    BOOST_TEST(!why);
    out += text_of(report, findings);
  }
  return out;
}

first_look look(const bytes& data, bool digests, message_parts& parts) {
  for (;;) {
    const first_look out = look_over(span_of(data), digests, parts);
    if (out != first_look::no_room) return out;
    parts.frames.make_room();
    parts.objects.make_room();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_messages_are_fine) {
  for (const bool digests : {false, true})
    for (const std::size_t objects : {0u, 1u, 3u, 100u}) {
      message_spec spec;
      for (std::size_t i = 0; i < objects; ++i) spec.objects.push_back(bytes_object(payload_of(i, 10 + i)));
      message_parts parts;
      const bytes data = message(spec);
      BOOST_TEST((look(data, digests, parts) == first_look::fine));
      BOOST_TEST(parts.objects.size() == objects);
      BOOST_TEST(parts.digests_match == digests);
      for (std::size_t size = 0; size < data.size(); ++size)
        BOOST_TEST_REQUIRE((look(data.substr(0, size), digests, parts) == first_look::closer));
    }
}

BOOST_AUTO_TEST_CASE(the_same_is_found_whatever_byte_is_changed) {
  case_sampler cases(7);
  for (const victim& each : victims())
    for (std::size_t i = 0; i < each.data.size(); ++i)
      for (const int change : {1, 2, 0x80, 0xff}) {
        if (!cases.takes_next()) continue;
        bytes changed = each.data;
        changed[i] = static_cast<char>(changed[i] ^ change);
        const auto archive = tgmap::archive::from_memory(span_of(changed), {.damage = tgmap::on_damage::skip});
        const std::size_t count = archive.size();
        for (const validation_mode what : levels) {
          const tgmap::validate_options options{.mode = what, .check_canonical = change == 2};
          const std::string quickly = by_batches(archive, count, options);
          const std::string slowly = without_a_first_look(archive, count, options);
          BOOST_TEST_REQUIRE(quickly == slowly, each.name << ": byte " << i << " changed by " << change);
        }
      }
}

BOOST_AUTO_TEST_SUITE_END()
