// SPDX-License-Identifier: Apache-2.0
// Positioned reads without a mapping: their number and bytes, and that none are kept.
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>

#include "../hostile/failing_pread.hpp"
#include "recorded_findings.hpp"

using namespace tgmap_test;
using tgmap::validation_mode;

BOOST_AUTO_TEST_SUITE(reads_test)

namespace {

constexpr tgmap::io_mode by_reads = tgmap::io_mode::read;

/// Returns four messages of three objects of 300 kB each.
bytes large_objects() {
  bytes out;
  for (unsigned n = 0; n < 4; ++n) {
    message_spec spec;
    for (unsigned k = 0; k < 3; ++k) spec.objects.push_back(bytes_object(payload_of(n + k, 300'000)));
    out += message(spec);
  }
  return out;
}

struct read_count {
  std::size_t bytes = 0, reads = 0;
};

read_count read_by(const tgmap::archive& archive, validation_mode mode) {
  (void)archive.size();
  std::vector<read_range> reads;
  record_reads(&reads);
  const auto found = check(archive, {.mode = mode, .threads = 1});
  record_reads(nullptr);
  BOOST_TEST(found.result.is_sound());
  read_count out{.reads = reads.size()};
  for (const read_range& each : reads) out.bytes += each.size;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(quick_reads_one_window_per_frame) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", large_objects()), {.io = by_reads});
  std::size_t frames = 0;
  for (const tgmap::message& m : archive)
    for ([[maybe_unused]] const tgmap::frame& f : m.frames()) ++frames;
  const read_count quick = read_by(archive, validation_mode::quick);
  BOOST_TEST(quick.bytes <= 512 * (2 * frames + 2 * 4));
  BOOST_TEST(quick.reads <= 2 * frames + 2 * 4);
}

BOOST_AUTO_TEST_CASE(small_messages_are_read_together) {
  const temporary_directory temporary;
  const bytes data = several(0, 1000, 100);
  const tgmap::archive archive(temporary.file("a.tgm", data), {.io = by_reads});
  for (const auto mode : {validation_mode::quick, validation_mode::standard, validation_mode::checksum}) {
    const read_count all = read_by(archive, mode);
    BOOST_TEST(all.bytes == data.size());
    BOOST_TEST(all.reads <= 1 + data.size() / 60'000);
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_kept) {
  const temporary_directory temporary;
  const bytes data = large_objects();
  const auto path = temporary.file("a.tgm", data);
  for (const auto mode :
       {validation_mode::quick, validation_mode::standard, validation_mode::checksum, validation_mode::full}) {
    const tgmap::archive archive(path, {.io = by_reads, .max_resident_bytes = 1});
    const auto found = check(archive, {.mode = mode});
    BOOST_TEST(found.codes() == code_set{}, boost::test_tools::per_element());
    BOOST_TEST(found.messages.size() == 4u);
  }
}

BOOST_AUTO_TEST_CASE(visitors_get_messages_of_the_given_archive) {
  struct keeper : tgmap::validation_visitor {
    std::vector<tgmap::message> kept;
    void message(const tgmap::message_report& m) override { kept.push_back(m.message); }
  } visitor;
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", large_objects()), {.io = by_reads});
  static_cast<void>(tgmap::validate(archive, {}, visitor));
  BOOST_TEST_REQUIRE(visitor.kept.size() == 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST((visitor.kept[i].index() == i));
    BOOST_TEST(visitor.kept[i].size() == 3u);
    BOOST_TEST(visitor.kept[i][2].payload().data() == archive[i][2].payload().data());
  }
}

BOOST_AUTO_TEST_CASE(failed_reads_are_errors) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", large_objects()), {.io = by_reads});
  (void)archive.size();
  for (const auto mode : {validation_mode::quick, validation_mode::standard, validation_mode::full}) {
    check(archive, {.mode = mode, .threads = 1});  // fills the caches of the archive
    disturb_reads(reads::normal);
    check(archive, {.mode = mode, .threads = 1});
    const long all = reads_made();
    for (long n = 0; n < all; ++n) {
      // Values are read through the library, which tries another way if the first one fails.
      if (mode == validation_mode::full)
        disturb_reads_from(n, reads::failing);
      else
        disturb_read(n, reads::failing);
      recorded_findings visitor;
      tgmap::failure why;
      static_cast<void>(tgmap::validate(archive, {.mode = mode, .threads = 1}, visitor, why));
      BOOST_TEST((why.code == std::error_code(EIO, std::system_category())), n);
      BOOST_TEST(visitor.codes() == code_set{}, boost::test_tools::per_element());
    }
    disturb_reads(reads::normal);
  }
}

BOOST_AUTO_TEST_SUITE_END()
