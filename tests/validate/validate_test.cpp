// SPDX-License-Identifier: Apache-2.0
// Order of messages with several threads, unclaimed bytes, and validations that end early.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/forged/forged_index.hpp>
#include <support/numbered.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>
#include <tgmap/decode/executor.hpp>

#include "recorded_findings.hpp"

using namespace tgmap_test;
using tgmap::finding_code;

BOOST_AUTO_TEST_SUITE(whole_archives)

namespace {

/// Returns an archive for several batches and threads. Every seventh message is damaged.
bytes large_archive(unsigned count) {
  bytes out;
  for (unsigned n = 0; n < count; ++n) {
    auto built = build(numbered_spec(n, 3, 500));
    if (n % 7 == 3) built.data[built.objects[0] + 20] ^= 1;
    out += built.data;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(in_order_with_any_number_of_threads) {
  const bytes data = large_archive(4000);
  const auto archive = tgmap::archive::from_memory(span_of(data));
  for (const unsigned threads : {1u, 2u, 5u}) {
    const auto found = check(archive, {.threads = threads});
    BOOST_TEST_REQUIRE(found.messages.size() == 4000u);
    for (std::size_t i = 0; i < 4000; ++i) {
      BOOST_TEST_REQUIRE(found.messages[i].index == i);
      BOOST_TEST_REQUIRE(found.messages[i].findings.size() == (i % 7 == 3 ? 1u : 0u));
      for (const auto& each : found.messages[i].findings) BOOST_TEST_REQUIRE(each.message == std::int64_t(i));
    }
    BOOST_TEST(found.result.errors == 571u);
    BOOST_TEST(found.result.checked_bytes == data.size());
    BOOST_TEST(found.result.messages_verified == 4000u - 571u);
  }
}

BOOST_AUTO_TEST_CASE(on_threads_of_the_caller) {
  struct backwards final : tgmap::executor {
    unsigned runs = 0;
    std::size_t most = 0;
    unsigned concurrency() const noexcept override { return 3; }
    void run(std::size_t count, task task) noexcept override {
      ++runs;
      most = std::max(most, count);
      while (count-- > 0) task.run(task.context, count);
    }
  } threads;
  const bytes data = large_archive(4000), little = large_archive(10);
  const auto found = check(tgmap::archive::from_memory(span_of(data)), {.executor = &threads});
  BOOST_TEST_REQUIRE(found.messages.size() == 4000u);
  for (std::size_t i = 0; i < 4000; ++i) BOOST_TEST_REQUIRE(found.messages[i].index == i);
  BOOST_TEST(found.result.errors == 571u);
  BOOST_TEST(threads.runs >= 1u);
  BOOST_TEST(threads.most == 3u);
  threads.runs = 0;
  BOOST_TEST(check(tgmap::archive::from_memory(span_of(little)), {.executor = &threads}).messages.size() == 10u);
  BOOST_TEST(threads.runs == 0u);  // little is checked faster without threads
}

BOOST_AUTO_TEST_CASE(same_findings_in_every_mode) {
  const bytes data = numbered(0) + "junk" + numbered(1, 2) + numbered_stream(2) + numbered(3, 3, 60'000) + "end";
  in_every_mode(
      data,
      [&](const tgmap::archive& archive) {
        const auto found = check(archive, {.mode = tgmap::validation_mode::full});
        BOOST_TEST(found.messages.size() == 4u);
        BOOST_TEST(found.result.messages_verified == 4u);
        BOOST_TEST_REQUIRE(found.unclaimed.size() == 2u);
        BOOST_TEST(found.unclaimed[0].text == "4 unrecognized bytes at offset " + std::to_string(numbered(0).size()));
        BOOST_TEST((found.unclaimed[1].code == finding_code::trailing_bytes));
        BOOST_TEST(found.unclaimed[1].offset == data.size() - 3);
        BOOST_TEST(found.unclaimed[1].length == 3u);
        BOOST_TEST(found.result.errors == 2u);
      },
      {.damage = tgmap::on_damage::skip});
}

BOOST_AUTO_TEST_CASE(bytes_outside_messages) {
  BOOST_TEST(check(bytes()).result.is_sound());
  const auto none = check("no archive at all");
  BOOST_TEST(none.unclaimed.at(0).text == "17 bytes with no valid messages");
  BOOST_TEST(none.messages.empty());

  const bytes cut = numbered(0) + numbered_stream(1).substr(0, 100);
  const auto found = check(cut);  // an incomplete message belongs to the tail
  BOOST_TEST(found.messages.size() == 1u);
  BOOST_TEST(found.unclaimed.at(0).offset == numbered(0).size());

  const auto old = check(version_1_message({"a"}) + numbered(1));
  BOOST_TEST(old.codes() == code_set{"warning: version_1"}, boost::test_tools::per_element());
  BOOST_TEST(old.result.is_sound());
}

BOOST_AUTO_TEST_CASE(after_damage_the_rest_is_one_unclaimed_range) {
  const bytes data = numbered(0) + "junk" + numbered(1);
  const auto found = check(tgmap::archive::from_memory(span_of(data)));
  BOOST_TEST(found.messages.size() == 1u);
  BOOST_TEST(found.unclaimed.at(0).length == data.size() - numbered(0).size());
}

// An index that hides a message whose hash does not match, and bytes that belong to no message.
BOOST_AUTO_TEST_CASE(an_index_is_not_believed) {
  const temporary_directory temporary;
  auto damaged = build(numbered_spec(1));
  damaged.data[damaged.objects[0] + 20] ^= 1;
  const bytes garbage(160, '#'), first = numbered(0);
  const auto file = temporary.file("a.tgm", first + garbage + damaged.data + numbered(2));
  tgmap::memory_sink sound;
  tgmap::create_index(tgmap::archive(file), sound);
  const auto all = sound.release();
  temporary.file("a.tgm.tgx", hiding_message({reinterpret_cast<const char*>(all.data()), all.size()}, 1));
  for (const auto damage : {tgmap::on_damage::stop, tgmap::on_damage::skip}) {
    const tgmap::archive with(file, {.damage = damage});
    BOOST_TEST(with.index_status().is_used);
    BOOST_TEST(with.index_status().messages == 2u);
    const auto found = check(with),
               scanned = check(tgmap::archive(file, {.damage = damage, .index = tgmap::index_use::none}));
    BOOST_TEST(!found.result.is_sound());
    BOOST_TEST_REQUIRE(found.unclaimed.size() == 1u);
    BOOST_TEST(found.unclaimed[0].offset == first.size());
    BOOST_TEST(found.unclaimed[0].length == scanned.unclaimed.at(0).length);
    BOOST_TEST(found.messages.size() == scanned.messages.size());
    BOOST_TEST(found.codes() == scanned.codes(), boost::test_tools::per_element());
    if (damage == tgmap::on_damage::stop) continue;
    BOOST_TEST(found.unclaimed[0].length == 160u);
    BOOST_TEST(found.codes() == code_set{"error: hash_mismatch"}, boost::test_tools::per_element());
  }
}

// Handles that a visitor keeps are valid as long as the archive, and so is a pin of one.
BOOST_AUTO_TEST_CASE(messages_of_an_archive_with_an_index_outlive_the_call) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", numbered_archive(5));
  tgmap::write_index(file);
  struct keeper : tgmap::validation_visitor {
    std::vector<tgmap::message> kept;
    void message(const tgmap::message_report& m) override { kept.push_back(m.message); }
  } visitor;
  tgmap::archive with(file);
  BOOST_TEST(with.index_status().is_used);
  for (int k = 0; k < 2; ++k) static_cast<void>(tgmap::validate(with, visitor));
  BOOST_TEST_REQUIRE(visitor.kept.size() == 10u);
  for (std::size_t i = 0; i < 10; ++i) BOOST_TEST(number_of(visitor.kept[i]) == i % 5);
  const tgmap::archive scanned = tgmap::without_index(with);
  with = {};
  BOOST_TEST(!scanned.index_status().is_used);
  BOOST_TEST(scanned.size() == 5u);
  BOOST_TEST(number_of(visitor.kept[9]) == 4u);  // `scanned` keeps what they borrow from
}

BOOST_AUTO_TEST_CASE(exceptions_of_visitors_reach_the_caller) {
  struct thrower : tgmap::validation_visitor {
    void message(const tgmap::message_report& m) override {
      if (m.index == 1500) throw std::domain_error("enough");
    }
  } visitor;
  const bytes data = large_archive(4000);
  const auto archive = tgmap::archive::from_memory(span_of(data));
  for (const unsigned threads : {1u, 3u})
    BOOST_CHECK_THROW(static_cast<void>(tgmap::validate(archive, {.threads = threads}, visitor)), std::domain_error);
}

BOOST_AUTO_TEST_CASE(stop_requests) {
  struct stopper : recorded_findings {
    std::stop_source stop;
    void message(const tgmap::message_report& m) override {
      recorded_findings::message(m);
      stop.request_stop();
    }
  } visitor;
  const bytes data = large_archive(4000);
  const auto archive = tgmap::archive::from_memory(span_of(data));
  const auto result = tgmap::validate(archive, {.threads = 2, .stop = visitor.stop.get_token()}, visitor);
  BOOST_TEST(result.stopped);
  BOOST_TEST(!result.is_sound());
  BOOST_TEST(visitor.messages.size() < 4000u);
}

BOOST_AUTO_TEST_CASE(findings_of_one_message_are_limited) {
  message_spec spec;
  for (int i = 0; i < 50; ++i) spec.objects.push_back(bytes_object("a"));
  spec.hashes = false;
  const bytes data = message(spec);
  const auto found = check(tgmap::archive::from_memory(span_of(data)), {.max_findings = 10});
  BOOST_TEST(found.messages[0].findings.size() == 11u);
  BOOST_TEST(found.only(finding_code::too_many_findings).text == "40 further findings of this message");
  BOOST_TEST(found.result.warnings == 50u);
}

BOOST_AUTO_TEST_CASE(no_archive_is_an_error) {
  recorded_findings visitor;
  TGMAP_THROWS(tgmap::validate(tgmap::archive(), {}, visitor), tgmap::errc::no_archive);
  tgmap::failure why{.code = tgmap::errc::bad_index};
  const bytes data = numbered(0);
  static_cast<void>(tgmap::validate(tgmap::archive::from_memory(span_of(data)), {}, visitor, why));
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(names) {
  BOOST_TEST(to_string_view(finding_code::buffer_too_short) == "buffer_too_short");
  BOOST_TEST(to_string_view(finding_code::hash_mismatch) == "hash_mismatch");
  BOOST_TEST(to_string_view(finding_code::inf_detected) == "inf_detected");
  BOOST_TEST(to_string_view(finding_code::too_many_findings) == "too_many_findings");
  BOOST_TEST(to_string_view(tgmap::validation_level::fidelity) == "fidelity");
  BOOST_TEST(to_string_view(tgmap::severity::note) == "note");
  BOOST_TEST(to_string_view(static_cast<finding_code>(255)) == "unknown");
  BOOST_TEST(to_string_view(static_cast<tgmap::validation_level>(4)) == "unknown");
  BOOST_TEST(to_string_view(static_cast<tgmap::severity>(3)) == "unknown");
}

BOOST_AUTO_TEST_SUITE_END()
