// SPDX-License-Identifier: Apache-2.0
// What create_index writes, and check_index compares.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>
#include <support/shared_data.hpp>
#include <tgmap/version.hpp>

#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_summary;
using tgmap::index_use;

BOOST_AUTO_TEST_SUITE(create_index_test)

namespace {

tgmap::archive opened(const std::filesystem::path& file) { return tgmap::archive(file, {.index = index_use::none}); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_summary_counts_what_is_listed) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(20));
  tgmap::memory_sink to;
  const index_summary made = tgmap::create_index(opened(file), to);
  BOOST_TEST(made.messages == 20u);
  BOOST_TEST(made.objects == 20u);
  BOOST_TEST(made.layouts > 1u);
  BOOST_TEST(made.gaps == 0u);
  BOOST_TEST(made.covered_bytes == std::filesystem::file_size(file));
  BOOST_TEST(made.index_bytes == to.bytes_written());
  BOOST_TEST(!made.stopped);
}

BOOST_AUTO_TEST_CASE(an_index_says_which_program_made_it_and_when) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(2));
  const auto now = [] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch());
  };
  const auto before = now();
  write_index(file);
  const index_summary made = tgmap::describe_index(index_path(file));
  BOOST_TEST(made.made_by == std::string("tgmap ") + tgmap::version_string);
  BOOST_TEST(made.made_at >= static_cast<std::uint64_t>(before.count()));
  BOOST_TEST(made.made_at <= static_cast<std::uint64_t>(now().count()));
}

BOOST_AUTO_TEST_CASE(a_message_takes_64_bytes) {
  const auto size = [](unsigned count) {
    const bytes data = numbered_archive(count);
    tgmap::memory_sink to;
    tgmap::create_index(tgmap::archive::from_memory(std::as_bytes(std::span(data))), to);
    return static_cast<double>(to.bytes_written());
  };
  BOOST_TEST((size(6000) - size(1000)) / 5000 < 66);  // pages are whole, and have a checksum
}

BOOST_AUTO_TEST_CASE(equal_descriptors_share_a_layout) {
  const bytes data = numbered_archive(100);
  tgmap::memory_sink to;
  BOOST_TEST(tgmap::create_index(tgmap::archive::from_memory(std::as_bytes(std::span(data))), to).layouts == 1u);
}

BOOST_AUTO_TEST_CASE(an_incomplete_end_is_not_covered) {
  const temporary_directory temporary;
  const bytes whole = mixed_archive(5), cut_off = numbered(5, 3, 1000).substr(0, 500);
  const bytes stream = numbered_stream(6, 3, 1000), open_stream = stream.substr(0, stream.size() - 8);
  for (const bytes& end : {cut_off, open_stream, bytes("TENSO"), bytes("garbage at the end")}) {
    const auto file = temporary.file("a.tgm", whole + end);
    tgmap::memory_sink to;
    const index_summary made = tgmap::create_index(opened(file), to);
    BOOST_TEST(made.covered_bytes == whole.size());
    BOOST_TEST(made.messages == 5u);
    BOOST_TEST(made.gaps == 0u);
  }
}

BOOST_AUTO_TEST_CASE(gaps_are_listed_whatever_the_archive_was_opened_for) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", numbered(0) + "damage" + numbered(1) + "more" + numbered(2));
  for (const auto damage : {tgmap::on_damage::stop, tgmap::on_damage::skip}) {
    tgmap::memory_sink to;
    const auto made = tgmap::create_index(tgmap::archive(file, {.damage = damage, .index = index_use::none}), to);
    BOOST_TEST(made.messages == 3u);
    BOOST_TEST(made.gaps == 2u);
  }
}

BOOST_AUTO_TEST_CASE(a_fresh_index_passes_the_check_for_every_file) {
  const temporary_directory temporary;
  std::size_t checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    const auto archive = opened(entry.path());
    const auto index = temporary.file("x.tgx", index_of(archive));
    tgmap::failure why;
    const auto found = tgmap::check_index(archive, index, {}, why);
    BOOST_TEST(!why, entry.path().filename().string() << ": " << why.text());
    BOOST_TEST(found.index_bytes == std::filesystem::file_size(index));
    ++checked;
  }
  BOOST_TEST(checked > 50u);
}

BOOST_AUTO_TEST_CASE(the_check_notices_another_message_of_the_same_size) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several(0, 200, 500));
  const auto index = temporary.file("x.tgx", index_of(opened(file)));
  // Swaps the lengths of two objects: header index, frame and payload stay as long, but objects lie elsewhere.
  write_file(file, several(0, 100, 500) + several(100, 100, 500));
  TGMAP_SUCCEEDED([&] {
    tgmap::failure why;
    tgmap::check_index(opened(file), index, {}, why);
    return why;
  }());
  bytes changed = several(0, 100, 500) + numbered(100, 3, 492);
  changed += numbered(101, 3, 508);
  changed += several(102, 98, 500);
  BOOST_REQUIRE(changed.size() == several(0, 200, 500).size());
  write_file(file, changed);
  tgmap::failure why;
  tgmap::check_index(opened(file), index, {}, why);
  TGMAP_FAILED(why, errc::index_mismatch);
}

BOOST_AUTO_TEST_CASE(a_grown_archive_passes_up_to_the_covered_bytes) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(10));
  const auto index = temporary.file("x.tgx", index_of(opened(file)));
  append_file(file, mixed_archive(3));
  tgmap::failure why;
  BOOST_TEST(tgmap::check_index(opened(file), index, {}, why).messages == 10u);
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(both_can_be_stopped_and_report_progress) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", numbered_archive(10'000));
  std::uint64_t done = 0;
  tgmap::memory_sink to;
  tgmap::create_index(opened(file), to, {.progress = [&](std::uint64_t bytes) {
                        BOOST_TEST(bytes > done);
                        done = bytes;
                      }});
  BOOST_TEST(done > 0u);
  std::stop_source stop;
  stop.request_stop();
  tgmap::memory_sink unused;
  const auto stopped = tgmap::create_index(opened(file), unused, {.stop = stop.get_token()});
  BOOST_TEST(stopped.stopped);
  BOOST_TEST(stopped.messages < 10'000u);
}

BOOST_AUTO_TEST_CASE(an_archive_that_is_cut_meanwhile_is_reported_with_both_sizes) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", numbered_archive(10'000));
  const auto size = std::filesystem::file_size(file);
  tgmap::memory_sink to;
  tgmap::failure why;
  tgmap::create_index(opened(file), to,
                      {.progress = [&](std::uint64_t) { std::filesystem::resize_file(file, size - 1); }}, why);
  TGMAP_FAILED(why, errc::file_shrank);
  BOOST_TEST(why.expected == size);
  BOOST_TEST(why.found == size - 1);
}

BOOST_AUTO_TEST_CASE(only_paths_of_keys_of_maps_get_a_column) {
  const bytes data = six_messages();
  const auto archive = open(data);
  const auto failure_of = [&](const std::string& key) {
    tgmap::memory_sink nowhere;
    tgmap::failure why;
    tgmap::create_index(archive, nowhere, {.keys = {"mars.step", key}}, why);
    return why;
  };
  const std::string longest(250, 'k');
  const std::vector<std::string> paths{"a", "a.b", "mars.step.c", "b.extra", longest};
  for (const std::string& key : paths) TGMAP_SUCCEEDED(failure_of(key));
  const std::vector<std::string> others{"",       ".",     ".a",      "a.",      "a..b",         "a.b.",       "a[0]",
                                        "@shape", "shape", "extra.a", "_extra_", "_reserved_.a", longest + 'k'};
  for (const std::string& key : others) {
    const tgmap::failure why = failure_of(key);
    TGMAP_FAILED(why, errc::bad_key);
    BOOST_TEST(why.found == 1u, key);
  }
}

BOOST_AUTO_TEST_CASE(failures_of_the_sink_and_of_files_are_reported) {
  class full final : public tgmap::sink {
   public:
    tgmap::failure write(std::span<const std::span<const std::byte>>) noexcept override {
      return {.code = std::make_error_code(std::errc::no_space_on_device)};
    }
  } nowhere;
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(3));
  tgmap::failure why;
  tgmap::create_index(opened(file), nowhere, {}, why);
  BOOST_TEST((why.code == std::errc::no_space_on_device));
  tgmap::check_index(opened(file), temporary / "absent", {}, why);
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
  tgmap::check_index(opened(file), file, {}, why);
  TGMAP_FAILED(why, errc::not_an_index);
  tgmap::memory_sink to;
  TGMAP_THROWS(tgmap::create_index({}, to), errc::no_archive);
  TGMAP_THROWS(tgmap::check_index({}, file), errc::no_archive);
}

BOOST_AUTO_TEST_SUITE_END()
