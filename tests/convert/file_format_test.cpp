// SPDX-License-Identifier: Apache-2.0
// Formats of files by their first bytes. The command's test has a row for each format.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

#include "convert/file_format.hpp"

using namespace tgmap_test;
using namespace std::string_literals;
using tgmap::convert::file_format;
using tgmap::convert::find_file_format;

BOOST_AUTO_TEST_SUITE(file_formats)

namespace {

file_format of(const bytes& first) { return find_file_format(std::as_bytes(std::span(first))); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_bytes_decide) {
  BOOST_TEST((of("TENSOGRM") == file_format::archive));
  BOOST_TEST((of("GRIB\0\0"s) == file_format::grib));
  BOOST_TEST((of("BZh91AY&SY\1") == file_format::bzip2));
  BOOST_TEST((of("\xb3ZIO5"s) == file_format::zio_frame));
  BOOST_TEST((of("# notes\n") == file_format::text));
  BOOST_TEST((of(std::string(511, ' ') + "\xc3\xb6") == file_format::text));  // the last character is cut
  BOOST_TEST((of("\1\2") == file_format::unknown));
  BOOST_TEST((of("") == file_format::unknown));
}

BOOST_AUTO_TEST_CASE(a_file_is_found_by_its_name) {
  const temporary_directory files;
  BOOST_TEST((find_file_format(files.file("f", "GRIB").string()) == file_format::grib));
  BOOST_TEST((find_file_format((files.path() / "none").string()) == file_format::unknown));
}

BOOST_AUTO_TEST_CASE(damaged_archives_are_archives) {
  const tgmap::open_options skip{.damage = tgmap::on_damage::skip};
  const bytes other = "GRIB, or so it seems", damaged = "GRIB" + message({.objects = {bytes_object("a")}}),
              unknown = "\1\2\3";
  BOOST_TEST((tgmap::convert::find_other_format(open(other, skip)) == file_format::grib));
  BOOST_TEST((tgmap::convert::find_other_format(open(damaged, skip)) == file_format::archive));
  BOOST_TEST((tgmap::convert::find_other_format(open(unknown, skip)) == file_format::archive));
}

BOOST_AUTO_TEST_SUITE_END()
