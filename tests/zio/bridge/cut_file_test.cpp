// SPDX-License-Identifier: Apache-2.0
// A label must not lack keys because the file was cut while it was made.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/zio/from_archive.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(cut_file_test)

BOOST_AUTO_TEST_CASE(keys_that_a_file_has_lost_are_an_error) {
  const temporary_directory temporary;
  const bytes data = tgmap_test::message({.objects = {bytes_object("abcd")},
                                          .base = {cbor::map({cbor::key("name", cbor::text("base-1"))})},
                                          .extra = {cbor::key("wide", cbor::text("wide-1"))}});
  for (const std::size_t size : {std::size_t{0}, data.find("base-1"), data.find("wide-1"), data.find("wide-1") + 3}) {
    const auto path = temporary.file("a.tgm", data);
    const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
    const tgmap::message message = archive[0];
    BOOST_TEST(message.summary().object_count == 1u);
    BOOST_TEST(message[0].payload_size() == 4u);
    std::filesystem::resize_file(path, size);
    TGMAP_THROWS(tgmap::zio::from_archive(archive, message), tgmap::errc::file_shrank);
  }
}

BOOST_AUTO_TEST_SUITE_END()
