// SPDX-License-Identifier: Apache-2.0
// Archives of a byte_source: the answers of the same bytes in memory, with few requests, and what may go wrong.
#include <condition_variable>
#include <random>
#include <stdexcept>
#include <support/counted_source.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/shared_data.hpp>
#include <support/survey.hpp>
#include <support/temporary.hpp>
#include <thread>

using namespace tgmap_test;
using tgmap::archive;
using tgmap::errc;
using tgmap::failure;
using tgmap::source_costs;

BOOST_AUTO_TEST_SUITE(byte_source_test)

namespace {

using source_pointer = std::shared_ptr<counted_source>;

source_pointer source_of(bytes data, const source_costs& costs = {}) {
  return std::make_shared<counted_source>(std::move(data), costs);
}

std::string text_of(const failure& why) {
  if (!why) return "ok";
  return why.code.message() + " at " + std::to_string(why.offset);
}

struct finding_texts final : tgmap::validation_visitor {
  std::string text{};
  void unclaimed_bytes(const tgmap::finding& each) override { add(each); }
  void message(const tgmap::message_report& report) override {
    text += "message " + std::to_string(report.message.offset()) + "\n";
    for (const tgmap::finding& each : report.findings) add(each);
  }
  void add(const tgmap::finding& each) { text += std::string(to_string_view(each.code)) + "\n"; }
};

/// Results that are not part of a survey: elements, selections, copies, messages from the end, validation.
std::string results_of(const archive& a) {
  std::string out;
  failure why;
  const std::size_t count = a.size(why);
  tgmap::memory_sink to;
  tgmap::writer copies(to, why);
  for (std::size_t i = 0; i < count; ++i) {
    const tgmap::message m = a.at(i, why);
    const std::size_t objects = why ? 0 : m.size(why);
    for (std::size_t k = 0; k < objects; ++k) {
      const tgmap::object object = m.at(k, why);
      if (why) continue;
      const tgmap::tensor tensor = object.decode(why);
      out += "decode " + text_of(why) + " " + (why ? bytes() : xxh3_hex(view_of(tensor.bytes()))) + "\n";
      out += "payload " + xxh3_hex(view_of(object.payload(why))) + " " + text_of(why) + "\n";
    }
    tgmap::failure copying;
    copies.write(m, copying);
    out += "copy " + text_of(copying) + "\n";
  }
  out += xxh3_hex(view_of(to.bytes())) + "\n";
  for (std::size_t n = 0; n < 3; ++n) {
    const tgmap::message m = a.nth_from_end(n, why);
    out += "from the end " + text_of(why) + " " + std::to_string(why ? 0 : m.offset()) + "\n";
  }
  try {
    for (const auto& each : a.objects(tgmap::selection("@object=0..1000000")))
      out += "found " + std::to_string(each.message_index) + ":" + std::to_string(each.index) + "\n";
  } catch (const tgmap::error& e) {
    out += text_of(e.details()) + "\n";
  }
  finding_texts findings;
  (void)tgmap::validate(a, {.mode = tgmap::validation_mode::full}, findings, why);
  return out + findings.text + text_of(why);
}

/// Reads the payload of the object of a message.
std::span<const std::byte> payload_of_message(const archive& a, std::size_t i, failure& why) {
  const tgmap::message m = a.at(i, why);
  const tgmap::object object = why ? tgmap::object() : m.at(0, why);
  return why ? std::span<const std::byte>() : object.payload(why);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_answer_is_that_of_the_same_bytes_in_memory) {
  const std::array<source_costs, 3> all{source_costs{}, source_costs{.gap = 0, .max_request = 4096, .max_requests = 2},
                                        source_costs{.gap = 3000, .max_request = 9000}};
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    ++files;
    const bytes data = read_file(entry.path());
    for (const auto damage : {tgmap::on_damage::stop, tgmap::on_damage::skip}) {
      const tgmap::open_options options{
          .damage = damage, .lookup = files % 2 == 0 ? tgmap::object_lookup::index : tgmap::object_lookup::walk};
      const auto source = source_of(data, all[files % all.size()]);
      source->gives_first = files % 5 != 0;
      BOOST_TEST_CONTEXT(entry.path().filename()) {
        const archive found = archive::from_source(source, options);
        BOOST_TEST(results_of(found) == results_of(archive::from_memory(span_of(data), options)));
        // Views need aligned bytes, which depends on the memory; those of a file that is read are aligned, too.
        auto as_read = options;
        as_read.io = tgmap::io_mode::read;
        const std::string expected = survey_of(archive(entry.path(), as_read)).text;
        BOOST_TEST(survey_of(found).text == expected);
        BOOST_TEST(survey_of(found.reopen()).text == expected);
        BOOST_TEST(source->breach == "");
      }
    }
  }
  BOOST_TEST(files > 80u);
}

BOOST_AUTO_TEST_CASE(an_archive_of_a_source_is_read_not_mapped) {
  const bytes data = numbered_archive(3);
  const archive a = archive::from_source(source_of(data), {.io = tgmap::io_mode::map});
  BOOST_TEST(a.mode() == tgmap::io_mode::read);
  BOOST_TEST(a.mode_reason() == std::string("source of bytes"));
  BOOST_TEST(!a.is_in_memory());
  BOOST_TEST(a.size_bytes() == data.size());
  const tgmap::object object = a[1][0];
  const auto payload = object.payload();
  BOOST_TEST(view_of(payload) == payload_of(1));
  BOOST_TEST(object.payload().data() == payload.data(), "held until the archive is closed");
  TGMAP_SUCCEEDED(a.prefetch(object));
  TGMAP_SUCCEEDED(a.check_not_truncated(object));
}

BOOST_AUTO_TEST_CASE(limits_of_resident_bytes_hold) {
  const archive a = archive::from_source(source_of(several(0, 3, 1000)), {.max_resident_bytes = 1500});
  failure why;
  BOOST_TEST(a[0][0].payload(why).size() == 1000u);
  BOOST_TEST(a[1][0].payload(why).empty());
  TGMAP_FAILED(why, errc::resident_limit);
}

BOOST_AUTO_TEST_CASE(a_part_of_a_source) {
  const bytes data = numbered_archive(4);
  const auto source = source_of("junk" + data + "junk");
  const tgmap::open_options options{.offset = 4, .length = data.size()};
  BOOST_TEST(results_of(archive::from_source(source, options)) == results_of(open(data)));
  BOOST_TEST(source->breach == "");
  failure why;
  (void)archive::from_source(source, {.offset = data.size() + 9}, why);
  TGMAP_FAILED(why, errc::invalid_option);
  source->on_read = [](auto, auto&) { return failure{.code = std::make_error_code(std::errc::timed_out)}; };
  source->gives_first = false;
  const archive failing = archive::from_source(source, options);
  (void)failing.at(0, why);
  BOOST_TEST(why.offset == 0u, "offsets count from the start of the archive");
}

BOOST_AUTO_TEST_CASE(messages_near_each_other_take_few_requests) {
  const bytes data = several(0, 300, 3000);  // a megabyte
  const auto source = source_of(data);
  const archive a = archive::from_source(source);
  BOOST_TEST(source->opens == 1u);
  BOOST_TEST(source->calls == 0u);
  BOOST_TEST(number_of(a[0]) == 0u);
  BOOST_TEST(source->calls == 0u, "the first message came with the size");
  std::size_t found = 0;
  for (const tgmap::message& m : a) found += number_of(m) == found ? 1 : 0;
  BOOST_TEST(found == 300u);
  BOOST_TEST(source->calls <= 9u, "16 KiB came first, then 32 KiB and so on: " << source->calls);

  source->reset_counts();
  const archive again = archive::from_source(source);
  std::size_t sound_ones = 0;
  for (const tgmap::message& m : again) sound_ones += sound(m) ? 1 : 0;  // with payloads
  BOOST_TEST(sound_ones == 300u);
  BOOST_TEST(source->calls <= 9u, source->calls.load());
  BOOST_TEST(source->bytes_asked() < data.size() * 5 / 4);
}

BOOST_AUTO_TEST_CASE(messages_far_apart_are_not_read_over) {
  const bytes data = several(0, 30, 400000);
  const auto source = source_of(data, {.gap = 64 << 10});
  const archive a = archive::from_source(source);
  BOOST_TEST(a.size() == 30u);
  BOOST_TEST(source->asked.size() <= 31u, source->asked.size());
  BOOST_TEST(source->bytes_asked() < data.size() / 10);
  source->reset_counts();
  BOOST_TEST(number_of(a[20]) == 20u);
  BOOST_TEST(source->calls <= 2u);
  source->reset_counts();
  BOOST_TEST(a[20][0].payload().size() == 400000u);
  BOOST_TEST(source->asked.size() <= 2u, "the payload, and what is around it");
}

BOOST_AUTO_TEST_CASE(the_last_message_takes_few_requests) {
  const auto source = source_of(several(0, 50, 100000));
  const archive a = archive::from_source(source);
  BOOST_TEST(number_of(a.back()) == 49u);
  BOOST_TEST(source->calls <= 3u, source->calls.load());
}

BOOST_AUTO_TEST_CASE(every_failing_request_is_an_error_and_the_archive_stays_usable) {
  bytes data = mixed_archive(8);
  data.insert(700, "damage");
  data +=
      numbered_stream(8, 3, 9000).substr(0, 9200);  // cut in its footers: a failure must not look like an earlier end
  const tgmap::open_options skip{.damage = tgmap::on_damage::skip};
  const std::string expected = survey_of(archive::from_source(source_of(data), skip)).text;
  for (const std::error_code code : {std::make_error_code(std::errc::connection_reset),
                                     make_error_code(errc::source_failed), make_error_code(errc::out_of_memory)})
    for (unsigned failing = 1;; ++failing) {
      const auto source = source_of(data, {.gap = 200, .max_request = 4096});
      source->gives_first = false;
      source->on_read = [&](auto, auto&) { return source->calls == failing ? failure{.code = code} : failure(); };
      const archive a = archive::from_source(source, skip);
      failure why;
      (void)a.size(why);
      if (why) TGMAP_FAILED(why, code);
      (void)results_of(a);
      const unsigned calls = source->calls;
      source->on_read = nullptr;
      BOOST_REQUIRE(survey_of(a).text == expected);
      if (calls < failing) break;
      BOOST_REQUIRE(failing < 1000u);
    }
}

BOOST_AUTO_TEST_CASE(an_iteration_does_not_end_at_a_failure_that_looks_like_the_end) {
  const auto source = source_of(several(0, 30, 40000), {.gap = 0});
  source->on_read = [&](auto, auto&) { return source->calls > 9 ? failure{.code = errc::out_of_range} : failure(); };
  const archive a = archive::from_source(source);
  std::size_t found = 0;
  const auto iterate = [&] {
    for (const tgmap::message& m : a) found += m.length() > 0 ? 1 : 0;
  };
  TGMAP_THROWS(iterate(), errc::source_failed);
  BOOST_TEST(found < 30u);
}

BOOST_AUTO_TEST_CASE(a_source_that_ends_early_is_an_error) {
  const bytes data = several(0, 20, 3000);
  for (const bool is_silent : {false, true}) {
    const auto source = source_of(data.substr(0, 20000), {.gap = 0});
    source->stated_size = data.size();
    source->is_silent = is_silent;
    const archive a = archive::from_source(source);
    failure why;
    const std::size_t count = a.size(why);
    BOOST_TEST(count == 5u);
    // Bytes that a source leaves out are zeros, which belong to no message.
    TGMAP_FAILED(why, is_silent ? errc::damaged : errc::file_shrank);
    for (std::size_t i = 0; i < count; ++i) BOOST_TEST(sound(a[i]));
  }
}

BOOST_AUTO_TEST_CASE(bytes_that_change_between_two_reads_change_results_nothing_worse) {
  const bytes data = mixed_archive(30);
  for (unsigned seed = 0; seed < 60; ++seed) {
    const auto source = source_of(data, {.gap = seed % 2 == 0 ? 0u : 300u});
    source->version.clear();
    std::minstd_rand random(seed + 1);
    source->on_read = [&](auto, auto&) -> failure {
      for (unsigned k = 0; k < 5; ++k) source->data[random() % data.size()] = static_cast<char>(random());
      if (random() % 8 == 0) source->data = data;
      return {};
    };
    const archive a = archive::from_source(source, {.damage = tgmap::on_damage::skip, .max_gaps = 100});
    (void)survey_of(a);
    (void)results_of(a);
    failure why;
    (void)a.partition(3, why);
    BOOST_TEST(source->breach == "");
  }
}

BOOST_AUTO_TEST_CASE(what_looks_damaged_is_read_once_more) {
  const bytes whole = several(0, 20, 30000);
  const archive all = archive::from_memory(span_of(whole));
  const std::uint64_t begin = all[10].offset();
  for (const unsigned wrong_reads : {1U, 2U}) {
    bytes cut = whole;
    std::fill(cut.begin() + static_cast<std::ptrdiff_t>(begin), cut.end(), '\0');
    const auto source = source_of(cut, {.gap = 0});
    unsigned reads = 0;  // of the first bytes of message 10
    source->on_read = [&](auto wanted, auto&) -> failure {
      for (const tgmap::byte_request& each : wanted)
        if (each.offset <= begin && begin - each.offset < each.out.size() && reads++ == wrong_reads)
          source->data = whole;
      return {};
    };
    const archive a = archive::from_source(source, {.damage = tgmap::on_damage::stop});
    failure why;
    const std::size_t count = a.size(why);
    if (wrong_reads == 1) {
      TGMAP_SUCCEEDED(why);
      BOOST_TEST(count == 20u);
    } else {
      BOOST_TEST(count == 10u);  // twice the same: the bytes are damaged
      BOOST_TEST(static_cast<bool>(why));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_scan_of_a_source_that_does_not_answer_ends_at_a_stop_request) {
  const auto source = source_of(several(0, 50, 100000), {.gap = 0});
  source->on_read = [&](auto, const std::stop_token& stop) -> failure {
    if (source->calls < 10) return {};
    std::mutex mutex;
    std::unique_lock lock(mutex);
    if (!stop.stop_possible()) return {};
    std::condition_variable_any().wait(lock, stop, [] { return false; });
    return {.code = std::make_error_code(std::errc::timed_out)};
  };
  const archive a = archive::from_source(source);
  std::stop_source stop;
  std::jthread stopper([&] {
    while (source->calls < 10) std::this_thread::yield();
    stop.request_stop();
  });
  failure why;
  const tgmap::progress done = a.scan(UINT64_MAX, stop.get_token(), why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(!done.is_complete);
  BOOST_TEST(done.messages > 2u);
  BOOST_TEST(done.messages < 50u);
  BOOST_TEST(a.size(why) == 50u, "the next call goes on");
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(exceptions_of_a_source) {
  const auto source = source_of(numbered_archive(3));
  source->on_open = []() -> failure { throw std::runtime_error("secret"); };
  failure why;
  BOOST_TEST(!archive::from_source(source, {}, why));
  TGMAP_FAILED(why, errc::source_failed);
  try {
    (void)archive::from_source(source);
    BOOST_ERROR("opened");
  } catch (const tgmap::error& e) {
    BOOST_TEST(std::string(e.what()).starts_with("cannot open 'store/forecast.tgm': "));
    BOOST_TEST(std::string(e.what()).find("secret") == std::string::npos);
  }
  source->on_open = nullptr;
  source->gives_first = false;
  source->on_read = [](auto, auto&) -> failure { throw 42; };
  const archive a = archive::from_source(source);
  (void)a.at(0, why);
  TGMAP_FAILED(why, errc::source_failed);
  source->on_read = nullptr;
  BOOST_TEST(a.size() == 3u);
  TGMAP_FAILED((archive::from_source(nullptr, {}, why), why), errc::invalid_option);
  TGMAP_THROWS(archive::from_source(nullptr), errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(threads_share_an_archive) {
  const bytes data = mixed_archive(60);
  const std::string expected = survey_of(archive::from_source(source_of(data))).text;
  const archive a = archive::from_source(source_of(data, {.gap = 512, .max_request = 4096}));
  std::array<std::string, 8> seen;
  {
    std::vector<std::jthread> threads;
    for (std::string& each : seen)
      threads.emplace_back([&] {
        each = survey_of(a).text;
        (void)results_of(a);
      });
  }
  for (const std::string& each : seen) BOOST_TEST((each == expected));
}

BOOST_AUTO_TEST_CASE(a_reopened_archive_of_the_same_version_scans_nothing_again) {
  const auto source = source_of(several(0, 20, 100000), {.gap = 0});
  const archive a = archive::from_source(source);
  BOOST_TEST(a.size() == 20u);
  source->reset_counts();
  const archive again = a.reopen();
  BOOST_TEST(again.scan_progress().messages == 20u);
  BOOST_TEST(again.size() == 20u);
  BOOST_TEST(source->calls == 0u);
  BOOST_TEST(source->opens == 1u);
  BOOST_TEST(!a.is_replaced());
}

BOOST_AUTO_TEST_CASE(other_bytes_that_no_version_told_of_are_those_of_a_changed_file) {
  const auto source = source_of(several(0, 20, 30000), {.gap = 0});
  const archive a = archive::from_source(source);
  BOOST_TEST(a.size() == 20u);
  source->stated_size = source->data.size();
  source->replace(several(100, 5, 3000), "v2");  // also shorter
  failure why;
  (void)payload_of_message(a, 15, why);
  TGMAP_FAILED(why, errc::file_shrank);  // nothing has asked for the version yet: the bytes are those of a changed file
}

BOOST_AUTO_TEST_CASE(after_another_version_was_seen_the_older_archive_reads_nothing_more) {
  for (const bool reopens : {true, false}) {
    const auto source = source_of(several(0, 20, 30000), {.gap = 0});
    const archive a = archive::from_source(source);
    BOOST_TEST(a.size() == 20u);
    const auto held = a[1][0].payload();
    source->replace(several(100, 5, 3000), "v2");
    if (reopens) {
      const archive other = a.reopen();
      BOOST_TEST(other.scan_progress().messages == 0u);
      BOOST_TEST(other.size() == 5u);
      for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(number_of(other[i]) == 100 + i);
      BOOST_TEST(sound(other[4]));
    } else {
      BOOST_TEST(a.is_replaced());
    }
    failure why;
    (void)payload_of_message(a, 15, why);
    TGMAP_FAILED(why, errc::source_changed);
    BOOST_TEST(view_of(held) == payload_of(1, 30000), "what it holds stays");
    BOOST_TEST(a.is_replaced());
  }
}

BOOST_AUTO_TEST_CASE(a_source_without_versions_is_reopened_like_a_file) {
  const bytes data = several(0, 20, 3000);
  const auto source = source_of(data);
  source->version.clear();
  const archive a = archive::from_source(source);
  BOOST_TEST(a.size() == 20u);
  source->data += numbered(20);
  const archive longer = a.reopen();
  BOOST_TEST(longer.scan_progress().messages == 20u);
  BOOST_TEST(longer.size() == 21u);
  source->data.resize(5000);
  failure why;
  (void)longer.reopen(why);
  TGMAP_FAILED(why, errc::file_shrank);
  BOOST_TEST(!a.is_replaced());
}

BOOST_AUTO_TEST_SUITE_END()
