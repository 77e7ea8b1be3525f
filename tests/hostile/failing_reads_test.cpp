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
                   "read " << n << " of " << all << " changed the answer, and nobody said so");
        BOOST_REQUIRE(survey_of(archive).text == expected);
      }
  }
}

BOOST_AUTO_TEST_SUITE_END()
