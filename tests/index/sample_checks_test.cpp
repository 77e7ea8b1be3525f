// SPDX-License-Identifier: Apache-2.0
// Which samples are compared when: four when an archive is opened, one with each message that is used first, and all at
// once if the archive was changed at another time than the index says.
#include <boost/test/unit_test.hpp>
#include <support/samples.hpp>
#include <thread>
#include <vector>

#include "index_file/reader.hpp"
#include "index_file/samples.hpp"
#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_use;
namespace fs = std::filesystem;

namespace {

constexpr unsigned messages = 200;

/// An archive with an index, of which the payload in one sample was changed. No other sample has the changed byte.
struct changed_sample {
  temporary_directory temporary;
  fs::path file = temporary.file("a.tgm", several(0, messages, 20'000));
  fs::file_time_type time{};
  std::uint64_t sample = 0;  ///< number of the sample
  std::uint64_t offset = 0;  ///< of the sample

  static constexpr std::uint64_t inside = 2000;  ///< place of the changed byte in the sample
  static constexpr std::uint64_t first_candidate = 32;

  changed_sample() {
    write_index(file);
    time = fs::last_write_time(file);
    const tgmap::archive scanned(file, {.index = index_use::none});
    tgmap::failure why;
    const auto index = tgmap::index_file::reader::open(
        tgmap::io::source::from_file(tgmap::io::file::open(index_path(file), why), {}, why), why);
    BOOST_REQUIRE(!why);
    const auto& facts = index->facts();
    BOOST_REQUIRE(facts.samples == 64u);
    for (std::uint64_t i = first_candidate; i < facts.samples && sample == 0; ++i) {
      offset = tgmap::index_file::sample_at(facts.sample_seed, i, facts.covered).offset;
      if (is_payload(scanned, offset + inside) && samples_with(facts, offset + inside) == 1) sample = i;
    }
    BOOST_REQUIRE(sample != 0);
    bytes data = read_file(file);
    data[offset + inside] ^= 1;
    write_file(file, data);
  }

  static bool is_payload(const tgmap::archive& in, std::uint64_t at) {
    for (const tgmap::message& m : in)
      if (const std::uint64_t payload = m[0].payload_offset(); at >= payload && at < payload + m[0].payload_size())
        return true;
    return false;
  }

  static unsigned samples_with(const tgmap::index_file::trailer& facts, std::uint64_t at) {
    unsigned out = 0;
    for (std::uint64_t i = 0; i < facts.samples; ++i) {
      const auto range = tgmap::index_file::sample_at(facts.sample_seed, i, facts.covered);
      out += at >= range.offset && at < range.offset + range.size;
    }
    return out;
  }

  /// Opens the archive so that four samples are compared, none of which is the changed one.
  tgmap::archive opened() const {
    fs::last_write_time(file, time);
    for (int attempt = 0; attempt < 1000; ++attempt)
      if (tgmap::archive out(file); out.index_status().is_used) return out;
    BOOST_FAIL("the changed sample is compared each time");
    return {};
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(sample_checks_test)

BOOST_AUTO_TEST_CASE(another_time_means_that_all_samples_are_compared) {
  const changed_sample changed;
  fs::last_write_time(changed.file, changed.time + std::chrono::seconds(1));
  for (int round = 0; round < 20; ++round) {
    const auto status = tgmap::archive(changed.file).index_status();
    BOOST_TEST(!status.is_used);
    TGMAP_FAILED(status.refusal, errc::index_mismatch);
    BOOST_TEST(status.refusal.offset == changed.offset);
  }
}

BOOST_AUTO_TEST_CASE(another_time_alone_is_no_reason_to_refuse) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several(0, 100, 5000));
  write_index(file);
  for (const auto by : {std::chrono::hours(-5000), std::chrono::hours(5000)}) {
    fs::last_write_time(file, fs::last_write_time(file) + by);
    BOOST_TEST(tgmap::archive(file).index_status().is_used);
  }
}

BOOST_AUTO_TEST_CASE(an_index_of_memory_has_no_stamp) {
  const temporary_directory temporary;
  const bytes data = several(0, 100, 5000);
  const auto file = temporary.file("a.tgm", data);
  write_file(index_path(file), index_of(tgmap::archive::from_memory(std::as_bytes(std::span(data)))));
  BOOST_TEST(tgmap::archive(file).index_status().is_used);
  BOOST_TEST(!tgmap::archive(file).index_status().is_current);
}

BOOST_AUTO_TEST_CASE(each_message_that_is_used_first_compares_one_more_sample) {
  const changed_sample changed;
  const tgmap::archive with = changed.opened();
  std::size_t first = 0;
  tgmap::failure why;
  for (; first < messages && !why; ++first) with.at(first, why);
  TGMAP_FAILED(why, errc::index_mismatch);
  BOOST_TEST(why.offset == changed.offset);
  BOOST_TEST(why.message == first - 1);
  BOOST_TEST(first == changed.sample - 1);  // the first message compares sample 2
  // It stays so, but messages that are known stay known.
  for (std::size_t i = first; i < messages; ++i) {
    with.at(i, why);
    TGMAP_FAILED(why, errc::index_mismatch);
  }
  for (std::size_t i = 0; i + 1 < first; ++i) BOOST_TEST(with[i].index().value() == i);
}

BOOST_AUTO_TEST_CASE(known_messages_compare_nothing) {
  const changed_sample changed;
  const tgmap::archive with = changed.opened();
  tgmap::failure why;
  for (std::size_t used = 1; used + 1 < changed.sample; ++used)  // samples 2 to that before the changed one
    for (int round = 0; round < 10; ++round)
      for (std::size_t i = 0; i < used; ++i) {
        with.at(i, why);
        BOOST_REQUIRE(!why);
      }
  with.at(changed.sample - 2, why);
  TGMAP_FAILED(why, errc::index_mismatch);
}

BOOST_AUTO_TEST_CASE(threads_compare_all_samples_too) {
  const changed_sample changed;
  const tgmap::archive with = changed.opened();
  std::vector<std::size_t> failures(4, 0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < failures.size(); ++t)
      threads.emplace_back([&, t] {
        for (std::size_t i = t; i < messages; i += failures.size()) {
          tgmap::failure why;
          with.at(i, why);
          failures[t] += why.code == make_error_code(errc::index_mismatch);
        }
      });
  }
  for (const std::size_t each : failures) BOOST_TEST(each > 0u);
}

BOOST_AUTO_TEST_CASE(an_index_with_too_few_samples_is_refused) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several(0, 100, 5000));
  const auto shorter = temporary.file("b.tgm", several(0, 3, 50));
  bytes index = index_of(tgmap::archive(shorter));  // one sample
  auto last = std::as_writable_bytes(std::span(index)).last<tgmap::index_file::page_size>();
  auto facts = tgmap::index_file::trailer::load(last);
  BOOST_REQUIRE(facts.samples == 1u);
  facts.covered = fs::file_size(file);
  facts.store(last);
  tgmap::index_file::seal_page(last, facts.identity, facts.pages - 1);
  write_file(index_path(file), index);
  TGMAP_FAILED(tgmap::archive(file).index_status().refusal, errc::index_mismatch);
}

BOOST_AUTO_TEST_SUITE_END()
