// SPDX-License-Identifier: Apache-2.0
// Every read is once short, interrupted, failing or at the end: the answer is the same, or an error, and the next call
// works.
#include <boost/test/unit_test.hpp>
#include <iterator>
#include <regex>
#include <string>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/rounds.hpp>
#include <support/survey.hpp>
#include <support/temporary.hpp>
#include <vector>

#include "failing_pread.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(failing_reads_test)

namespace {

constexpr tgmap::open_options read_mode{.io = tgmap::io_mode::read, .damage = tgmap::on_damage::skip};
constexpr tgmap::open_options map_mode{.io = tgmap::io_mode::map, .damage = tgmap::on_damage::skip};

bytes sample() {
  message_spec large;
  large.index = where::footer;
  large.metadata = where::footer;
  for (unsigned n = 0; n < 25; ++n) large.objects.push_back(bytes_object(payload_of(n, 300)));
  return mixed_archive(6) + bytes(100, 'x') + message(large) + several(10, 2, 20000) +
         numbered_stream(1).substr(0, 200);
}

/// Removes what cannot report errors: the flags of a message, which are then 0.
std::string comparable(const std::string& survey) {
  static const std::regex flags(" flags \\d+");
  return std::regex_replace(survey, flags, "");
}

/// Returns the number of lines that name a failure.
long complaints(const std::string& survey) {
  static const std::regex line("(^|\n)  (! |view: |in_place )");
  return std::distance(std::sregex_iterator(survey.begin(), survey.end(), line), std::sregex_iterator());
}

struct normal_reads_guard {
  ~normal_reads_guard() { disturb_reads(reads::normal); }
};

/// Returns the number of reads of a full survey.
long reads_of(const std::filesystem::path& path, const tgmap::open_options& options) {
  disturb_reads(reads::normal);
  (void)survey_of(tgmap::archive(path, options));
  return reads_made();
}

/// Returns the place of each object and frame, or the failures.
std::string places_in(const tgmap::archive& archive) {
  std::string out;
  tgmap::failure why;
  const auto say = [&](const std::string& line) { out += (why ? "failed " + why.text() : line) + "\n"; };
  const std::size_t count = archive.size(why);
  say(std::to_string(count) + " messages");
  for (std::size_t i = 0; i < count && !why; ++i) {
    const auto message = archive.at(i, why);
    say("message at " + std::to_string(message.offset()));
    tgmap::frame frame;
    auto frames = message.frames(why);
    while (!why && frames.next(frame, why)) say("frame at " + std::to_string(frame.offset()));
    if (why) say("");
    const std::size_t objects = message.size(why);
    say(std::to_string(objects) + " objects");
    for (std::size_t j = 0; j < objects && !why; ++j) {
      const auto object = message.at(j, why);
      say("payload at " + std::to_string(object.payload_offset()));
    }
  }
  (void)archive.nth_from_end(0, why);
  say("last");
  return out;
}

/// Returns messages with bytes between their frames, across pages.
std::vector<bytes> loose_messages() {
  std::vector<bytes> out;
  for (const int version : {2, 3})
    for (const auto how : {writing::buffered, writing::streamed})
      for (const char between : {'\0', 'j'}) {
        message_spec spec{.version = version, .writing = how};
        for (const std::size_t size : {3700u, 3000u, 20u}) spec.objects.push_back(bytes_object(payload_of(1, size)));
        spec.junk_before[1] = spec.junk_before[2] = bytes(3000, between);
        if (how == writing::buffered && version == 2) spec.lie = [](index_spec& index) { index.lengths.clear(); };
        out.push_back(message(spec));
        out.push_back(out.back().substr(0, out.back().size() - 40));
      }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_counter_counts_reads) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", sample());
  BOOST_TEST(reads_of(path, read_mode) > 50);
  BOOST_TEST(reads_of(path, map_mode) > 50);
}

BOOST_AUTO_TEST_CASE(interrupted_and_short_reads_change_nothing) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", sample());
  const normal_reads_guard at_the_end;
  for (const auto& options : {read_mode, map_mode}) {
    disturb_reads(reads::normal);
    const std::string expected = survey_of(tgmap::archive(path, options)).text;
    for (const reads how : {reads::interrupted, reads::shortened}) {
      disturb_reads(how);
      BOOST_TEST(survey_of(tgmap::archive(path, options)).text == expected);
      BOOST_TEST(reads_made() > 50);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_read_fails_once) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", sample());
  const normal_reads_guard at_the_end;
  for (const auto& options : {read_mode, map_mode}) {
    const long all = reads_of(path, options);
    const std::string expected = survey_of(tgmap::archive(path, options)).text;
    for (const reads how : {reads::failing, reads::ending})
      for (long n = 0; n < all; n += static_cast<long>(stride(23))) {
        const tgmap::archive archive(path, options);
        disturb_read(n, how);
        const std::string disturbed = survey_of(archive).text;
        BOOST_REQUIRE(reads_made() > n);
        BOOST_TEST((comparable(disturbed) == comparable(expected) || complaints(disturbed) > complaints(expected)),
                   "read " << n << " of " << all << " changed the answer without an error");
        BOOST_REQUIRE(survey_of(archive).text == expected);
      }
  }
}

BOOST_AUTO_TEST_CASE(each_read_between_frames_fails_once) {
  const temporary_directory temporary;
  const normal_reads_guard at_the_end;
  for (const bytes& data : loose_messages())
    for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk}) {
      const auto path = temporary.file("a.tgm", data + numbered(7));
      tgmap::open_options options = read_mode;
      options.lookup = lookup;
      disturb_reads(reads::normal);
      const std::string expected = places_in(tgmap::archive(path, options));
      for (long n = 0;; ++n) {
        const tgmap::archive archive(path, options);
        disturb_read(n, reads::failing);
        const std::string disturbed = places_in(archive);
        if (reads_made() <= n) break;
        BOOST_TEST((disturbed == expected || disturbed.find("Input/output error") != std::string::npos),
                   "read " << n << " changed the answer without an error");
        disturb_reads(reads::normal);
        BOOST_TEST(places_in(archive) == expected, "after read " << n << " failed once");
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
