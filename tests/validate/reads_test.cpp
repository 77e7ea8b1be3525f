// SPDX-License-Identifier: Apache-2.0
// Without a mapping: what is read, and that nothing of it is held.
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>

#include "../hostile/failing_pread.hpp"
#include "collected.hpp"

using namespace tgmap_test;
using tgmap::validation_mode;

BOOST_AUTO_TEST_SUITE(reads_test)

namespace {

constexpr tgmap::io_mode by_reads = tgmap::io_mode::read;

/// Four messages of three objects of 300 kB.
bytes large_objects() {
  bytes out;
  for (unsigned n = 0; n < 4; ++n) {
    message_spec spec;
    for (unsigned k = 0; k < 3; ++k) spec.objects.push_back(bytes_object(payload_of(n + k, 300'000)));
    out += message(spec);
  }
  return out;
}

struct seen {
  std::size_t bytes = 0, reads = 0;
};

seen read_by(const tgmap::archive& archive, validation_mode what) {
  (void)archive.size();
  std::vector<read_range> reads;
  record_reads(&reads);
  const auto found = check(archive, {.mode = what, .threads = 1});
  record_reads(nullptr);
  BOOST_TEST(found.result.is_sound());
  seen out{.reads = reads.size()};
  for (const read_range& each : reads) out.bytes += each.size;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(quick_reads_a_window_a_frame) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", large_objects()), {.io = by_reads});
  std::size_t frames = 0;
  for (const tgmap::message& m : archive)
    for ([[maybe_unused]] const tgmap::frame& f : m.frames()) ++frames;
  const seen quick = read_by(archive, validation_mode::quick);
  BOOST_TEST(quick.bytes <= 512 * (2 * frames + 2 * 4));
  BOOST_TEST(quick.reads <= 2 * frames + 2 * 4);
}

BOOST_AUTO_TEST_CASE(small_messages_are_read_many_at_a_time) {
  const temporary_directory temporary;
  const bytes data = several(0, 1000, 100);
  const tgmap::archive archive(temporary.file("a.tgm", data), {.io = by_reads});
  for (const auto what : {validation_mode::quick, validation_mode::standard, validation_mode::checksum}) {
    const seen all = read_by(archive, what);
    BOOST_TEST(all.bytes == data.size());
    BOOST_TEST(all.reads <= 1 + data.size() / 60'000);
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_held) {
  const temporary_directory temporary;
  const bytes data = large_objects();
  const auto path = temporary.file("a.tgm", data);
  for (const auto what :
       {validation_mode::quick, validation_mode::standard, validation_mode::checksum, validation_mode::full}) {
    const tgmap::archive archive(path, {.io = by_reads, .max_resident_bytes = 1});
    const auto found = check(archive, {.mode = what});
    BOOST_TEST(found.said() == words{}, boost::test_tools::per_element());
    BOOST_TEST(found.messages.size() == 4u);
  }
}

BOOST_AUTO_TEST_CASE(messages_are_those_of_the_archive_asked_about) {
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

BOOST_AUTO_TEST_CASE(a_read_that_fails_is_an_error) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", large_objects()), {.io = by_reads});
  (void)archive.size();
  for (const auto what : {validation_mode::quick, validation_mode::standard, validation_mode::full}) {
    check(archive, {.mode = what, .threads = 1});  // what the archive remembers is not read again
    disturb_reads(reads::as_ever);
    check(archive, {.mode = what, .threads = 1});
    const long all = reads_made();
    for (long n = 0; n < all; ++n) {
      // Values are read through the library, which looks again, by another way, where its first look fails.
      if (what == validation_mode::full)
        disturb_reads_from(n, reads::failing);
      else
        disturb_read(n, reads::failing);
      collected visitor;
      tgmap::failure why;
      static_cast<void>(tgmap::validate(archive, {.mode = what, .threads = 1}, visitor, why));
      BOOST_TEST((why.code == std::error_code(EIO, std::system_category())), n);
      BOOST_TEST(visitor.said() == words{}, boost::test_tools::per_element());
    }
    disturb_reads(reads::as_ever);
  }
}

BOOST_AUTO_TEST_SUITE_END()
