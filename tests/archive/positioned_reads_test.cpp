// SPDX-License-Identifier: Apache-2.0
// archive::read returns any bytes of an archive, however it was opened.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(positioned_reads_test)

BOOST_AUTO_TEST_CASE(any_bytes_of_an_archive) {
  const bytes data = mixed_archive(3);
  in_every_mode(data, [&](const tgmap::archive& a) {
    bytes out(data.size(), '\0');
    const auto into = std::as_writable_bytes(std::span(out));
    a.read(0, into);
    BOOST_TEST(out == data);
    a.read(100, into.first(7));
    BOOST_TEST(out.substr(0, 7) == data.substr(100, 7));
    a.read(data.size() - 1, into.first(1));
    BOOST_TEST(out[0] == data.back());
    a.read(data.size(), {});
  });
}

BOOST_AUTO_TEST_CASE(reads_end_at_the_archive) {
  const bytes data = mixed_archive(1);
  in_every_mode(data, [&](const tgmap::archive& a) {
    bytes out(4, '\0');
    const auto into = std::as_writable_bytes(std::span(out));
    tgmap::failure why;
    a.read(data.size() - 3, into, why);
    TGMAP_FAILED(why, tgmap::errc::read_past_end);
    BOOST_TEST(why.expected == data.size());
    BOOST_TEST(why.found == data.size() + 1);
    a.read(UINT64_MAX, into, why);
    TGMAP_FAILED(why, tgmap::errc::read_past_end);
    BOOST_TEST(why.found == UINT64_MAX);
    BOOST_TEST(why.offset == data.size());
    a.read(data.size() - 4, into, why);
    TGMAP_SUCCEEDED(why);
    TGMAP_THROWS(a.read(data.size() + 1, {}), tgmap::errc::read_past_end);
  });
}

BOOST_AUTO_TEST_CASE(an_archive_within_a_file) {
  const bytes data = "junk" + mixed_archive(1) + "more";
  in_every_mode(data,
                [&](const tgmap::archive& a) {
                  bytes out(8, '\0');
                  a.read(0, std::as_writable_bytes(std::span(out)));
                  BOOST_TEST(out == "TENSOGRM");
                },
                {.offset = 4, .length = data.size() - 8});
}

BOOST_AUTO_TEST_CASE(a_file_that_was_cut_is_an_error_not_a_signal) {
  const temporary_directory temporary;
  const bytes data = mixed_archive(3);
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const auto path = temporary.file("a.tgm", data);
    const tgmap::archive archive(path, {.io = mode});
    std::filesystem::resize_file(path, 10);
    bytes out(20, '\0');
    tgmap::failure why;
    archive.read(0, std::as_writable_bytes(std::span(out)), why);
    TGMAP_FAILED(why, tgmap::errc::file_shrank);
  }
}

BOOST_AUTO_TEST_CASE(a_default_archive_has_no_bytes) {
  tgmap::failure why;
  tgmap::archive().read(0, {}, why);
  TGMAP_FAILED(why, tgmap::errc::no_archive);
}

BOOST_AUTO_TEST_SUITE_END()
